import { type Delivery, readMarkup } from './delivery.ts';
import { z } from 'zod';
import { say, named } from '../../domain/said.ts';
import { standardNames } from '../../domain/own-names.ts';
import { answerWithToday } from '../../features/administration/today-facts.ts';
import { importUsers } from '../../features/imports/import-users.ts';
import { importOfferPage } from '../../features/imports/pages.ts';
import { catalog } from '../../operations/catalog.ts';
import { commandPattern, parseCommandLine, commandAndVerb, isTyped } from '../../operations/line/line.ts';
import { asksForHelp, leaverIn, lineOfThing, withoutPoliteWords, withVerb } from '../../operations/line/phrases.ts';
import type { Operation } from '../../operations/operation.ts';
import type { FileReference } from '../../operations/services/files.ts';
import { idsOf } from '../../governance/perform/meaning.ts';
import { suspendUser } from '../../features/users/state.ts';
import { answerLine, lineReadingOf, linesLike, run } from './commands.ts';
import { bestReading, isWhole } from './forms.ts';
import type { Parts, Reply } from './reply.ts';
import { textMessage } from '../views/blocks/message.ts';
import { drawPage } from '../views/blocks/page.ts';
import { leaverPage, notUnderstood, shortHelpPage, suggestedLinesMessage } from '../views/help.ts';

/**
 * Answers what people write to the bot, in its direct messages or with a mention: a line as if it was typed, a list with
 * the offer to import it, everything else with what needs them.
 */
export async function answerMessage(parts: Parts, { message }: Delivery, reply: Reply): Promise<void> {
  if (message.ts === undefined) return;
  const files = reply.channelId === undefined ? filesIn(message.files) : [];
  const lists = files.filter(isList);
  if (lists.length > 0) return offerImport(parts, reply, lists);
  const [other] = files;
  if (other && message.text.trim() === '') return reply.show(textMessage('🚫', notAList(other)));
  await answerSaid(parts, reply, readSaid(message.text, parts.botUserId(), parts.commandPrefix));
}

async function answerSaid(parts: Parts, reply: Reply, said: Said): Promise<void> {
  const { personId, teamId, channelId } = reply;
  const rest = said.kind === 'lines' ? said.rest : '';
  if (asksForHelp(rest)) {
    const { operations } = await parts.permissions.of(personId);
    return reply.show(drawPage(shortHelpPage(), { offered: new Set(operations.map(({ name }) => name)) }));
  }
  const left = leaverIn(rest);
  if (left !== undefined && (await offerToSuspend(parts, reply, left))) return;
  const line = said.kind === 'command' ? said.line : await likeliestLine(parts, said.lines, reply);
  if (line) return answerLine(parts, line.command, line.text, reply);

  const { operations } = await parts.permissions.of(personId);
  const like = await linesLike(parts, operations.filter(isTyped), rest, { personId, teamId });
  if (like.length > 0) return reply.show(suggestedLinesMessage(rest.split(/\s/)[0] ?? '', like));

  const request = { inputs: [{}], personId, teamId, channelId, through: 'message' } as const;
  const today = await run(parts, { ...request, operation: answerWithToday });
  const isGreeting = rest === '' || /^\p{L}{2,12}[!.]*$/u.test(rest);
  await reply.show(isGreeting ? today : notUnderstood(readMarkup(rest), today));
}

/** Offers what is done about somebody who has left; where nobody is called so, it says nothing. */
async function offerToSuspend(parts: Parts, reply: Reply, name: string): Promise<boolean> {
  const { operations } = await parts.permissions.of(reply.personId);
  const { read } = await bestReading(parts, suspendUser, [{ user: [readMarkup(name)] }], reply);
  if (read['user'] === undefined) return false;
  const { user } = idsOf(suspendUser, read);
  const offered = new Set(operations.map((operation) => operation.name));
  const isSuspended = typeof read['user'] === 'object' && 'suspended' in read['user'] && read['user'].suspended;
  const isDone = isSuspended ? suspendUser.noChange?.(read) : undefined;
  await reply.show(drawPage(leaverPage(suspendUser.action?.(read) ?? '', user ?? [], isDone), { offered }));
  return true;
}

/** Of lines for several commands, such as `show kitchen`, the first that makes sense as a whole. */
async function likeliestLine(
  parts: Parts,
  lines: Extract<Said, { kind: 'lines' }>['lines'],
  person: { personId: string; teamId: string },
): Promise<SaidLine | undefined> {
  if (lines.length < 2) return lines[0];
  for (const { operation, ...line } of lines) {
    const reading = await lineReadingOf(parts, operation, line, person);
    if (reading && isWhole(operation, reading)) return line;
  }
  return lines[0];
}

const fileSchema = z.object({ id: z.string(), name: z.string().nullish(), filetype: z.string().nullish() });
const filesSchema = z.array(z.unknown()).catch([]);

/** Offers to import lists that a person sent to the bot, where they may. */
export async function offerImport(parts: Parts, reply: Reply, lists: readonly FileReference[]): Promise<void> {
  const { refusalOf } = await parts.permissions.of(reply.personId);
  const refusal = refusalOf(importUsers);
  const message = refusal === undefined ? drawPage(importOfferPage(lists)) : textMessage('🚫', refusal);
  await reply.show(message);
}

type SentFile = FileReference & { extension: string };

/** The files that are lists. */
export function listsIn(files: unknown): readonly FileReference[] {
  return filesIn(files).filter(isList);
}

/** Files by their name or their type; Slack takes some CSV files for plain text. */
function filesIn(files: unknown): SentFile[] {
  return filesSchema.parse(files).flatMap((written) => {
    const { data: file } = fileSchema.safeParse(written);
    if (file === undefined) return [];
    const { id, name, filetype } = file;
    return [{ id, name: name ?? '', extension: /\.(\w+)$/.exec(name ?? '')?.[1]?.toLowerCase() ?? filetype ?? '' }];
  });
}

function isList({ extension }: SentFile): boolean {
  return ['xlsx', 'csv', 'tsv', 'txt'].includes(extension);
}

/** What people call files that hold lists in other programs. */
const otherKinds: Readonly<Record<string, string>> = {
  xls: say`an old Excel file`,
  numbers: say`a Numbers file`,
  ods: say`an OpenDocument file`,
  pdf: say`a PDF`,
  ...Object.fromEntries(['png', 'jpg', 'jpeg', 'gif', 'heic', 'webp'].map((extension) => [extension, say`a picture`])),
};

/** Why a file that a person sent is not read. */
function notAList({ name, extension }: SentFile): string {
  const kind = otherKinds[extension];
  return kind === undefined
    ? say`The bot can’t read ${named(name)}. To import users, send the list as .xlsx or .csv.`
    : say`${named(name)} is ${kind}, which the bot can’t read. To import users, send the list as .xlsx or .csv.`;
}

/** A line for a command: `text` is what follows it, in Slack’s markup. */
interface SaidLine {
  command: string;
  text: string;
}

/** What a person wrote to the bot. `rest`: without the mention of the bot. */
type Said =
  /** It begins with a command and its slash, or asks for what no operation does. */
  | { kind: 'command'; line: SaidLine }
  /** Every line that it may be, by its verb, the likeliest first; none where it begins with no verb. */
  | { kind: 'lines'; lines: readonly (SaidLine & { operation: Operation })[]; rest: string };

const commands = [...new Set(catalog.map((operation) => commandAndVerb(operation).command))];

/**
 * Reads a message as a line: `/quiz close fire safety`, `quiz close fire safety` or `close fire safety`.
 *
 * @param text in Slack’s markup
 * @param commandPrefix what the commands begin with in this workspace
 */
export function readSaid(text: string, botUserId: string | undefined, commandPrefix: string): Said {
  const rest = withoutMention(text, botUserId)
    .trim()
    .replace(/^`+([^`]*)`+$/, '$1')
    .trim();
  const [, word = '', typed = ''] = /^\/?([\w-]+)\s*(.*)$/s.exec(rest) ?? [];
  const command = commands.find((known) => commandPattern(known, commands).test(`/${word}`));
  if (/^\/\w/.test(rest) && command !== undefined) return { kind: 'command', line: { command, text: typed } };
  const called = commands.filter((known) => isCalled(known, word.toLowerCase(), commandPrefix));
  const plain = withoutPoliteWords(rest);
  const thing = lineOfThing(plain);
  if (thing) {
    const ofThing = linesFor([thing.command], thing.text);
    return ofThing.length > 0 ? { kind: 'lines', lines: ofThing, rest } : { kind: 'command', line: thing };
  }
  const [, person] = /^results? (?:of|for) (.+)$/i.exec(plain) ?? [];
  const lines = [
    ...linesFor(called, typed),
    ...linesFor(commands, plain).toSorted((a, b) => Number(hasOwnVerb(b)) - Number(hasOwnVerb(a))),
    ...(person === undefined ? [] : linesFor(['/quiz'], `all-results ${person}`)),
  ];
  return { kind: 'lines', lines, rest };
}

/** Whether a word is the command without its slash, by its name in this workspace or by the usual one. */
function isCalled(command: string, word: string, commandPrefix: string): boolean {
  const ending = command.slice(`/${standardNames.commandPrefix}`.length);
  return [standardNames.commandPrefix, commandPrefix].some((prefix) => word === `${prefix}${ending}`);
}

function withoutMention(text: string, botUserId: string | undefined): string {
  return botUserId === undefined ? text : text.replaceAll(new RegExp(`<@${botUserId}(?:\\|[^>]*)?>[,:]?`, 'g'), ' ');
}

function linesFor(among: readonly string[], text: string): (SaidLine & { operation: Operation })[] {
  if (text.trim() === '') return [];
  return among.flatMap((command) => {
    const line = parseCommandLine(catalog, command, text, readMarkup);
    if (line.kind !== 'operation' && line.kind !== 'unreadable') return [];
    const { operation } = line;
    // “Me too” is not `/quiz me`, which takes no more words.
    const takesAll = Object.keys(operation.fields).length > 0 || !/\s/.test(withVerb(command, text).line.trim());
    return takesAll ? [{ command, text, operation }] : [];
  });
}

/** Whether it begins with the operation’s own verb: `status` is one of `/quiz-admin`, and a synonym of another command. */
function hasOwnVerb({ command, text, operation }: SaidLine & { operation: Operation }): boolean {
  const { verb } = commandAndVerb(operation);
  return withVerb(command, text).line.toLowerCase().replaceAll(/\s+/g, '-').startsWith(verb);
}

import { catalog } from '../operations/catalog.ts';
import { standardNames } from '../domain/own-names.ts';
import type { Operation } from '../operations/operation.ts';
import { commandPattern, parseCommandLine } from './command-line.ts';
import { withVerb } from './phrases.ts';
import { commandAndVerb } from './verbs.ts';

/** A line for a command: `text` is what follows it, in Slack’s markup. */
export interface SaidLine {
  command: string;
  text: string;
}

/** What a person wrote to the bot. `rest`: without the mention of the bot. */
export type Said =
  /** It begins with a command and its slash. */
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
  const named = commands.filter((known) => isCalled(known, word.toLowerCase(), commandPrefix));
  const lines = [
    ...linesFor(named, typed),
    ...linesFor(commands, rest).toSorted((a, b) => Number(hasOwnVerb(b)) - Number(hasOwnVerb(a))),
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
    const line = parseCommandLine(catalog, command, text);
    if (line.kind !== 'operation' && line.kind !== 'unreadable') return [];
    const { operation } = line;
    // “Me too” is not `/quiz me`, which takes no more words.
    const isWhole = Object.keys(operation.fields).length > 0 || !/\s/.test(withVerb(command, text).line.trim());
    return isWhole ? [{ command, text, operation }] : [];
  });
}

/** Whether it begins with the operation’s own verb: `status` is one of `/quiz-admin`, and a synonym of another command. */
function hasOwnVerb({ command, text, operation }: SaidLine & { operation: Operation }): boolean {
  const { verb } = commandAndVerb(operation);
  return withVerb(command, text).line.toLowerCase().replaceAll(/\s+/g, '-').startsWith(verb);
}

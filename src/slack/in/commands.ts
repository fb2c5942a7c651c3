import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { asSaid, joinSaid, say, capitalized } from '../../domain/said.ts';
import type { ExecutionResult, OperationRequest } from '../../governance/perform/execute.ts';
import { catalog } from '../../operations/catalog.ts';
import { kindOf } from '../../operations/fields/fields.ts';
import type { Operation } from '../../operations/operation.ts';
import { leftOverField, reasonField, type TextInput } from '../../operations/text-input.ts';
import { mentionsInWords, tokenize } from '../../operations/typed-text.ts';
import { type Delivery, readMarkup } from './delivery.ts';
import {
  type CommandLine,
  commandPattern,
  parseCommandLine,
  commandAndVerb,
  isTyped,
  nearestVerbs,
  saysNothing,
  splitVerb,
} from '../../operations/line/line.ts';
import {
  groupsInServicePage,
  helpMessage,
  type SuggestedLine,
  suggestedLinesMessage,
  typedCommand,
  unknownClause,
} from '../views/help.ts';
import { type Message, textMessage } from '../views/blocks/message.ts';
import { drawPage } from '../views/blocks/page.ts';
import { outcomeMessage } from '../views/outcome.ts';
import { othersFirst } from '../form/form.ts';
import { bestReading, type BestReading, isWhole, openForm } from './forms.ts';
import type { Parts, Reply } from './reply.ts';

const commands = new Set(catalog.map((operation) => commandAndVerb(operation).command));

/** Answers a slash command, also one with another name before its ending. */
export async function answerCommand(parts: Parts, { name, text }: Delivery, reply: Reply): Promise<void> {
  await afterAcknowledgements();
  const command = [...commands].find((one) => commandPattern(one, commands).test(name));
  if (command !== undefined) await answerLine(parts, command, text, reply);
}

/** Answers the line that a button types. */
export async function typeLine(parts: Parts, { pressed }: Delivery, reply: Reply): Promise<void> {
  const { command, text } = lineSchema.parse(JSON.parse(pressed?.value ?? ''));
  if (!commands.has(command) || reply.place('replace') === undefined)
    throw new Error(`a button types ${command}, which it cannot`);
  await answerLine(parts, command, text, reply);
}

/** After this wait for the large results of others, a person reads why. */
const saidAfterMs = 2_000;

const lineSchema = z.object({ command: z.string(), text: z.string() });

/** Answers a typed line, or opens the form for it. The button of a suggested line, and a message, go the same way. */
export async function answerLine(parts: Parts, command: string, text: string, reply: Reply): Promise<void> {
  const { personId, teamId, channelId, through } = reply;
  const how = through === 'choice' ? 'replace' : 'beside';
  const answer = async (message: Message) => reply.show(message, how);
  const line = parseCommandLine(catalog, command, text, readMarkup);
  if (line.kind === 'unreadable') return answer(textMessage('⚠️', line.message));
  if (line.kind !== 'operation') return answer(await help(parts, command, reply, line));
  const { operation } = line;
  const isComplete = (input: TextInput) => !wantsForm(operation, input, channelId);
  const complete = line.inputs.filter(isComplete);
  const rivals = line.rivals.filter(isComplete);
  const [first, ...others] =
    complete.length > 0 ? complete : rivals.length > 0 ? line.inputs : await rescued(parts, line, reply);
  const readings: [TextInput, ...TextInput[]] = [...line.inputs, ...line.rescues, ...line.rivals];
  const { verb, rest } = splitVerb(text);
  if (first === undefined && isForServiceOnly(command, verb)) {
    // `delete kitchen` names nobody who would leave the group: it is about the group itself.
    const { read } = await bestReading(parts, operation, [...readings, { group: [rest] }], reply);
    if (read['group'] !== undefined && read['user'] === undefined)
      return answer(await help(parts, command, reply, { kind: 'unknown', verb, rest }));
  }
  if (first === undefined || line.isGuess) return openForm(parts, reply, operation, readings, how);

  let isOver = false;
  const onQueued = () => {
    parts
      .sleep(saidAfterMs)
      .then(async () => (isOver ? undefined : reply.show(textMessage('⏳', othersFirst))))
      .catch((error: unknown) => void parts.logAndExplain(error));
  };
  const inputs: OperationRequest['inputs'] = [first, ...others];
  const request: OperationRequest = {
    operation,
    inputs,
    rescues: line.rescues,
    rivals,
    personId,
    teamId,
    channelId,
    through,
    onQueued,
  };
  const outcome = await parts.execute(request);
  isOver = true;
  const isLoose = line.isLoose || first !== line.inputs[0] || line.inputs.some((input) => leftOverField in input);
  if ((isLoose && isUnread(outcome)) || (rivals.length > 0 && outcome.kind === 'incomplete'))
    return openForm(parts, reply, operation, readings, how);
  const fuller = outcome.kind === 'unclear' && !outcome.isAlike ? await fullerLines(parts, operation, text, reply) : [];
  if (fuller.length > 0)
    return answer(suggestedLinesMessage(`${command} ${commandAndVerb(operation).verb}`, fuller, { isKnown: true }));
  // A button stays for another try.
  const message = messageOf(request, outcome, text);
  await (outcome.kind === 'failed' ? reply.show(message) : answer(message));
  showGrowth(parts, reply, request, outcome);
}

/** A response URL takes five answers within 30 minutes, of which the first is given. */
const shownAnewAtMost = 4;
const shownAnewForMs = 28 * 60_000;
const soonestMs = 2_000;
const lateByMs = 5_000;

/** Shows a page that isn’t whole yet anew, in its place, until it is, or its place takes no more. Each time, the person’s rights are checked. */
export function showGrowth(parts: Parts, reply: Reply, request: OperationRequest, outcome: ExecutionResult): void {
  const growsForMs = (latest: ExecutionResult) =>
    latest.kind === 'done' && latest.result.kind === 'page' ? latest.result.growsForMs : undefined;

  async function grow(): Promise<void> {
    let afterMs = growsForMs(outcome);
    let leftMs = shownAnewForMs;
    for (let left = shownAnewAtMost; left > 0 && afterMs !== undefined; left -= 1) {
      // The last answer is to be the whole page, also where it took longer than expected.
      const pauseMs = Math.max(soonestMs, Math.min(left === 1 ? 1.5 * afterMs + lateByMs : afterMs / left, leftMs));
      await parts.sleep(pauseMs, parts.stopping);
      if (parts.stopping.aborted) return;
      leftMs -= pauseMs;
      const latest = await parts.execute(request);
      if (latest.kind === 'failed') continue;
      afterMs = growsForMs(latest);
      await reply.show(messageOf(request, latest), 'replace');
    }
  }

  if (reply.place('replace') !== undefined) grow().catch((error: unknown) => void parts.logAndExplain(error));
}

/** Runs an operation and gives the answer that the person reads. */
export async function run(parts: Parts, request: OperationRequest): Promise<Message> {
  return messageOf(request, await parts.execute(request));
}

/** The answer to a request, by its outcome. @param line that was typed for it */
export function messageOf({ operation, inputs }: OperationRequest, outcome: ExecutionResult, line = ''): Message {
  if (outcome.kind === 'incomplete')
    return textMessage('⚠️', say`Something’s missing. Type it like ${typedCommand(operation)}`);
  if (outcome.kind === 'invalid' && 'clause' in outcome && outcome.clause && !outcome.clause.isExplained) {
    const { word, typed, example } = outcome.clause;
    const hasWord = tokenize(line).some(({ text }) => text.toLowerCase() === word);
    return textMessage('⚠️', unknownClause({ typed: hasWord ? `${word} ${typed}` : typed, example }));
  }
  return outcomeMessage(operation, inputs[0], outcome);
}

/** The reading of a line that makes sense of all of it, where the likelier ones lack something. */
async function rescued(
  parts: Parts,
  { operation, rescues }: Extract<CommandLine, { kind: 'operation' }>,
  reply: Reply,
): Promise<TextInput[]> {
  if (rescues.length === 0) return [];
  const best = await bestReading(parts, operation, rescues, reply);
  return isWhole(operation, best) && !wantsForm(operation, best.input, reply.channelId) ? [best.input] : [];
}

/** Whether a line in which words are missing makes no sense, and nothing resembles what was typed. */
function isUnread(outcome: ExecutionResult): boolean {
  return (
    (outcome.kind === 'invalid' && !('clause' in outcome) && !('isUnderstood' in outcome)) ||
    (outcome.kind === 'unclear' && outcome.candidates.length === 0)
  );
}

async function help(
  parts: Parts,
  command: string,
  person: { personId: string; teamId: string },
  line: Extract<CommandLine, { kind: 'help' | 'unknown' }>,
): Promise<Message> {
  try {
    const { operations, refusal } = await parts.permissions.of(person.personId);
    const message = refusal('known');
    if (message !== undefined) return textMessage('🚫', message);
    const own = operations.filter((operation) => isTyped(operation) && commandAndVerb(operation).command === command);
    if (line.kind === 'help') return helpMessage(command, own, { isWhole: line.isWhole });
    if (isForServiceOnly(command, line.verb))
      return drawPage(groupsInServicePage(), { offered: new Set(own.map(({ name }) => name)) });
    const meant = nearestVerbs(operations, command, line.verb);
    const like = await suggestedLines(parts, { command, operations: meant }, line.rest, person);
    const named = like.length > 0 ? like : await thingNamed(parts, own, `${line.verb} ${line.rest}`.trim(), person);
    const isExact = meant.length === 1 && commandAndVerb(meant[0]!).verb === line.verb.toLowerCase();
    // The answer to the line says what of the rest makes no sense.
    const lines = named.length === 0 && isExact ? meant.map((one) => lineFor(one, line.rest)) : named;
    return lines.length > 0
      ? suggestedLinesMessage(say`${asSaid(command)} ${line.verb}`, lines)
      : helpMessage(command, own, { isWhole: false, unknownVerb: line.verb });
  } catch (error) {
    return textMessage('⚠️', parts.logAndExplain(error));
  }
}

/** The quiz service makes groups and changes them; its interface does not. */
function isForServiceOnly(command: string, verb: string): boolean {
  return command === '/quiz-group' && /^(?:create|new|make|rename|copy|delete)$/i.test(verb);
}

/**
 * Whether a form opens: for what is missing or cannot be typed, for a change of which nothing is said, for words that no field takes, and before anything that cannot be undone. With a
 * reason, such a command only asks for approval, so it needs no form.
 */
function wantsForm(operation: Operation, raw: TextInput, channelId: string | undefined): boolean {
  if (raw[leftOverField] !== undefined) return true;
  const names = Object.entries(operation.fields);
  if (Object.values(operation.fields).some(({ kind }) => kind === 'channel'))
    return Object.keys(raw).length === 0 && channelId !== undefined;
  const required = names.filter(
    ([name, field]) => !(field.optional || kindOf(field).followsFromPlace) || operation.command.includes(`<${name}>`),
  );
  const lacks = required.some(([name]) => !raw[name]?.some((text) => text !== ''));
  const changesNothing =
    operation.present !== undefined &&
    names.every(([name]) => raw[name] === undefined || operation.command.includes(`<${name}>`));
  return (
    lacks ||
    saysNothing(operation, raw) ||
    changesNothing ||
    operation.command.endsWith('…') ||
    (operation.access === 'destructive' && raw[reasonField] === undefined)
  );
}

/**
 * Resolves when deliveries that arrived at about the same time are acknowledged too; otherwise they would wait until
 * this answer is made. The second turn of the event loop covers deliveries that arrive during the first.
 */
async function afterAcknowledgements(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

interface Person {
  personId: string;
  teamId: string;
}

/**
 * The lines that a person may have meant, each with what it would change.
 * @param rest what follows the verb, in Slack’s markup; nothing of it is left out
 */
async function suggestedLines(
  parts: Parts,
  { command, operations }: { command?: string; operations: readonly Operation[] },
  rest: string,
  person: Person,
): Promise<SuggestedLine[]> {
  const lines = await Promise.all(
    operations.map(async (operation) => {
      const line = lineFor(operation, rest);
      const reading = await lineReadingOf(parts, operation, line, person);
      // A line that does not resolve completely helps nobody, unless it only shows what it may mean.
      const isHere = operation.access === 'read' && commandAndVerb(operation).command === command;
      if (rest.trim() !== '' && !isHere && !(reading && isWhole(operation, reading))) return [];
      const change = reading && changeOf(operation, reading);
      return [{ ...line, ...(change !== undefined && { change }) }];
    }),
  );
  return lines.flat();
}

/** The line of an operation that takes more words than the one that was typed: a campaign assigns a quiz with a due time, or without some people. */
async function fullerLines(
  parts: Parts,
  operation: Operation,
  text: string,
  person: { personId: string; teamId: string },
): Promise<SuggestedLine[]> {
  const { operations } = await parts.permissions.of(person.personId);
  const fuller = operations.filter(({ name }) => operation.name === 'assign-quiz' && name === 'start-campaign');
  return fuller.length > 0 ? suggestedLines(parts, { operations: fuller }, text.replace(/^\S+\s*/, ''), person) : [];
}

/** The line that shows what the person named in place of a verb: `/quiz show food` for `/quiz food`. */
async function thingNamed(parts: Parts, operations: readonly Operation[], text: string, person: Person) {
  const show = operations.find((operation) => commandAndVerb(operation).verb === 'show');
  if (show === undefined) return [];
  const line = lineFor(show, text);
  const reading = await lineReadingOf(parts, show, line, person);
  return reading && isWhole(show, reading) ? [line] : [];
}

/**
 * The lines that somebody may have meant who wrote a message: with a verb that resembles its first word, or that shows what it
 * names. Of those, only lines that make sense as a whole: people also write what is no line at all.
 */
export async function linesLike(parts: Parts, operations: readonly Operation[], text: string, person: Person) {
  const { verb, rest } = splitVerb(text);
  if (verb === '') return [];
  // “Is”, “ne” and “qui” begin sentences.
  const meant = { operations: verb.length > shortWord ? nearestVerbs(operations, '/quiz', verb) : [] };
  const like = rest === '' ? [] : await suggestedLines(parts, meant, rest, person);
  const ofQuizzes = operations.filter((one) => commandAndVerb(one).command === '/quiz');
  return like.length > 0 ? like : thingNamed(parts, ofQuizzes, text, person);
}

/** In letters. */
const shortWord = 3;

/** How a line of the operation reads; undefined where it cannot be read. */
export async function lineReadingOf(
  parts: Parts,
  operation: Operation,
  { command, text }: Pick<SuggestedLine, 'command' | 'text'>,
  person: Person,
): Promise<BestReading | undefined> {
  const line = parseCommandLine([operation], command, text, readMarkup);
  return line.kind === 'operation'
    ? bestReading(parts, operation, [...line.inputs, ...line.rescues, ...line.rivals], person)
    : undefined;
}

function lineFor(operation: Operation, rest: string): SuggestedLine {
  const { command, verb } = commandAndVerb(operation);
  return {
    command,
    text: `${verb} ${rest}`.trim(),
    shown: joinSaid([asSaid(`${command} ${verb}`), ...(rest === '' ? [] : [mentionsInWords(readMarkup(rest))])], ' '),
  };
}

/** What the line would change, as a sentence (`domain/said.ts`). Undefined where it changes nothing, and where a form asks before. */
function changeOf(operation: Operation, reading: BestReading): string | undefined {
  if (operation.access !== 'write' || !isWhole(operation, reading)) return undefined;
  const isNamed = Object.entries(operation.fields).every(
    ([name, { optional }]) => reading.read[name] ?? (optional && !operation.command.includes(`<${name}>`)),
  );
  const action = (isNamed && operation.action?.(reading.read)) || asSaid(operation.submit);
  return capitalized(action);
}

import { asSaid, joinSaid } from '../../domain/said.ts';
import type { Operation } from '../../operations/operation.ts';
import { mentionsInWords } from '../../operations/typed-text.ts';
import { capitalized } from '../../operations/wording/words.ts';
import { parseCommandLine } from '../command-line.ts';
import { readMarkup } from '../incoming-text.ts';
import { commandAndVerb, nearestVerbs } from '../verbs.ts';
import type { SuggestedLine } from '../views/help.ts';
import { bestReading, isWhole, type BestReading } from './best-reading.ts';
import type { ListenerContext } from './listener-context.ts';

interface Person {
  personId: string;
  teamId: string;
}

/**
 * The lines that a person may have meant, each with what it would change.
 * @param rest what follows the verb, in Slack’s markup; nothing of it is left out
 */
export async function suggestedLines(
  listenerContext: ListenerContext,
  operations: readonly Operation[],
  rest: string,
  person: Person,
): Promise<SuggestedLine[]> {
  return Promise.all(
    operations.map(async (operation) => {
      const line = lineFor(operation, rest);
      const change = await changeOf(listenerContext, operation, line, person);
      return { ...line, ...(change !== undefined && { change }) };
    }),
  );
}

/** The line that shows what the person named in place of a verb: `/quiz show food` for `/quiz food`. */
export async function thingNamed(
  listenerContext: ListenerContext,
  operations: readonly Operation[],
  text: string,
  person: Person,
): Promise<SuggestedLine[]> {
  const show = operations.find((operation) => commandAndVerb(operation).verb === 'show');
  if (show === undefined) return [];
  const line = lineFor(show, text);
  const reading = await lineReadingOf(listenerContext, show, line, person);
  return reading && isWhole(show, reading) ? [line] : [];
}

/**
 * The lines that somebody may have meant who wrote a message: with a verb that resembles its first word, or that shows what it
 * names. Of those, only lines that make sense as a whole: people also write what is no line at all.
 */
export async function linesLike(
  listenerContext: ListenerContext,
  operations: readonly Operation[],
  text: string,
  person: Person,
): Promise<SuggestedLine[]> {
  const [, verb = '', rest = ''] = /^(\S*)\s*(.*)$/s.exec(text) ?? [];
  if (verb === '') return [];
  const whole: Operation[] = [];
  for (const operation of nearestVerbs(operations, '/quiz', verb)) {
    const reading = await lineReadingOf(listenerContext, operation, lineFor(operation, rest), person);
    if (reading && isWhole(operation, reading)) whole.push(operation);
  }
  return whole.length > 0
    ? suggestedLines(listenerContext, whole, rest, person)
    : thingNamed(
        listenerContext,
        operations.filter((one) => commandAndVerb(one).command === '/quiz'),
        text,
        person,
      );
}

/** How a line of the operation reads; undefined where it cannot be read. */
export async function lineReadingOf(
  listenerContext: ListenerContext,
  operation: Operation,
  { command, text }: Pick<SuggestedLine, 'command' | 'text'>,
  person: Person,
): Promise<BestReading | undefined> {
  const line = parseCommandLine([operation], command, text);
  return line.kind === 'operation'
    ? bestReading(listenerContext, operation, [...line.inputs, ...line.rescues, ...line.rivals], person)
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

/** What the line would change, as a sentence (`domain/sentence.ts`). Undefined where it changes nothing, and where a form asks before. */
async function changeOf(
  listenerContext: ListenerContext,
  operation: Operation,
  line: SuggestedLine,
  person: Person,
): Promise<string | undefined> {
  if (operation.access !== 'write') return undefined;
  const reading = await lineReadingOf(listenerContext, operation, line, person);
  if (reading === undefined || !isWhole(operation, reading)) return undefined;
  const isNamed = Object.entries(operation.fields).every(([name, { optional }]) => optional || reading.read[name]);
  const action = (isNamed && operation.action?.(reading.read)) || asSaid(operation.submit);
  return capitalized(action);
}

import type { Operation } from '../../operations/operation.ts';
import { mentionsInWords } from '../../operations/typed-text.ts';
import { capitalized } from '../../operations/wording/words.ts';
import { parseCommandLine } from '../command-line.ts';
import { readMarkup } from '../incoming-text.ts';
import { commandAndVerb } from '../verbs.ts';
import type { SuggestedLine } from '../views/help.ts';
import { bestReading, isWhole } from './best-reading.ts';
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
  const typed = parseCommandLine([show], line.command, line.text);
  if (typed.kind !== 'operation') return [];
  return isWhole(show, await bestReading(listenerContext, show, typed.inputs, person)) ? [line] : [];
}

function lineFor(operation: Operation, rest: string): SuggestedLine {
  const { command, verb } = commandAndVerb(operation);
  return {
    command,
    text: `${verb} ${rest}`.trim(),
    shown: `${command} ${verb} ${mentionsInWords(readMarkup(rest))}`.trim(),
  };
}

/** What the line would change, as a sentence (`domain/sentence.ts`). Undefined where it changes nothing, and where a form asks before. */
async function changeOf(
  listenerContext: ListenerContext,
  operation: Operation,
  { command, text }: SuggestedLine,
  person: Person,
): Promise<string | undefined> {
  if (operation.access !== 'write') return undefined;
  const line = parseCommandLine([operation], command, text);
  if (line.kind !== 'operation') return undefined;
  const reading = await bestReading(listenerContext, operation, [...line.inputs, ...line.rescues], person);
  if (!isWhole(operation, reading)) return undefined;
  const isNamed = Object.entries(operation.fields).every(([name, { optional }]) => optional || reading.read[name]);
  const action = (isNamed && operation.action?.(reading.read)) || operation.submit;
  return capitalized(action);
}

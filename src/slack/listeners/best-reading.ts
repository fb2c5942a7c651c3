import { kindOf, type Value } from '../../operations/fields/fields.ts';
import type { Operation } from '../../operations/operation.ts';
import { reasonField, type TextInput } from '../../operations/text-input.ts';
import { mentionsInWords } from '../../operations/typed-text.ts';
import type { ListenerContext } from './listener-context.ts';

/** The reading of a line of which most makes sense. */
export interface BestReading {
  input: TextInput;
  /** What makes sense of it, by field. */
  read: Readonly<Record<string, Value>>;
  /** What was typed for fields that cannot hold it, in words. */
  leftOver: readonly string[];
}

/** Resolves the readings of a line, the likeliest first, as far as they make sense: for a form, and to say what a line would do. */
export async function bestReading(
  { permissions }: Pick<ListenerContext, 'permissions'>,
  operation: Operation,
  inputs: readonly TextInput[],
  person: { personId: string; teamId: string },
): Promise<BestReading> {
  let best: BestReading | undefined;
  for (const input of inputs) {
    const read = await permissions.readSome(operation, input, person);
    const leftOver = Object.entries(input)
      .filter(([name]) => name !== reasonField && operation.fields[name] !== undefined && read[name] === undefined)
      .flatMap(([, texts]) => texts.map(mentionsInWords).filter((text) => text.trim() !== ''));
    if (best === undefined || lettersIn(leftOver) < lettersIn(best.leftOver)) best = { input, read, leftOver };
    if (leftOver.length === 0) break;
  }
  return best ?? { input: {}, read: {}, leftOver: [] };
}

/** Whether nothing that the operation needs is missing. */
export function isWhole(operation: Operation, { read, leftOver }: BestReading): boolean {
  return (
    leftOver.length === 0 &&
    !isBare(operation, read) &&
    Object.entries(operation.fields).every(
      ([name, field]) => field.optional || kindOf(field).followsFromPlace || read[name] !== undefined,
    )
  );
}

/** Whether nothing says what a change is about, nor does the place. */
export function isBare({ access, fields }: Operation, given: Readonly<Record<string, unknown>>): boolean {
  const named = Object.entries(fields).filter(([name, field]) => kindOf(field).followsFromPlace || name in given);
  return access !== 'read' && named.length === 0 && Object.keys(fields).length > 0;
}

function lettersIn(texts: readonly string[]): number {
  return texts.join('').length;
}

import { parseTime } from '../dates/time-expression.ts';
import { kindOf, type Fields } from '../fields/fields.ts';
import type { TextInput } from '../text-input.ts';
import { partLine } from './part-line.ts';

/** What people leave the words out for. */
export interface LineShape {
  /** The field of the words that belong to no clause. */
  subject: string;
  /** The field of the names that follow them. */
  object?: string;
  /** The field of the time at the end; undefined where none is typed. */
  time?: string;
}

/**
 * The ways to read an input in which words are missing: `workplace kitchen friday` for `workplace for kitchen due friday`, the
 * likeliest first.
 *
 * @param quotedWords how many words of the subject, from its beginning, hold quoted text: no time begins in them
 */
export function withMissingWords(
  input: TextInput,
  fields: Fields,
  { subject, object, time = '' }: LineShape,
  quotedWords: number,
): TextInput[] {
  const givenTime = time === '' ? [] : input[time];
  const { [subject]: [words = ''] = [], ...others } = input;
  if (words === '') return [];
  const own = timesAtEnd(words, givenTime, Math.max(quotedWords, canLack(fields, subject) ? 0 : 1));
  const objectField = object === undefined ? undefined : fields[object];
  if (object === undefined || objectField === undefined)
    return own.flatMap(([before, text]) =>
      text === undefined ? [] : [{ ...others, ...(before !== '' && { [subject]: [before] }), [time]: [text] }],
    );
  const names = others[object];
  if (names !== undefined) {
    const last = names.at(-1) ?? '';
    return timesAtEnd(last, givenTime, 1).flatMap(([before, text]) =>
      text === undefined ? [] : [{ ...input, [object]: [...names.slice(0, -1), before], [time]: [text] }],
    );
  }
  return own.flatMap(([before, text]) => {
    const rest: TextInput = { ...others, ...(text !== undefined && { [time]: [text] }) };
    const { parted, rescues } = partLine(before, 'for', { isOptional: false, canSwap: true });
    const inBoth = [...parted, ...rescues].flatMap(([one, two = '']) =>
      one === '' || two === ''
        ? []
        : [{ [subject]: [one], [object]: kindOf(objectField).split(two, objectField), ...rest }],
    );
    return [...inBoth, ...(text === undefined ? [] : [{ [subject]: [before], ...rest }])];
  });
}

/** Whether a line can do without the field, since it follows from where the person is. */
export function canLack(fields: Fields, name: string): boolean {
  const field = fields[name];
  return field !== undefined && kindOf(field).followsFromPlace;
}

/** A text without and with the time at its end, if none is given already: the longest time first. `first` is the index of the first word that can begin it. */
function timesAtEnd(
  text: string,
  given: readonly string[] | undefined,
  first: number,
): [before: string, time: string | undefined][] {
  if (given !== undefined) return [[text, undefined]];
  const words = text.split(' ');
  const from = words.findIndex((_, index) => index >= first && parseTime(words.slice(index)) !== undefined);
  return [
    ...(from === -1 ? [] : [[words.slice(0, from).join(' '), words.slice(from).join(' ')] as [string, string]]),
    [text, undefined],
  ];
}

import { parseTime } from '../dates/time-expression.ts';
import { kindOf, type Fields } from '../fields/fields.ts';
import type { TextInput } from '../text-input.ts';
import { partLine } from './part-line.ts';

/** What people leave the words out for. */
export interface LineShape {
  /** The field of the words that belong to no clause. */
  subject: string;
  /** The field of the names that follow them. */
  object: string;
  /** The field of the time at the end. */
  time: string;
}

/**
 * The ways to read an input in which words are missing: `workplace kitchen friday` for `workplace for kitchen due friday`, the
 * likeliest first.
 */
export function withMissingWords(input: TextInput, fields: Fields, { subject, object, time }: LineShape): TextInput[] {
  const { [subject]: [words = ''] = [], ...others } = input;
  const names = others[object];
  const objectField = fields[object];
  if (words === '' || objectField === undefined) return [];
  if (names !== undefined) {
    const last = names.at(-1) ?? '';
    return timesAtEnd(last, input[time]).flatMap(([before, text]) =>
      text === undefined ? [] : [{ ...input, [object]: [...names.slice(0, -1), before], [time]: [text] }],
    );
  }
  return timesAtEnd(words, input[time]).flatMap(([before, text]) => {
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

/** A text without and with the time at its end, if none is given already: the longest time first. */
function timesAtEnd(text: string, given: readonly string[] | undefined): [before: string, time: string | undefined][] {
  if (given !== undefined) return [[text, undefined]];
  const words = text.split(' ');
  const from = words.findIndex((_, index) => index > 0 && parseTime(words.slice(index)) !== undefined);
  return [
    ...(from === -1 ? [] : [[words.slice(0, from).join(' '), words.slice(from).join(' ')] as [string, string]]),
    [text, undefined],
  ];
}

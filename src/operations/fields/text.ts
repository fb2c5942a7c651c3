import { mentionsInWords, unquote } from '../typed-text.ts';
import { invalid, namesNothing, valueOf, type FieldBase, type FieldKind } from './field-kind.ts';

export interface TextField extends FieldBase {
  kind: 'text';
  /** In UTF-16 units. */
  maxLength: number;
  /** The operation parses the text itself: quotation marks and mentions stay in it. */
  isParsed?: true;
}

export const textKind: FieldKind<TextField, string> = {
  ...namesNothing,
  split: (typed, { isParsed }) => [isParsed ? typed.trim() : mentionsInWords(unquote(typed))],
  resolve([text = ''], { maxLength }) {
    if (text.length <= maxLength) return valueOf(text);
    return invalid(`At most ${maxLength} characters, these are ${text.length}.`);
  },
  identify: (text) => [text],
  describe: (text, { isParsed }) => (isParsed ? mentionsInWords(text) : text),
};

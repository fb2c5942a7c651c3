import { mentionsInWords, unquote } from '../typed-text.ts';
import { invalid, namesNothing, valueOf, type FieldBase, type FieldKind } from './field-kind.ts';

export interface TextField extends FieldBase {
  kind: 'text';
  /** In UTF-16 units. */
  maxLength: number;
  /** The operation parses the text itself: quotation marks and mentions stay in it. */
  isParsed?: true;
  /** The operation resolves mentions itself: they stay as `formatMention` writes them. */
  keepsMentions?: true;
}

export const textKind: FieldKind<TextField, string> = {
  ...namesNothing,
  split(typed, { isParsed, keepsMentions }) {
    if (isParsed) return [typed.trim()];
    return [keepsMentions ? unquote(typed) : mentionsInWords(unquote(typed))];
  },
  resolve([text = ''], { maxLength }) {
    if (text.length <= maxLength) return valueOf(text);
    return invalid(`This is ${text.length} characters long, and ${maxLength} is the limit.`);
  },
  identify: (text) => [text],
  describe: (text, { isParsed, keepsMentions }) => (isParsed || keepsMentions ? mentionsInWords(text) : text),
};

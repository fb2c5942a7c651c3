import type { TextInput } from '../../operations/text-input.ts';
import { mentionsInWords, partsOf, type Token } from '../../operations/typed-text.ts';
import { userTypes } from './user-options.ts';

/**
 * Reads `jo@x.example Jo March as trainer`: what they sign in with, the first name and the other names, and a type, which is
 * respondent if it is left out. Without names, the type is asked for in the form as well.
 */
export function parseNewUser(line: string): readonly [TextInput] {
  const parts = partsOf(line);
  const before = parts.at(-2);
  const type =
    parts.length > 2 && before?.kind === 'word' && before.text.toLowerCase() === 'as'
      ? typeNamed(parts.at(-1))
      : undefined;
  const [userName, firstName, ...lastNames] = (type === undefined ? parts : parts.slice(0, -2)).map(textOf);
  return [
    {
      user_name: [userName ?? ''],
      ...((type !== undefined || firstName !== undefined) && { user_type: [type ?? 'respondent'] }),
      ...(firstName !== undefined && { first_name: [firstName] }),
      ...(lastNames.length > 0 && { last_name: [lastNames.join(' ')] }),
    },
  ];
}

function typeNamed(token: Token | undefined): string | undefined {
  const typed = token?.text.toLowerCase();
  return userTypes.find(({ value, label }) => typed === value || typed === label.toLowerCase())?.value;
}

function textOf({ kind, text }: Token): string {
  return kind === 'mention' ? mentionsInWords(text) : text;
}

import { isFullAddress } from '../../domain/address.ts';
import { optionNamed } from '../../operations/fields/choice.ts';
import { meansOneOf } from '../../operations/other-words/meanings.ts';
import type { TextInput } from '../../operations/text-input.ts';
import { mentionsInWords, partsOf, type Token } from '../../operations/typed-text.ts';
import { userTypes } from './user-options.ts';

/**
 * Reads `jo@x.example Jo March as trainer` in any order: what they sign in with, the first name and the other names, and a
 * type, which is respondent if it is left out. What looks like an address is what they sign in with; without one, words that
 * look like names are the name, and the form asks for the rest.
 */
export function parseNewUser(line: string): readonly [TextInput] {
  const { type, others } = takeType(partsOf(line));
  const texts = others.map(textOf);
  const address = texts.findIndex((text) => isFullAddress(withoutBrackets(text)));
  const login = address === -1 ? loginAt(others) : address;
  const names = namesOf(texts.filter((_, index) => index !== login));
  const userName = login === -1 ? '' : withoutBrackets(texts[login] ?? '');
  const [firstName, ...lastNames] = names;
  return [
    {
      user_name: [userName],
      ...((type !== undefined || firstName !== undefined) && { user_type: [type ?? 'respondent'] }),
      ...(firstName !== undefined && { first_name: [firstName] }),
      ...(lastNames.length > 0 && { last_name: [lastNames.join(' ')] }),
    },
  ];
}

/** The type at the end, after “as”, or in front of the others. */
function takeType(parts: readonly Token[]): { type: string | undefined; others: readonly Token[] } {
  const isAs = (token: Token | undefined) =>
    token?.kind === 'word' && (token.text.toLowerCase() === 'as' || meansOneOf(token.text, ['as']));
  const as = parts.findLastIndex(isAs);
  const last = as > 0 ? typeNamed(parts.slice(as + 1)) : undefined;
  if (last !== undefined) return { type: last, others: parts.slice(0, as) };
  const first = parts.length > 2 && parts[0]?.kind === 'word' ? typeNamed(parts.slice(0, 1)) : undefined;
  return first === undefined ? { type: undefined, others: parts } : { type: first, others: parts.slice(1) };
}

/** Where a user name without an address stands: alone, before two names, or where it looks like no name. -1 for nowhere. */
function loginAt([first, ...names]: readonly Token[]): number {
  if (first === undefined) return -1;
  const isName = first.kind === 'word' && /^\p{Lu}[^\d._]*$/u.test(first.text);
  const looksLikeLogin = first.kind === 'word' && /[\d._]/.test(first.text);
  return names.length === 0 || looksLikeLogin || (names.length > 1 && !isName) ? 0 : -1;
}

/** The first name, and the others. “Doe, Kim” is Kim Doe. */
function namesOf(texts: readonly string[]): string[] {
  const comma = texts.findIndex((text) => text.endsWith(','));
  const ordered =
    comma === -1 || comma === texts.length - 1 ? texts : [...texts.slice(comma + 1), ...texts.slice(0, comma + 1)];
  return ordered.map((text) => text.replace(/,$/, '')).filter((text) => text !== '');
}

function withoutBrackets(text: string): string {
  return text.replace(/^<(.*)>$/, '$1').replace(/,$/, '');
}

function typeNamed(tokens: readonly Token[]): string | undefined {
  return optionNamed(tokens.map(({ text }) => text).join(' '), userTypes)?.value;
}

function textOf({ kind, text }: Token): string {
  return kind === 'mention' ? mentionsInWords(text) : text;
}

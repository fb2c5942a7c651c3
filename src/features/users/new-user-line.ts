import { isFullAddress } from '../../domain/address.ts';
import { takeOption } from '../../operations/fields/choice.ts';
import { meansOneOf } from '../../operations/other-words/meanings.ts';
import { given, leftOverField, type TextInput } from '../../operations/text-input.ts';
import { inWords, partsOf, type Token } from '../../operations/typed-text.ts';
import { userTypes } from '../../operations/wording/words.ts';

/**
 * Reads `jo@x.example Jo March as trainer in Kitchen` in any order: what they sign in with, the first name and the other
 * names, a type, which is respondent if it is left out, and groups. What looks like an address is what they sign in with;
 * without one, words that look like names are the name, and the form asks for the rest. It also asks where what else is typed
 * is no group.
 */
export function parseNewUser(line: string): readonly [TextInput, ...TextInput[]] {
  const { type, others } = takeType(partsOf(line));
  const address = others.findIndex((token) => isFullAddress(withoutBrackets(inWords([token]))));
  const login = address === -1 ? loginAt(others) : address;
  const userName = login === -1 ? '' : withoutBrackets(inWords([others[login]!]));
  const { name, groups } = nameIn(others.slice(0, Math.max(login, 0)), others.slice(login + 1));
  const [firstName, ...lastNames] = name;
  const user = {
    user_name: [userName],
    ...given({
      user_type: type ?? (firstName !== undefined && 'respondent'),
      first_name: firstName,
      last_name: lastNames.join(' '),
    }),
  };
  return groups.length === 0
    ? [user]
    : [
        { ...user, groups },
        { ...user, [leftOverField]: [groups.join(', ')] },
      ];
}

/** The type: after “as”, or a word of its own before or behind the others. */
function takeType(parts: readonly Token[]): { type: string | undefined; others: readonly Token[] } {
  const plain = parts.map((token) => ({ ...token, text: token.text.replace(/,$/, '') }));
  const isAs = ({ kind, text }: Token) => kind === 'word' && (text.toLowerCase() === 'as' || meansOneOf(text, ['as']));
  const takeAt = (at: number) => takeOption(plain, at, { options: userTypes });
  const as = plain.findLastIndex((token, at) => at > 0 && isAs(token) && takeAt(at + 1) !== undefined);
  const alone = [0, parts.length - 1].find((at) => parts.length > 2 && takeAt(at)?.end === at + 1);
  const from = as > 0 ? as : alone;
  const taken = from === undefined ? undefined : takeAt(as > 0 ? as + 1 : from);
  if (from === undefined || taken === undefined) return { type: undefined, others: parts };
  return { type: taken.texts.join(), others: parts.toSpliced(from, taken.end - from) };
}

/** Where a user name without an address stands: alone, before two names, or where it looks like no name. -1 for nowhere. */
function loginAt([first, ...names]: readonly Token[]): number {
  if (first === undefined) return -1;
  const isName = first.kind === 'word' && /^\p{Lu}[^\d._]*$/u.test(first.text);
  const looksLikeLogin = first.kind === 'word' && /[\d._]/.test(first.text);
  return names.length === 0 || looksLikeLogin || (names.length > 1 && !isName) ? 0 : -1;
}

/**
 * The first name and the others, from the words before the login and those behind it, and what can only be groups: what
 * stands behind “in”, on the other side, behind another comma, or in lower case around a name with capitals.
 */
function nameIn(before: readonly Token[], behind: readonly Token[]): { name: string[]; groups: string[] } {
  const [parts, others] = [before, behind]
    .map(splitIntoParts)
    .toSorted((a, b) => Number(b.length > 0) - Number(a.length > 0));
  const [first = [], second, ...more] = parts ?? [];
  // “Doe, Kim” and “de la Cruz, Ana” are Kim Doe and Ana de la Cruz.
  const isLastFirst = second !== undefined && (first.length === 1 || isLowerCase(first[0]));
  const words = isLastFirst ? [...second, ...first] : first;
  const rest = [...(isLastFirst || second === undefined ? [] : [second]), ...more, ...(others ?? [])];
  const isCapital = (token: Token) => !isLowerCase(token);
  const [from, to] = words.some(({ text }) => /^\p{Lu}/u.test(text))
    ? [words.findIndex(isCapital), words.findLastIndex(isCapital) + 1]
    : [0, words.length];
  return {
    name: words.slice(from, to).map((token) => inWords([token])),
    groups: [words.slice(0, from), words.slice(to), ...rest].filter(({ length }) => length > 0).map(inWords),
  };
}

/** What stands between commas, and before and behind “in”; “in ’t Veld” is a name. */
function splitIntoParts(tokens: readonly Token[]): Token[][] {
  const parts: Token[][] = [[]];
  for (const [at, token] of tokens.entries()) {
    const text = token.text.replace(/,$/, '');
    const isIn = token.kind === 'word' && (text.toLowerCase() === 'in' || meansOneOf(text, ['in']));
    if (isIn && !/^['’‘]t$/i.test(tokens[at + 1]?.text ?? '')) parts.push([]);
    else if (text !== '') parts.at(-1)!.push({ ...token, text });
    if (text !== token.text) parts.push([]);
  }
  return parts.filter((part) => part.length > 0);
}

function isLowerCase(token: Token | undefined): boolean {
  return token?.kind === 'word' && /^\p{Ll}/u.test(token.text);
}

function withoutBrackets(text: string): string {
  return text.replace(/^<(.*)>$/, '$1').replace(/,$/, '');
}

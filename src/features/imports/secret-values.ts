import { isFullAddress } from '../../domain/address.ts';

const [shortest, longest] = [8, 64];
/** Signs that passwords have, and that numbers, dates, phone numbers, postal addresses and codes of jobs mostly lack. */
const sign = /[!#$%^&*?~=<>{}[\]\\|§€£@]/;
const mostly = 0.6;
/** Of a column, to judge it. */
const cellsRead = 200;

/**
 * Whether a text looks like a password that a person or a program made: one word of letters and digits with a sign or in a
 * random order.
 */
export function looksLikePassword(text: string): boolean {
  const kinds = kindsOf(text);
  if (kinds === undefined) return false;
  return kinds.count >= 3 ? sign.test(text) || kinds.turns >= 4 : isOfRandomLetters(text, kinds.turns);
}

/**
 * Whether the cells of a column look like passwords. A column is looked at less strictly than a cell: `Sommer2026` in most of
 * its rows is one.
 */
export function areMostlyPasswords(cells: readonly string[]): boolean {
  const filled = cells
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
    .slice(0, cellsRead);
  const count = filled.filter((cell) => looksLikePassword(cell) || (kindsOf(cell)?.count ?? 0) >= 3).length;
  return count > 0 && count >= filled.length * mostly;
}

/** How many kinds of characters a single word has, and how often one follows another; undefined for what is no single word. */
function kindsOf(text: string): { count: number; turns: number } | undefined {
  if (text.length < shortest || text.length > longest || /\s/.test(text)) return undefined;
  if (isFullAddress(text) || /^(?:https?:|www\.|file:)/i.test(text) || isId(text)) return undefined;
  const kinds = Array.from(text, kindOf);
  const turns = kinds.filter((kind, at) => at > 0 && kind !== kinds[at - 1]).length;
  return { count: new Set(kinds.filter((kind) => kind !== 'mark')).size, turns };
}

function kindOf(character: string): string {
  // A file has millions of characters.
  if (character >= 'a' && character <= 'z') return 'lower';
  if (character >= 'A' && character <= 'Z') return 'upper';
  if (character >= '0' && character <= '9') return 'digit';
  if (/\p{Lu}/u.test(character)) return 'upper';
  if (/\p{L}/u.test(character)) return 'lower';
  if (/\p{N}/u.test(character)) return 'digit';
  return sign.test(character) ? 'sign' : 'mark';
}

/** Capital letters in odd places, unlike `DeLaCruz`. */
function isOfRandomLetters(text: string, turns: number): boolean {
  return turns >= 5 && /^\p{L}+$/u.test(text) && !/^(?:\p{Lu}\p{Ll}+)+$/u.test(text);
}

/** A UUID. */
function isId(text: string): boolean {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
}

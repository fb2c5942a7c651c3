import { hasWordThatBegins, letterPairs } from './letter-pairs.ts';

/** What a search asks of an item's plain names, each between line ends. */
export interface Condition {
  /** The rows of the pair table that every text which fits has. */
  rows: ReadonlySet<number>;
  fits: (names: string) => boolean;
}

/** One of the names is exactly this. */
export const isNamed = (plain: string): Condition => has(`\n${plain}\n`);

/** All the words stand in the names, in any order. */
export function containsWords(plain: string): Condition {
  const words = wordsOf(plain);
  return { rows: letterPairs(...words), fits: (names) => words.every((word) => names.includes(word)) };
}

/** From the best rank to the least: whoever fits one of them fits those that follow. */
export function ranksOf(plain: string): Condition[] {
  const words = wordsOf(plain);
  return [
    isNamed(plain),
    has(`\n${plain}`),
    {
      rows: letterPairs(...words.map((word) => ` ${word}`)),
      fits: (names) => words.every((word) => hasWordThatBegins(names, word)),
    },
    containsWords(plain),
  ];
}

function has(part: string): Condition {
  return { rows: letterPairs(part), fits: (names) => names.includes(part) };
}

/** “Almeida, Rosa” is two words. */
const wordsOf = (plain: string): string[] => [...new Set(plain.match(/[^ ,]+/g) ?? [plain])];

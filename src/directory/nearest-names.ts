import { isWordUnit } from './names.ts';
import { tolerated, typingDistance } from '../domain/typing-distance.ts';

const nearestAtMost = 3;
/** Names and typed text are compared up to these limits, which bound the work. */
const linesCompared = 8;
const lettersCompared = 64;
const lettersComparedInAll = 10_000;

interface Nearness {
  /** Typing mistakes between the typed text and a name, or the words of the names. */
  mistakes: number;
  /** The difference in length between the typed text and the name nearest in length. */
  lengthApart: number;
}

/**
 * The numbers of up to three items that the typed text may have meant, nearest first.
 * @param names for each item, its plain names, one per line; undefined excludes the item
 */
export function nearestNames(typed: string, names: readonly (string | undefined)[]): number[] {
  const compared = typed.slice(0, lettersCompared);
  const measure = createMeasure(compared);
  const sharedWith = createSharedPairs(` ${compared}`);
  const shared = Uint8Array.from(names, (itsNames = '') => sharedWith(itsNames));
  let nearest: (Nearness & { number: number })[] = [];
  for (const number of mostShared(shared, Math.ceil(lettersComparedInAll / compared.length))) {
    const near = measure(names[number]!, nearest[nearestAtMost - 1]?.mistakes ?? Infinity);
    if (near === undefined) continue;
    nearest = [...nearest, { ...near, number }]
      .toSorted((a, b) => a.mistakes - b.mistakes || a.lengthApart - b.lengthApart)
      .slice(0, nearestAtMost);
  }
  return nearest.map(({ number }) => number);
}

/** @returns a function that gives undefined above `mistakesAtMost`, and for names that nobody would mistake for the typed text */
function createMeasure(typed: string): (names: string, mistakesAtMost: number) => Nearness | undefined {
  const typedWords = wordsOf(typed);
  const mistakesInAllAtMost = tolerated(typed);
  const mistakesInWordsAtMost = tolerated(typedWords.join(''));

  return (names, mistakesAtMost) => {
    const lines = names
      .split('\n', linesCompared)
      .filter((line) => line !== '')
      .map((line) => line.slice(0, lettersCompared));
    const mistakes = Math.min(
      mistakesInWords(wordsOf(lines.join(' ')), Math.min(mistakesAtMost, mistakesInWordsAtMost)),
      mistakesInAll(lines, Math.min(mistakesAtMost, mistakesInAllAtMost)),
    );
    if (mistakes === Infinity) return undefined;
    return { mistakes, lengthApart: Math.min(...lines.map((line) => Math.abs(line.length - typed.length))) };
  };

  /** Ignores the order of the words, and further words of the names. */
  function mistakesInWords(words: readonly string[], atMost: number): number {
    if (typedWords.length === 0) return Infinity;
    let mistakes = 0;
    for (const word of typedWords) {
      // A word that resembles none of them costs half its letters, so that a single strange word does not exclude the names.
      const costOfStrange = Math.ceil(word.length / 2);
      mistakes += leastDistance(word, words, Math.min(costOfStrange - 1, atMost - mistakes));
      if (mistakes > atMost) return Infinity;
    }
    return mistakes;
  }

  /** Finds names that were typed with an extra or missing space. */
  function mistakesInAll(lines: readonly string[], atMost: number): number {
    const mistakes = leastDistance(typed, lines, atMost);
    return mistakes > atMost ? Infinity : mistakes;
  }
}

/** The distance to the nearest text, at most `atMost + 1`. */
function leastDistance(typed: string, others: readonly string[], atMost: number): number {
  return others.reduce((least, other) => (least === 0 ? 0 : typingDistance(typed, other, least - 1)), atMost + 1);
}

const wordsOf = (text: string): string[] => [...new Set(text.match(/[\p{L}\p{N}\p{M}]+/gu))];

/** The numbers of the items that share most, in descending order. */
function mostShared(shared: Uint8Array, atMost: number): number[] {
  const howMany = new Uint32Array(256);
  for (const count of shared) howMany[count]! += 1;
  let least = 255;
  for (let total = howMany[255]!; least > 1 && total < atMost; total += howMany[least]!) least -= 1;

  const above: number[] = [];
  const even: number[] = [];
  for (let number = 0; number < shared.length; number += 1) {
    if (shared[number]! > least) above.push(number);
    if (shared[number] === least) even.push(number);
  }
  return [...above.toSorted((a, b) => shared[b]! - shared[a]!), ...even].slice(0, atMost);
}

const space = 0x20;

/** Several pairs of letters may share a row. */
const rowBits = 11;

/** Knuth's multiplicative hash. */
const rowOf = (before: number, unit: number): number =>
  Math.imul(before * 0x1_0001 + unit, 0x9e37_79b1) >>> (32 - rowBits);

/** Visits the row of each letter and of each pair of neighbours, some of them repeatedly. Every word counts as preceded by a space. */
function visitLetterPairs(text: string, visit: (row: number) => void): void {
  let before = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    visit(rowOf(0, unit));
    if (at > 0) {
      visit(rowOf(before, unit));
      if (!isWordUnit[before]) {
        visit(rowOf(0, space));
        visit(rowOf(space, unit));
      }
    }
    before = unit;
  }
}

/** @returns a function that counts how many of the letters and letter pairs of `text`, at most 255, another text has */
function createSharedPairs(text: string): (other: string) => number {
  /** The number of the text in which a row was last seen; 0: the row isn't of `text`. */
  const lastSeenIn = new Uint32Array(2 ** rowBits);
  let number = 1;
  visitLetterPairs(text, (row) => (lastSeenIn[row] = number));
  return (other) => {
    number += 1;
    let shared = 0;
    visitLetterPairs(other, (row) => {
      const last = lastSeenIn[row]!;
      if (last === 0 || last === number) return;
      lastSeenIn[row] = number;
      shared += 1;
    });
    return Math.min(shared, 255);
  };
}

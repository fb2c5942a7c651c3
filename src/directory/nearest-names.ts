import { typingDistance } from './typing-distance.ts';

const nearestAtMost = 3;
/** Beyond these, names and what is typed are not compared: it bounds the work. */
const linesCompared = 8;
export const lettersCompared = 64;
const lettersComparedInAll = 10_000;

interface Nearness {
  /** Slips of the finger between what was typed and a name, or the words of the names. */
  slips: number;
  /** How much longer or shorter than what was typed the name is that comes nearest in length. */
  lengthApart: number;
}

/**
 * The numbers of the three names, or fewer, that may have been meant, nearest first.
 * @param shared how many letter pairs of what was typed each of the names has; 0 for one that may not be offered
 * @param names plain names, an item's each on a line
 */
export function nearestNames(typed: string, shared: Uint8Array, names: readonly string[]): number[] {
  const measure = createMeasure(typed.slice(0, lettersCompared));
  let nearest: (Nearness & { number: number })[] = [];
  for (const number of mostShared(shared, Math.ceil(lettersComparedInAll / Math.min(typed.length, lettersCompared)))) {
    const near = measure(names[number]!, nearest[nearestAtMost - 1]?.slips ?? Infinity);
    if (near === undefined) continue;
    nearest = [...nearest, { ...near, number }]
      .toSorted((a, b) => a.slips - b.slips || a.lengthApart - b.lengthApart)
      .slice(0, nearestAtMost);
  }
  return nearest.map(({ number }) => number);
}

/** Undefined comes back for more slips than asked for, and for what nobody would take for what was typed. */
function createMeasure(typed: string): (names: string, slipsAtMost: number) => Nearness | undefined {
  const typedWords = wordsOf(typed);
  const slipsInAllAtMost = tolerated(typed);
  const slipsInWordsAtMost = tolerated(typedWords.join(''));

  return (names, slipsAtMost) => {
    const lines = names.split('\n', linesCompared).filter((line) => line !== '').map((line) => line.slice(0, lettersCompared));
    const slips = Math.min(
      slipsInWords(wordsOf(lines.join(' ')), Math.min(slipsAtMost, slipsInWordsAtMost)),
      slipsInAll(lines, Math.min(slipsAtMost, slipsInAllAtMost)),
    );
    if (slips === Infinity) return undefined;
    return { slips, lengthApart: Math.min(...lines.map((line) => Math.abs(line.length - typed.length))) };
  };

  /** The words may stand in any order, and the names may have more of them. */
  function slipsInWords(words: readonly string[], atMost: number): number {
    if (typedWords.length === 0) return Infinity;
    let slips = 0;
    for (const word of typedWords) {
      // A word that is like none of them counts half its letters: one strange word among good ones is no obstacle.
      const ofStrange = Math.ceil(word.length / 2);
      slips += leastDistance(word, words, Math.min(ofStrange - 1, atMost - slips));
      if (slips > atMost) return Infinity;
    }
    return slips;
  }

  /** Finds names that were typed with a space too many or too few. */
  function slipsInAll(lines: readonly string[], atMost: number): number {
    const slips = leastDistance(typed, lines, atMost);
    return slips > atMost ? Infinity : slips;
  }
}

/** One slip in three letters, at least one, and never every letter. */
const tolerated = (text: string): number => Math.min(Math.max(1, Math.floor(text.length / 3)), text.length - 1);

/** The distance to the nearest, or `atMost + 1`. */
function leastDistance(typed: string, others: readonly string[], atMost: number): number {
  return others.reduce((least, other) => (least === 0 ? 0 : typingDistance(typed, other, least - 1)), atMost + 1);
}

const wordsOf = (text: string): string[] => [...new Set(text.match(/[\p{L}\p{N}\p{M}]+/gu))];

/** The numbers of those that share most, most first. */
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

import { typingDistance } from './typing-distance.ts';

/** Beyond this, letters do not count: it bounds the work. */
export const lettersCompared = 64;
const linesCompared = 8;
const lettersComparedInAll = 20_000;
const slipsInAllAtMost = 3;

export interface Nearness {
  /** Slips of the finger between what was typed and a name, or the words of the names. */
  slips: number;
  /** How much longer or shorter than what was typed the name most like it in length is. */
  lengthApart: number;
}

/** Measures plain names, each on a line; undefined for what nobody would take for what was typed. */
export function createNearness(typed: string): (names: string) => Nearness | undefined {
  const wanted = typed.slice(0, lettersCompared);
  const wantedWords = wordsOf(wanted);
  const slipsAtMost = Math.min(Math.max(1, Math.floor(wanted.length / 3)), wanted.length - 1);

  return (names) => {
    const lines = names.split('\n', linesCompared).filter((line) => line !== '').map((line) => line.slice(0, lettersCompared));
    const slips = Math.min(slipsInWords(lines.flatMap(wordsOf)), slipsInAll(lines));
    if (slips > slipsAtMost) return undefined;
    return { slips, lengthApart: Math.min(...lines.map((line) => Math.abs(line.length - wanted.length))) };
  };

  /** The words may stand in any order, and the names may have more of them. */
  function slipsInWords(words: readonly string[]): number {
    if (wantedWords.length === 0) return Infinity;
    // A word that is like none of them counts half its letters: one strange word among good ones is no obstacle.
    return wantedWords.reduce((slips, word) => slips + leastDistance(word, words, Math.ceil(word.length / 2) - 1), 0);
  }

  /** Finds names that were typed with a space too many or too few. */
  function slipsInAll(lines: readonly string[]): number {
    const slips = leastDistance(wanted, lines, slipsInAllAtMost);
    return slips > slipsInAllAtMost ? Infinity : slips;
  }
}

/** The distance to the nearest, or `atMost + 1`. */
function leastDistance(typed: string, others: readonly string[], atMost: number): number {
  return others.reduce((least, other) => (least === 0 ? 0 : typingDistance(typed, other, least - 1)), atMost + 1);
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];

/** The numbers of those that share most with what was typed, as many as bear a close look. */
export function mostShared(shared: Uint8Array, typed: string): number[] {
  const most = Math.ceil(lettersComparedInAll / Math.min(typed.length, lettersCompared));
  const howMany = new Uint32Array(256);
  for (const count of shared) howMany[count]! += 1;
  let least = 255;
  for (let total = howMany[255]!; least > 1 && total < most; total += howMany[least]!) least -= 1;

  const above: number[] = [];
  const even: number[] = [];
  for (let number = 0; number < shared.length; number += 1) {
    if (shared[number]! > least) above.push(number);
    if (shared[number] === least) even.push(number);
  }
  return [...above, ...even].slice(0, most);
}

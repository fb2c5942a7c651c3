const nearestAtMost = 3;
/** Names and typed text are compared up to these limits, which bound the work. */
const linesCompared = 8;
export const lettersCompared = 64;
const lettersComparedInAll = 10_000;

interface Nearness {
  /** Typing mistakes between the typed text and a name, or the words of the names. */
  mistakes: number;
  /** The difference in length between the typed text and the name nearest in length. */
  lengthApart: number;
}

/**
 * The numbers of up to three items that the typed text may have meant, nearest first.
 * @param shared for each item, how many letter pairs its names share with the typed text; 0 excludes the item
 * @param names for each item, its plain names, one per line
 */
export function nearestNames(typed: string, shared: Uint8Array, names: readonly string[]): number[] {
  const measure = createMeasure(typed.slice(0, lettersCompared));
  let nearest: (Nearness & { number: number })[] = [];
  for (const number of mostShared(shared, Math.ceil(lettersComparedInAll / Math.min(typed.length, lettersCompared)))) {
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

/** How many typing mistakes a text may have: one in three letters, at least one, but never every letter. */
export const tolerated = (text: string): number => Math.min(Math.max(1, Math.floor(text.length / 3)), text.length - 1);

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

/**
 * The number of typing mistakes between two texts: a letter that is wrong, extra or missing, or two neighbours swapped
 * (optimal string alignment distance).
 * @returns `atMost + 1` for any larger distance
 */
export function typingDistance(a: string, b: string, atMost: number): number {
  if (a === b) return 0;
  const tooFar = atMost + 1;
  if (Math.abs(a.length - b.length) > atMost) return tooFar;
  const width = b.length + 1;
  const costs = new Uint16Array((a.length + 1) * width).fill(tooFar);
  for (let column = 0; column <= Math.min(atMost, b.length); column += 1) costs[column] = column;

  for (let row = 1; row <= a.length; row += 1) {
    let least = row;
    if (row <= atMost) costs[row * width] = row;
    // Only cells near the diagonal can be within the limit.
    for (let column = Math.max(1, row - atMost); column <= Math.min(b.length, row + atMost); column += 1) {
      const here = row * width + column;
      const wrong = a.charCodeAt(row - 1) === b.charCodeAt(column - 1) ? 0 : 1;
      let cost = Math.min(costs[here - width - 1]! + wrong, costs[here - 1]! + 1, costs[here - width]! + 1);
      const isSwap =
        row > 1 &&
        column > 1 &&
        a.charCodeAt(row - 1) === b.charCodeAt(column - 2) &&
        a.charCodeAt(row - 2) === b.charCodeAt(column - 1);
      if (isSwap) cost = Math.min(cost, costs[here - 2 * width - 2]! + 1);
      costs[here] = cost;
      least = Math.min(least, cost);
    }
    if (least > atMost) return tooFar;
  }
  return Math.min(costs.at(-1)!, tooFar);
}

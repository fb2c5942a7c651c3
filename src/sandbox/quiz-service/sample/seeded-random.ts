/** A random number generator that repeats its sequence for the same seed (mulberry32). */
export interface SeededRandom {
  /** A number from 0 to below 1. */
  number: () => number;
  /** A whole number from `low` to `high`, both included. */
  between: (low: number, high: number) => number;
  pick: <Item>(items: readonly Item[]) => Item;
  /** An identifier in the format of a UUID, version 4. */
  id: () => string;
}

/** @param seed a 32-bit integer */
export function createSeededRandom(seed: number): SeededRandom {
  let state = seed;

  function number(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  const between = (low: number, high: number) => low + Math.floor(number() * (high - low + 1));
  function hex(digits: number): string {
    let text = '';
    for (let i = 0; i < digits; i += 1) text += between(0, 15).toString(16);
    return text;
  }

  return {
    number,
    between,
    pick<Item>(items: readonly Item[]): Item {
      const item = items[between(0, items.length - 1)];
      if (item === undefined) throw new RangeError('There is nothing to pick from.');
      return item;
    },
    id: () => `${hex(8)}-${hex(4)}-4${hex(3)}-${'89ab'[between(0, 3)]}${hex(3)}-${hex(12)}`,
  };
}

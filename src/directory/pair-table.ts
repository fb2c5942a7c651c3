import { rowCount, visitLetterPairs } from './letter-pairs.ts';

/**
 * A bit for each text in a row for each pair of letters: which texts have all of some pairs is a few thousand
 * machine words to AND, even for 100,000 texts.
 */
export interface PairTable {
  /** Texts are numbered from 0 in the order in which they are added. */
  add(text: string): void;
  /** The numbers, rising, of the texts that have all these rows. */
  having(rows: ReadonlySet<number>): Uint32Array;
  /** How many of these rows, at most 255, each text has. */
  shared(rows: ReadonlySet<number>): Uint8Array;
}

export function createPairTable(expected: number): PairTable {
  let words = Math.ceil(expected / 32) + 8;
  let table = new Int32Array(rowCount * words);
  let size = 0;

  return {
    add(text) {
      const word = size >>> 5;
      const bit = 1 << (size & 31);
      size += 1;
      if (word === words) widen();
      visitLetterPairs(text, (row) => {
        table[row * words + word]! |= bit;
      });
    },

    having(rows) {
      const common = new Int32Array((size + 31) >>> 5).fill(-1);
      for (const row of rows) {
        const start = row * words;
        for (let word = 0; word < common.length; word += 1) common[word]! &= table[start + word]!;
      }
      const numbers = new Uint32Array(size);
      let found = 0;
      visitBits(common, (number) => {
        if (number < size) numbers[found++] = number;
      });
      return numbers.subarray(0, found);
    },

    shared(rows) {
      const counts = new Uint8Array(size);
      for (const row of rows) {
        visitBits(table.subarray(row * words, (row + 1) * words), (number) => {
          counts[number]! += 1;
        });
      }
      return counts;
    },
  };

  function widen(): void {
    const wider = new Int32Array(table.length * 2);
    for (let row = 0; row < rowCount; row += 1) wider.set(table.subarray(row * words, (row + 1) * words), row * words * 2);
    table = wider;
    words *= 2;
  }
}

function visitBits(bits: Int32Array, visit: (number: number) => void): void {
  for (let word = 0; word < bits.length; word += 1) {
    for (let left = bits[word]!; left !== 0; left &= left - 1) visit(word * 32 + 31 - Math.clz32(left & -left));
  }
}

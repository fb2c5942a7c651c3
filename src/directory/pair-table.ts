import { rowCount, visitLetterPairs } from './letter-pairs.ts';

/**
 * A bit for each text in a row for each pair of letters: which texts have all of some pairs is a few thousand
 * machine words to AND, even for 100,000 texts.
 */
export interface PairTable {
  /** Texts are numbered from 0 in the order in which they are added. */
  add(text: string): void;
  /** The numbers, rising, of the texts that have all these rows. */
  having(rows: ReadonlySet<number>): number[];
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
      const starts = Array.from(rows, (row) => row * words);
      const numbers: number[] = [];
      for (let word = 0; word * 32 < size; word += 1) {
        let common = -1;
        for (const start of starts) {
          common &= table[start + word]!;
          if (common === 0) break;
        }
        visitBits(common, word, (number) => {
          if (number < size) numbers.push(number);
        });
      }
      return numbers;
    },

    shared(rows) {
      const counts = new Uint8Array(size);
      for (const row of rows) {
        for (let word = 0; word * 32 < size; word += 1) {
          visitBits(table[row * words + word]!, word, (number) => {
            counts[number]! += 1;
          });
        }
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

function visitBits(bits: number, word: number, visit: (number: number) => void): void {
  for (let left = bits; left !== 0; left &= left - 1) visit(word * 32 + 31 - Math.clz32(left & -left));
}

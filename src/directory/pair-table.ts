const rowBits = 11;
/** The number of rows of a table. Several pairs of letters may share a row. */
const rowCount = 2 ** rowBits;

const isWordUnit = Uint8Array.from({ length: 2 ** 16 }, (_, unit) =>
  Number(/[\p{L}\p{N}\p{M}]/u.test(String.fromCharCode(unit))),
);
const space = 0x20;

/**
 * Visits the row of each letter and of each pair of neighbours, some of them repeatedly. Every word counts as preceded by
 * a space. The rows of a part of a text are a subset of the rows of the text.
 */
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

/** The rows of all letter pairs of the texts. */
export function letterPairs(...texts: readonly string[]): Set<number> {
  const rows = new Set<number>();
  for (const text of texts) visitLetterPairs(text, (row) => rows.add(row));
  return rows;
}

/** Whether a word of the text begins with `beginning`. */
export function hasWordThatBegins(text: string, beginning: string): boolean {
  let at = text.indexOf(beginning);
  while (at > 0 && isWordUnit[text.charCodeAt(at - 1)]) at = text.indexOf(beginning, at + 1);
  return at >= 0;
}

/** Knuth's multiplicative hash. */
function rowOf(before: number, unit: number): number {
  return Math.imul(before * 0x1_0001 + unit, 0x9e37_79b1) >>> (32 - rowBits);
}

/**
 * A table of bits: a row for each pair of letters, a column for each text. Finding the texts that contain a set of pairs
 * takes an AND of a few thousand machine words per pair, even for 100,000 texts.
 */
export interface PairTable {
  /** Numbers the texts from 0, in the order in which they are added. */
  add(text: string): void;
  /** The numbers of the texts that have all the rows, in ascending order. */
  having(rows: ReadonlySet<number>): number[];
  /** How many of the rows, at most 255, each text has. */
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
    for (let row = 0; row < rowCount; row += 1)
      wider.set(table.subarray(row * words, (row + 1) * words), row * words * 2);
    table = wider;
    words *= 2;
  }
}

function visitBits(bits: number, word: number, visit: (number: number) => void): void {
  for (let left = bits; left !== 0; left &= left - 1) visit(word * 32 + 31 - Math.clz32(left & -left));
}

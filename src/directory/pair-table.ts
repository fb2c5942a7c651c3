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

/** A wider block leaves the cache of a processor; a narrower one takes more time to search. */
const wordsInBlockAtMost = 32;

/**
 * A table of bits: a row for each pair of letters, a column for each text. Finding the texts that contain a set of pairs
 * takes an AND of a few thousand machine words per pair, even for 100,000 texts. The columns are in blocks, so that adding a
 * text reaches only a small part of the memory of a large table.
 */
interface PairTable {
  /** Numbers the texts from 0, in the order in which they are added. */
  add(text: string): void;
  /** The numbers of the texts that have all the rows, in ascending order. */
  having(rows: ReadonlySet<number>): number[];
  /** How many of the rows, at most 255, each text has. */
  shared(rows: ReadonlySet<number>): Uint8Array;
}

/** @param expected how many texts there will be; more can be added */
export function createPairTable(expected: number): PairTable {
  const wordsInBlock = Math.min(Math.ceil(expected / 32) + 8, wordsInBlockAtMost);
  const textsInBlock = 32 * wordsInBlock;
  const blocks: Int32Array[] = [];
  let size = 0;

  return {
    add(text) {
      if (size % textsInBlock === 0) blocks.push(new Int32Array(rowCount * wordsInBlock));
      const block = blocks.at(-1)!;
      const word = (size % textsInBlock) >>> 5;
      const bit = 1 << (size & 31);
      size += 1;
      visitLetterPairs(text, (row) => {
        block[row * wordsInBlock + word]! |= bit;
      });
    },

    having(rows) {
      const starts = Array.from(rows, (row) => row * wordsInBlock);
      const numbers: number[] = [];
      for (const [blockNumber, block] of blocks.entries()) {
        for (let word = 0; word < wordsInBlock; word += 1) {
          let common = -1;
          for (const start of starts) {
            common &= block[start + word]!;
            if (common === 0) break;
          }
          visitBits(common, blockNumber * wordsInBlock + word, (number) => {
            if (number < size) numbers.push(number);
          });
        }
      }
      return numbers;
    },

    shared(rows) {
      const counts = new Uint8Array(size);
      for (const [blockNumber, block] of blocks.entries()) {
        for (const row of rows) {
          for (let word = 0; word < wordsInBlock; word += 1) {
            visitBits(block[row * wordsInBlock + word]!, blockNumber * wordsInBlock + word, (number) => {
              counts[number]! += 1;
            });
          }
        }
      }
      return counts;
    },
  };
}

function visitBits(bits: number, word: number, visit: (number: number) => void): void {
  for (let left = bits; left !== 0; left &= left - 1) visit(word * 32 + 31 - Math.clz32(left & -left));
}

const rowBits = 11;
/** How many rows pairs are dealt to; two pairs may share a row. */
export const rowCount = 2 ** rowBits;

const isWordUnit = Uint8Array.from({ length: 2 ** 16 }, (_, unit) =>
  Number(/[\p{L}\p{N}\p{M}]/u.test(String.fromCharCode(unit))),
);
const space = 0x20;

/**
 * Visits the row of each letter and of each two neighbours, some more than once. Before each word there counts to be
 * a space, whatever stands there. The rows of a part of a text are among the rows of the whole.
 */
export function visitLetterPairs(text: string, visit: (row: number) => void): void {
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

/** The rows of all letter pairs of some texts. */
export function letterPairs(...texts: readonly string[]): Set<number> {
  const rows = new Set<number>();
  for (const text of texts) visitLetterPairs(text, (row) => rows.add(row));
  return rows;
}

/** Whether the text has a word that begins so. */
export function hasWordThatBegins(text: string, beginning: string): boolean {
  let at = text.indexOf(beginning);
  while (at > 0 && isWordUnit[text.charCodeAt(at - 1)]) at = text.indexOf(beginning, at + 1);
  return at >= 0;
}

/** Knuth's multiplicative hash. */
function rowOf(before: number, unit: number): number {
  return Math.imul(before * 0x1_0001 + unit, 0x9e37_79b1) >>> (32 - rowBits);
}

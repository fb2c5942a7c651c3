const isWordUnit = Uint8Array.from({ length: 2 ** 16 }, (_, unit) =>
  Number(/[\p{L}\p{N}\p{M}]/u.test(String.fromCharCode(unit))),
);
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
export function createSharedPairs(text: string): (other: string) => number {
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

/** Whether a word of the text begins with `beginning`. */
export function hasWordThatBegins(text: string, beginning: string): boolean {
  let at = text.indexOf(beginning);
  while (at > 0 && isWordUnit[text.charCodeAt(at - 1)]) at = text.indexOf(beginning, at + 1);
  return at >= 0;
}

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

/** How many typing mistakes a text may have: one in three letters, at least one, but never every letter. */
export const tolerated = (text: string): number => Math.min(Math.max(1, Math.floor(text.length / 3)), text.length - 1);

/** Whether a typed word begins another, or has few typing mistakes beside it. */
export function resembles(typed: string, other: string): boolean {
  return other.startsWith(typed) || typingDistance(typed, other, tolerated(typed)) <= tolerated(typed);
}

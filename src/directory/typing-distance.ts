/**
 * How many slips of the finger lie between two texts: a letter wrong, too many or missing, or two neighbours swapped
 * (optimal string alignment). Anything above `atMost` comes back as `atMost + 1`.
 */
export function typingDistance(a: string, b: string, atMost: number): number {
  const tooFar = atMost + 1;
  if (a === b) return 0;
  if (Math.abs(a.length - b.length) > atMost) return tooFar;
  const width = b.length + 1;
  const costs: number[] = [];
  for (let column = 0; column < width; column += 1) costs.push(column);

  for (let row = 1; row <= a.length; row += 1) {
    let least = row;
    costs.push(row);
    for (let column = 1; column < width; column += 1) {
      const here = costs.length;
      const isSame = a.charCodeAt(row - 1) === b.charCodeAt(column - 1);
      let cost = costs[here - width - 1]! + (isSame ? 0 : 1);
      cost = Math.min(cost, costs[here - 1]! + 1, costs[here - width]! + 1);
      const isSwap = row > 1 && column > 1
        && a.charCodeAt(row - 1) === b.charCodeAt(column - 2)
        && a.charCodeAt(row - 2) === b.charCodeAt(column - 1);
      if (isSwap) cost = Math.min(cost, costs[here - 2 * width - 2]! + 1);
      costs.push(cost);
      least = Math.min(least, cost);
    }
    if (least > atMost) return tooFar;
  }
  return Math.min(costs.at(-1)!, tooFar);
}

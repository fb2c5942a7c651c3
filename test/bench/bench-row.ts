/** One line of what `npm run bench` prints. */
export interface BenchRow {
  name: string;
  figure: string;
  goal?: string;
  met?: boolean;
}

export function median(figures: readonly number[]): number {
  const inOrder = figures.toSorted((a, b) => a - b);
  return inOrder[Math.floor(inOrder.length / 2)] ?? Number.NaN;
}

/** @param rank in percent */
export function percentile(figures: readonly number[], rank: number): number {
  const inOrder = figures.toSorted((a, b) => a - b);
  return inOrder[Math.ceil((rank / 100) * inOrder.length) - 1] ?? Number.NaN;
}

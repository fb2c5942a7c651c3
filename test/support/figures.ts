export function median(figures: readonly number[]): number {
  const inOrder = figures.toSorted((a, b) => a - b);
  return inOrder[Math.floor(inOrder.length / 2)] ?? Number.NaN;
}

/** @param rank in percent */
export function percentile(figures: readonly number[], rank: number): number {
  const inOrder = figures.toSorted((a, b) => a - b);
  return inOrder[Math.ceil((rank / 100) * inOrder.length) - 1] ?? Number.NaN;
}

/** A figure of the text that `/metrics` answers; of several with labels, the first. */
export function metricIn(text: string, name: string): number {
  return Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
}

/** @returns the value below which so much of all values are; NaN of none */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

export interface Sample {
  atS: number;
  residentMiB: number;
}

/** By least squares, in MiB a minute. */
export function slopeOf(samples: readonly Sample[]): number {
  const mean = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  const [atMean, sizeMean] = [mean(samples.map(({ atS }) => atS)), mean(samples.map(({ residentMiB }) => residentMiB))];
  const covariance = samples.reduce((sum, { atS, residentMiB }) => sum + (atS - atMean) * (residentMiB - sizeMean), 0);
  const variance = samples.reduce((sum, { atS }) => sum + (atS - atMean) ** 2, 0);
  return (60 * covariance) / variance;
}

/** A gauge of the text that `/metrics` answers. */
export function gaugeIn(text: string, name: string): number {
  return Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(text)?.[1] ?? NaN);
}

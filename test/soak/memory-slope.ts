export interface Sample {
  atS: number;
  residentMiB: number;
}

/** The growth of memory in MiB per minute, by least squares. */
export function slopeOf(samples: readonly Sample[]): number {
  const mean = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  const [atMean, sizeMean] = [mean(samples.map(({ atS }) => atS)), mean(samples.map(({ residentMiB }) => residentMiB))];
  const covariance = samples.reduce((sum, { atS, residentMiB }) => sum + (atS - atMean) * (residentMiB - sizeMean), 0);
  const variance = samples.reduce((sum, { atS }) => sum + (atS - atMean) ** 2, 0);
  return (60 * covariance) / variance;
}

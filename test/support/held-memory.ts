import { metricIn } from './measurements.ts';

/** The memory of the bot by its metrics, in MiB. */
export interface Sample {
  atS: number;
  resident: number;
  /** Objects that survived some garbage collections, and garbage since the last large one. */
  oldSpace: number;
  /** Outside V8’s heap, such as buffers and the pages of SQLite. */
  besides: number;
}

export function sampleOf(metrics: string, atS: number): Sample {
  const mib = (name: string) => metricIn(metrics, name) / 1024 ** 2;
  const resident = mib('process_resident_memory_bytes');
  return {
    atS,
    resident,
    oldSpace: mib('nodejs_heap_space_size_used_bytes{space="old"}'),
    besides: resident - mib('nodejs_heap_size_total_bytes'),
  };
}

/** What the bot holds in a minute, in MiB: resident memory goes up and down by a tenth with the garbage that V8 lets lie. */
export function heldPerMinute(samples: readonly Sample[]): { atS: number; held: number }[] {
  const minutes = Map.groupBy(samples, ({ atS }) => Math.floor(atS / 60));
  return Array.from(minutes, ([minute, some]) => ({
    atS: 60 * minute,
    held: Math.min(...some.map(({ oldSpace }) => oldSpace)) + Math.min(...some.map(({ besides }) => besides)),
  }));
}

/** The growth in MiB per minute, by least squares. */
export function slopeOf(points: readonly { atS: number; held: number }[]): number {
  const mean = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  const [atMean, heldMean] = [mean(points.map(({ atS }) => atS)), mean(points.map(({ held }) => held))];
  const covariance = points.reduce((sum, { atS, held }) => sum + (atS - atMean) * (held - heldMean), 0);
  const variance = points.reduce((sum, { atS }) => sum + (atS - atMean) ** 2, 0);
  return variance === 0 ? 0 : (60 * covariance) / variance;
}

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Counter } from 'prom-client';

export function median(figures: readonly number[]): number {
  const inOrder = figures.toSorted((a, b) => a - b);
  return inOrder[Math.floor(inOrder.length / 2)] ?? Number.NaN;
}

/** @param rank in percent */
export function percentile(figures: readonly number[], rank: number): number {
  const inOrder = figures.toSorted((a, b) => a - b);
  return inOrder[Math.ceil((rank / 100) * inOrder.length) - 1] ?? Number.NaN;
}

/** The value of a metric in the text of `/metrics`; the first sample if the metric has labels. */
export function metricIn(text: string, name: string): number {
  return Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
}

/** Runs a full garbage collection, also in a process started without `--expose-gc`. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

/** What a counter has counted, by its outcome. */
export async function countedIn(counter: Counter): Promise<Record<string, number>> {
  const counted = (await counter.get()).values.filter(({ value }) => value > 0);
  return Object.fromEntries(counted.map(({ labels, value }) => [labels['outcome'] ?? '', value]));
}

const parts = 100;

/**
 * How many times as much a long text costs as a hundred parts of it, in time of the processor: about once where the work grows with
 * the length, and a hundred times where it grows with its square.
 */
export function growthOf(work: (length: number) => void, length: number): number {
  const inParts = cpuMs(() => {
    for (let part = 0; part < parts; part += 1) work(length / parts);
  });
  return cpuMs(() => work(length)) / Math.max(1, inParts);
}

function cpuMs(work: () => void): number {
  const begin = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(begin);
  return (user + system) / 1_000;
}

import type { Counter } from 'prom-client';

/** What a counter has counted, by its outcome. */
export async function countedIn(counter: Counter): Promise<Record<string, number>> {
  const counted = (await counter.get()).values.filter(({ value }) => value > 0);
  return Object.fromEntries(counted.map(({ labels, value }) => [labels['outcome'] ?? '', value]));
}

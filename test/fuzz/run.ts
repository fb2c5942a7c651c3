import fc from 'fast-check';

export interface FuzzOptions {
  /** How many in all. */
  count: number;
  seed: number;
  /** How many at a time: one by one, the time would go into waiting. */
  together?: number;
}

/** What came of a run: what was counted, and memory at a fifth of it and at its end, in MiB. */
export interface FuzzRow {
  name: string;
  count: number;
  seed: number;
  seconds: number;
  outcomes: Record<string, number>;
  memory: { early: number; late: number };
}

/**
 * Tries values until there were `count` of them. The first failure ends it, and is thrown with the seed that repeats
 * it: what a process has gone through cannot be shrunk to fewer values.
 *
 * @param tryOne gives what came of it, to be counted; throws for what must not be
 */
export async function fuzz<Value>(
  name: string,
  { count, seed, together = 50 }: FuzzOptions,
  values: fc.Arbitrary<Value>,
  tryOne: (value: Value) => Promise<string>,
  memory: () => Promise<number>,
): Promise<FuzzRow> {
  const startedAt = performance.now();
  const outcomes: Record<string, number> = {};
  let early: number | undefined;
  let tried = 0;
  const batch = fc.array(values, { minLength: together, maxLength: together, size: 'max' });
  const property = fc.asyncProperty(batch, async (some) => {
    const came = await Promise.all(some.map(tryOne));
    for (const outcome of came) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    tried += some.length;
    if (early === undefined && tried >= count / 5) early = await memory();
  });
  const { errorInstance } = await fc.check(property, { seed, numRuns: Math.ceil(count / together), endOnFailure: true });
  if (errorInstance instanceof Error) throw new Error(`${name}, seed ${seed}, after ${tried}: ${errorInstance.message}`, { cause: errorInstance });
  const late = await memory();
  return { name, count: tried, seed, seconds: (performance.now() - startedAt) / 1000, outcomes, memory: { early: early ?? late, late } };
}

/** Memory may grow by what caches and compiled code take, and not with the count. */
export function isFlat({ memory: { early, late } }: FuzzRow): boolean {
  return late <= early * 1.15 + 8;
}

export function lineOf(row: FuzzRow): string {
  const outcomes = Object.entries(row.outcomes).toSorted(([, a], [, b]) => b - a).map(([outcome, times]) => `${outcome} ${times}`);
  const { early, late } = row.memory;
  return `${row.name}: ${row.count} tried, seed ${row.seed}, ${row.seconds.toFixed(0)} s, heap ${early.toFixed(1)} MiB at 20 %, ${late.toFixed(1)} MiB at 100 % (${isFlat(row) ? 'flat' : 'GROWS'}); ${outcomes.join(', ')}`;
}

import fc from 'fast-check';
import { addCounts, countsInWords } from '../judges/judge.ts';

export interface FuzzOptions {
  /** The number of values to try. */
  count: number;
  seed: number;
  /** The number of values tried at the same time. Default: 50. */
  concurrency?: number;
}

/** The result of a run: the number of each outcome, and the memory in MiB after a fifth of the values and at the end, where it is measured. */
export interface FuzzRow {
  name: string;
  count: number;
  seed: number;
  seconds: number;
  outcomes: Record<string, number>;
  memory?: { early: number; late: number };
}

/**
 * Tries `count` values. Stops at the first failure and throws it with the seed that repeats the run. Failures are not
 * shrunk to fewer values, because they can depend on the state of the process.
 *
 * @param tryValue returns the outcome to count; throws on failure
 * @param memory missing where the bot shares its process with a sandbox that keeps everything it saw
 */
export async function fuzz<Value>(
  name: string,
  { count, seed, concurrency = 50 }: FuzzOptions,
  values: fc.Arbitrary<Value>,
  tryValue: (value: Value) => Promise<string>,
  memory?: () => Promise<number>,
): Promise<FuzzRow> {
  const startedAt = performance.now();
  const outcomes: Record<string, number> = {};
  let early: number | undefined;
  let tried = 0;
  const batch = fc.array(values, { minLength: concurrency, maxLength: concurrency, size: 'max' });
  const property = fc.asyncProperty(batch, async (some) => {
    const results = await Promise.all(some.map(tryValue));
    for (const outcome of results) addCounts(outcomes, { [outcome]: 1 });
    tried += some.length;
    if (early === undefined && tried >= count / 5) early = await memory?.();
  });
  const { errorInstance } = await fc.check(property, {
    seed,
    numRuns: Math.ceil(count / concurrency),
    endOnFailure: true,
  });
  if (errorInstance instanceof Error)
    throw new Error(`${name}, seed ${seed}, after ${tried}: ${errorInstance.message}`, { cause: errorInstance });
  const late = await memory?.();
  const seconds = (performance.now() - startedAt) / 1000;
  return {
    name,
    count: tried,
    seed,
    seconds,
    outcomes,
    ...(late !== undefined && { memory: { early: early ?? late, late } }),
  };
}

/** Caches and compiled code can grow by 15% and 8 MiB. Memory must not grow with the number of values. */
export function isFlat({ memory }: FuzzRow): boolean {
  return memory === undefined || memory.late <= memory.early * 1.15 + 8;
}

export function summaryOf(row: FuzzRow): string {
  const heap =
    row.memory &&
    `, heap ${row.memory.early.toFixed(1)} MiB at 20%, ${row.memory.late.toFixed(1)} MiB at 100% (${isFlat(row) ? 'flat' : 'GROWS'})`;
  return `${row.name}: ${row.count} tried, seed ${row.seed}, ${row.seconds.toFixed(0)} s${heap ?? ''}; ${countsInWords(row.outcomes)}`;
}

import { runBatchChaos, type BatchChaosOptions } from '../support/batch-chaos.ts';
import { redisMissing } from '../support/redis.ts';
import type { BenchRow } from './bench-row.ts';

const size = { rows: 500, kills: 20 };

/** Runs the kill test of imports in full, with a different seed each time. */
export async function run(): Promise<BenchRow[]> {
  const seed = Number(process.env['CHAOS_SEED'] ?? Date.now() % 1_000_000);
  const variants: Pick<BatchChaosOptions, 'store' | 'instances'>[] = [
    { store: 'sqlite' },
    ...(redisMissing === null ? [{ store: 'redis', instances: 2 } as const] : []),
  ];
  return Promise.all(
    variants.map(async (variant) => {
      const { twice, lost, wrong, messages, resultLines, summary } = await runBatchChaos({ ...size, ...variant, seed });
      const met = twice + lost + wrong + messages === 0 && resultLines === size.rows;
      if (!met) process.exitCode = 1;
      return {
        name: `an import over ${variant.store}, killed`,
        figure: summary,
        goal: 'nobody twice, nobody lost, result complete',
        met,
      };
    }),
  );
}

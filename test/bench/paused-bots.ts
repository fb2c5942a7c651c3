import { balancers, pauseBots } from '../support/paused-bots.ts';
import { redisMissing } from '../support/redis.ts';
import { heldAgainst, type BenchOptions, type BenchRow } from './bench-row.ts';

const pausesMs = [11_000, 15_000];

/** Two bots over Redis in their own processes, which stand still at the same time. */
export async function run({ isShort }: BenchOptions): Promise<BenchRow[]> {
  if (redisMissing !== null) return [];
  const rows: BenchRow[] = [];
  for (const [name, { missing, start }] of Object.entries(balancers)) {
    if (missing !== null) continue;
    for (const pauseMs of isShort ? [1_000] : pausesMs) {
      const { commands, failed, health } = await pauseBots(start, { pauseMs });
      rows.push({
        name: `two bots behind ${name}, both paused for ${pauseMs / 1_000} s: commands sent once they are back`,
        figure: `of ${commands} commands, ${failed.length} failed; /healthz ${health.join(' and ')}`,
        ...heldAgainst('paused', {
          failed: failed.length,
          unwell: health.filter((status) => status !== 200).length,
        }),
      });
    }
  }
  return rows;
}

import { redisMissing } from '../support/redis.ts';
import { runWaits, type WaitRunOptions } from '../support/wait-run.ts';
import type { BenchRow } from './bench-row.ts';

const size = { waits: Number(process.env['WAITS'] ?? 10_000), begun: 10, kills: 20 };
/** After each kill, locks in Redis take seconds to expire. */
const overRedis = { waits: 500, begun: 10, kills: 8 };

/** Runs the kill test of waits in full, with a different seed each time. */
export async function run(): Promise<BenchRow[]> {
  const seed = Number(process.env['CHAOS_SEED'] ?? Date.now() % 1_000_000);
  return [
    await measure({ ...size, store: 'sqlite', seed }),
    ...(redisMissing === null ? [await measure({ ...overRedis, store: 'redis', seed })] : []),
  ];
}

async function measure(options: WaitRunOptions): Promise<BenchRow> {
  const { problems, repeated, seconds, logFolder } = await runWaits(options);
  const met = problems.length === 0;
  if (!met) {
    process.stderr.write(`${problems.slice(0, 50).join('\n')}\nThe logs are in ${logFolder}\n`);
    process.exitCode = 1;
  }
  const figure = `${problems.length} wrong of ${options.waits.toLocaleString('en')} waits over ${options.kills} kills in ${seconds} s; ${repeated} sent again and refused by Slack (seed ${options.seed})`;
  return { name: `open waits over ${options.store}, killed`, figure, goal: 'each completed once', met };
}

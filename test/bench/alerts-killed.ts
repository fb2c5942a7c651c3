import { redisMissing } from '../support/redis.ts';
import { describeChaos, runChaos, type ChaosOptions } from '../support/chaos-run.ts';
import type { BenchRow } from './bench-row.ts';

const size = { events: 2_000, kills: 20 };

interface Variant {
  name: string;
  options: Omit<ChaosOptions, 'seed' | 'events' | 'kills'>;
}

/** Two variants run at the same time: killed bots wait more than they work. */
const overSqlite: Variant[] = [
  { name: 'over SQLite', options: { store: 'sqlite' } },
  { name: 'over SQLite, while Slack fails', options: { store: 'sqlite', slackFails: true } },
];
const overRedis: Variant[] = [
  { name: 'over Redis, which is also killed', options: { store: 'redis', redisKills: 8 } },
  {
    name: 'two instances over Redis, which is also killed, while Slack fails',
    options: { store: 'redis', instances: 2, redisKills: 8, slackFails: true },
  },
];

/** Runs the variants of the kill tests for longer and with a different seed each time. */
export async function run(): Promise<BenchRow[]> {
  const seed = Number(process.env['CHAOS_SEED'] ?? Date.now() % 1_000_000);
  return [
    ...(await Promise.all(overSqlite.map((variant) => measure(variant, seed)))),
    ...(redisMissing === null ? await Promise.all(overRedis.map((variant) => measure(variant, seed))) : []),
  ];
}

async function measure(variant: Variant, seed: number): Promise<BenchRow> {
  const options = { ...variant.options, ...size, seed };
  const outcome = await runChaos(options);
  const met = outcome.lost + outcome.duplicated + outcome.outOfOrder === 0;
  if (!met) {
    process.stderr.write(`${outcome.lastLogLines}\nThe logs are in ${outcome.logFolder}\n`);
    process.exitCode = 1;
  }
  return { name: `killed ${variant.name}`, figure: describeChaos(options, outcome), goal: 'lost 0, duplicated 0', met };
}

import { redisMissing } from '../support/redis.ts';
import { describeStorm, runStorm, type StormOptions } from '../support/chaos-run.ts';
import type { BenchRow } from './bench-row.ts';

const size = { events: 2_000, kills: 20 };

interface Storm {
  name: string;
  options: Omit<StormOptions, 'seed' | 'events' | 'kills'>;
}

/** Two at a time: bots that are killed wait more than they work. */
const overSqlite: Storm[] = [
  { name: 'over SQLite', options: { store: 'sqlite' } },
  { name: 'over SQLite, while Slack fails', options: { store: 'sqlite', slackFails: true } },
];
const overRedis: Storm[] = [
  { name: 'over Redis, which is killed as well', options: { store: 'redis', redisKills: 8 } },
  { name: 'two over Redis, which is killed as well, while Slack fails', options: { store: 'redis', instances: 2, redisKills: 8, slackFails: true } },
];

/** What the tests try for a few seconds, for longer, and with another seed every time. */
export async function run(): Promise<BenchRow[]> {
  const seed = Number(process.env['STORM_SEED'] ?? Date.now() % 1_000_000);
  return [
    ...await Promise.all(overSqlite.map((storm) => measure(storm, seed))),
    ...(redisMissing === null ? await Promise.all(overRedis.map((storm) => measure(storm, seed))) : []),
  ];
}

async function measure({ name, options }: Storm, seed: number): Promise<BenchRow> {
  const storm = { ...options, ...size, seed };
  const outcome = await runStorm(storm);
  const met = outcome.lost + outcome.doubled + outcome.disordered === 0;
  if (!met) {
    process.stderr.write(`${outcome.lastWords}\nThe logs are in ${outcome.logs}\n`);
    process.exitCode = 1;
  }
  return { name: `killed ${name}`, figure: describeStorm(storm, outcome), goal: 'lost 0, doubled 0', met };
}

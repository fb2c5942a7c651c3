import { redisMissing } from '../support/redis.ts';
import { describeStorm, runStorm, type StormOptions } from '../support/storm.ts';
import type { BenchRow } from './bench-row.ts';

const size = { events: 2_000, kills: 20 };

const storms: { name: string; options: Omit<StormOptions, 'seed' | 'events' | 'kills'> }[] = [
  { name: 'over SQLite', options: { store: 'sqlite' } },
  { name: 'over SQLite, while Slack fails', options: { store: 'sqlite', slackFails: true } },
  { name: 'over Redis, which is killed as well', options: { store: 'redis', redisKills: 8 } },
  { name: 'two over Redis, which is killed as well, while Slack fails', options: { store: 'redis', instances: 2, redisKills: 8, slackFails: true } },
];

/** What the tests try for a few seconds, for longer, and with another seed every time. */
export async function run(): Promise<BenchRow[]> {
  const seed = Number(process.env['STORM_SEED'] ?? Date.now() % 1_000_000);
  const rows: BenchRow[] = [];
  for (const { name, options } of storms) {
    if (options.store === 'redis' && redisMissing !== null) continue;
    const storm = { ...options, ...size, seed };
    const outcome = await runStorm(storm);
    const isRight = outcome.lost + outcome.doubled + outcome.disordered === 0;
    if (!isRight) process.stderr.write(`${outcome.lastWords}\nThe logs are in ${outcome.logs}\n`);
    process.exitCode ??= isRight ? undefined : 1;
    rows.push({ name: `killed ${name}`, figure: describeStorm(storm, outcome), goal: 'lost 0, doubled 0', met: isRight });
  }
  return rows;
}

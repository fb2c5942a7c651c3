import { runCampaign, type CampaignRunOptions } from '../support/campaign-run.ts';
import { redisMissing } from '../support/redis.ts';
import type { BenchRow } from './bench-row.ts';

const size = { people: Number(process.env['CAMPAIGN_PEOPLE'] ?? 1_000), kills: 20, days: 30 };

/** Redis takes longer: the clock waits for it at every step, and after every kill for locks to expire. */
const overRedis = { people: 24, kills: 4, redisKills: 8, days: 8 };

/** Runs the kill test of campaigns, over SQLite for 1,000 people and 30 simulated days, with a different seed each time. */
export async function run(): Promise<BenchRow[]> {
  const seed = Number(process.env['CHAOS_SEED'] ?? Date.now() % 1_000_000);
  return [
    await measure('over SQLite', { ...size, seed, store: 'sqlite' }),
    ...(redisMissing === null ? [await measure('over Redis', { ...overRedis, seed, store: 'redis' })] : []),
  ];
}

async function measure(name: string, options: CampaignRunOptions): Promise<BenchRow> {
  const { people, days, kills, redisKills, seed } = options;
  const { problems, messages, submissions, lostWebhooks, escalations, logFolder } = await runCampaign(options);
  const met = problems.length === 0;
  if (!met) {
    process.stderr.write(`${problems.slice(0, 50).join('\n')}\nThe logs are in ${logFolder}\n`);
    process.exitCode = 1;
  }
  const redis = redisKills === undefined ? '' : `, Redis killed ${redisKills} times`;
  const figure = `${problems.length} wrong of ${messages.toLocaleString('en')} messages and ${escalations} escalations (${people.toLocaleString('en')} people, ${days} days, ${submissions} submissions, ${lostWebhooks} lost webhooks, ${kills} kills${redis}; seed ${seed})`;
  return { name: `campaign killed ${name}`, figure, goal: '0 wrong', met };
}

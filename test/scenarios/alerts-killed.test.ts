import { describe, expect, test } from 'vitest';
import { redisMissing } from '../support/redis.ts';
import { runAndDescribeChaos, type ChaosOptions } from '../support/chaos-run.ts';

type Variant = Omit<ChaosOptions, 'seed' | 'events' | 'kills'>;

/** `npm run bench -- alerts-killed` runs the same variants for longer. */
const size = { seed: Number(process.env['CHAOS_SEED'] ?? 20_261_121), events: 200, kills: 5 };
const timeout = 180_000;
const noErrors = { lost: 0, duplicated: 0, outOfOrder: 0 };

describe.concurrent('a bot killed at random moments announces every event once and in order', () => {
  test.each<[string, Variant]>([
    ['over SQLite', { store: 'sqlite' }],
    ['over SQLite, while Slack fails', { store: 'sqlite', slackFails: true }],
  ])('%s', { timeout }, async (_, variant) => {
    expect(await runAndDescribeChaos({ ...variant, ...size })).toEqual(noErrors);
  });

  test.skipIf(redisMissing !== null).each<[string, Variant]>([
    ['over Redis, which is also killed', { store: 'redis', redisKills: 2 }],
    ['two instances over Redis, which is also killed, while Slack fails', { store: 'redis', instances: 2, redisKills: 2, slackFails: true }],
  ])('%s', { timeout }, async (_, variant) => {
    expect(await runAndDescribeChaos({ ...variant, ...size })).toEqual(noErrors);
  });
});

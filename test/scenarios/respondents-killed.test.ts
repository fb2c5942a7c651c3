import { describe, expect, test } from 'vitest';
import { redisMissing } from '../support/redis.ts';
import { runAndDescribeChaos } from '../support/chaos-run.ts';

/** Few: after a lost answer, the bot looks for the message for 40 seconds before it posts it again, and each person has a queue. */
const size = {
  seed: Number(process.env['CHAOS_SEED'] ?? 20_261_122),
  events: 32,
  kills: 4,
  respondents: 8,
  clockRate: 5,
};
const timeout = 180_000;

describe.concurrent('a bot killed at random moments tells every respondent each result once and in order', () => {
  test('over SQLite, while Slack fails', { timeout }, async () => {
    expect(await runAndDescribeChaos({ ...size, store: 'sqlite', slackFails: true })).toEqual({
      lost: 0,
      duplicated: 0,
      outOfOrder: 0,
    });
  });

  test.skipIf(redisMissing !== null)('two instances over Redis, which is also killed', { timeout }, async () => {
    expect(await runAndDescribeChaos({ ...size, store: 'redis', instances: 2, redisKills: 2 })).toEqual({
      lost: 0,
      duplicated: 0,
      outOfOrder: 0,
    });
  });
});

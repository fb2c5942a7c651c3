import { describe, expect, test } from 'vitest';
import { redisMissing } from '../support/redis.ts';
import { runAndDescribeChaos } from '../support/chaos-run.ts';

/** `npm run bench -- alerts-killed` runs more variants for longer, in real time. */
const size = { seed: Number(process.env['CHAOS_SEED'] ?? 20_261_121), events: 200, kills: 5, clockRate: 5 };
const timeout = 180_000;
const noErrors = { lost: 0, duplicated: 0, outOfOrder: 0 };

describe.concurrent('a bot killed at random moments announces every event once and in order', () => {
  test('over SQLite, while Slack fails', { timeout }, async () => {
    expect(await runAndDescribeChaos({ ...size, store: 'sqlite', slackFails: true })).toEqual(noErrors);
  });

  test.skipIf(redisMissing !== null)(
    'two instances over Redis, which is also killed, while Slack fails',
    { timeout },
    async () => {
      expect(
        await runAndDescribeChaos({ ...size, store: 'redis', instances: 2, redisKills: 2, slackFails: true }),
      ).toEqual(noErrors);
    },
  );
});

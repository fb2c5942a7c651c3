import { describe, expect, test } from 'vitest';
import { standingKilled } from '../support/kills/loads/standing-campaign.ts';
import { runAndPrintKills, seedOr, whole } from '../support/kills/print-kills.ts';
import { redisMissing } from '../support/redis.ts';

/** `npm run bench -- standing-killed` runs the same for 1,000 people, 200 joins and leaves, and 20 kills. */
const size = { seed: seedOr(20_261_126), kills: 4 };
const load = standingKilled({ people: 16, joins: 6, leaves: 4 });

describe.concurrent('a bot killed at random moments takes in who joins, once, and writes to nobody who left', () => {
  test('over SQLite, while Slack fails and loses events', async () => {
    expect(await runAndPrintKills({ ...size, store: 'sqlite' }, load)).toEqual(whole);
  });

  test.skipIf(redisMissing !== null)(
    'over Redis, which is also killed, while Slack fails and loses events',
    async () => {
      expect(await runAndPrintKills({ ...size, store: 'redis', redisKills: 2 }, load)).toEqual(whole);
    },
  );
});

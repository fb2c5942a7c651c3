import { describe, expect, test } from 'vitest';
import { alertsKilled } from '../support/kills/loads/alerts.ts';
import { runAndPrintKills, seedOr, whole } from '../support/kills/print-kills.ts';
import { redisMissing } from '../support/redis.ts';

/** `npm run bench -- alerts-killed` runs more variants for longer, in real time. */
const size = { seed: seedOr(20_261_121), kills: 5 };
const alerts = alertsKilled({ events: 120, clockRate: 5, slackFails: true });

describe.concurrent('a bot killed at random moments announces every event once and in order', () => {
  test('over SQLite, while Slack fails', async () => {
    expect(await runAndPrintKills({ ...size, store: 'sqlite' }, alerts)).toEqual(whole);
  });

  test.skipIf(redisMissing !== null)('two instances over Redis, which is also killed, while Slack fails', async () => {
    expect(await runAndPrintKills({ ...size, store: 'redis', instances: 2, redisKills: 2 }, alerts)).toEqual(whole);
  });
});

import { describe, expect, test } from 'vitest';
import { alertsKilled } from '../support/kills/loads/alerts.ts';
import { runAndPrintKills, seedOr, whole } from '../support/kills/print-kills.ts';
import { redisMissing } from '../support/redis.ts';

describe('alerts', () => {
  /** `npm run bench -- alerts-killed` runs more variants for longer, in real time. */
  const size = { seed: seedOr(20_261_121), kills: 5 };
  const alerts = alertsKilled({ events: 120, clockRate: 5, slackFails: true });

  describe.concurrent('a bot killed at random moments announces every event once and in order', () => {
    test('over SQLite, while Slack fails', async () => {
      expect(await runAndPrintKills({ ...size, store: 'sqlite' }, alerts)).toEqual(whole);
    });

    test.skipIf(redisMissing !== null)(
      'two instances over Redis, which is also killed, while Slack fails',
      async () => {
        expect(await runAndPrintKills({ ...size, store: 'redis', instances: 2, redisKills: 2 }, alerts)).toEqual(whole);
      },
    );
  });
});

describe('respondents', () => {
  const size = { seed: seedOr(20_261_122), kills: 4 };
  /** Few: after a lost answer, the bot looks for the message for 40 seconds before it posts it again, and each person has a queue. */
  const few = { events: 32, respondents: 8, clockRate: 5 };

  describe.concurrent('a bot killed at random moments tells every respondent each result once and in order', () => {
    test('over SQLite, while Slack fails', async () => {
      const alerts = alertsKilled({ ...few, slackFails: true });
      expect(await runAndPrintKills({ ...size, store: 'sqlite' }, alerts)).toEqual(whole);
    });

    test.skipIf(redisMissing !== null)('two instances over Redis, which is also killed', async () => {
      const options = { ...size, store: 'redis', instances: 2, redisKills: 2 } as const;
      expect(await runAndPrintKills(options, alertsKilled(few))).toEqual(whole);
    });
  });
});

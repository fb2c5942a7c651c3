import { describe, expect, test } from 'vitest';
import { waitsKilled } from '../support/kills/loads/waits.ts';
import { runAndPrintKills, seedOr, whole } from '../support/kills/print-kills.ts';
import { redisMissing } from '../support/redis.ts';

/** `npm run bench -- waits-killed` runs the same for 10,000 waits and 20 kills. */
const seed = seedOr(20_261_122);
const waits = waitsKilled({ waits: 40, begun: 10 });

describe.concurrent(
  'a bot killed at random moments, while answers of Slack are lost, ends each wait of a workflow once',
  () => {
    test('over SQLite', async () => {
      expect(await runAndPrintKills({ seed, kills: 4, store: 'sqlite' }, waits)).toEqual(whole);
    });

    test.skipIf(redisMissing !== null)('over Redis', async () => {
      expect(await runAndPrintKills({ seed, kills: 1, store: 'redis' }, waits)).toEqual(whole);
    });
  },
);

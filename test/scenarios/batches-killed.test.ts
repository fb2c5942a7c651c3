import { describe, expect, test } from 'vitest';
import { importKilled } from '../support/kills/loads/imports.ts';
import { runAndPrintKills, seedOr, whole } from '../support/kills/print-kills.ts';
import { redisMissing } from '../support/redis.ts';

/** `npm run bench -- batches-killed` runs the same for 500 rows and 20 kills. */
const size = { seed: seedOr(20_261_122), kills: 3 };
const rows = importKilled({ rows: 6 });

describe.concurrent(
  'a bot killed or stopped with SIGTERM at random moments, while answers are lost, creates each person of an import once',
  () => {
    test('over SQLite', async () => {
      expect(await runAndPrintKills({ ...size, store: 'sqlite' }, rows)).toEqual(whole);
    });

    test.skipIf(redisMissing !== null)('two instances over Redis', async () => {
      expect(await runAndPrintKills({ ...size, store: 'redis', instances: 2 }, rows)).toEqual(whole);
    });
  },
);

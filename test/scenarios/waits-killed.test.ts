import { describe, expect, test } from 'vitest';
import { redisMissing } from '../support/redis.ts';
import { runWaits } from '../support/wait-run.ts';

/** `npm run bench -- waits-killed` runs the same for 10,000 waits and 20 kills. */
const size = { seed: Number(process.env['CHAOS_SEED'] ?? 20_261_122), waits: 40, begun: 10, kills: 4 };
const timeout = 180_000;

describe.concurrent(
  'a bot killed at random moments, while answers of Slack are lost, ends each wait of a workflow once',
  () => {
    test('over SQLite', { timeout }, async () => {
      expect(await runWaits({ ...size, store: 'sqlite' })).toMatchObject({ problems: [], logFolder: '' });
    });

    test.skipIf(redisMissing !== null)('over Redis', { timeout }, async () => {
      expect(await runWaits({ ...size, kills: 1, store: 'redis' })).toMatchObject({ problems: [], logFolder: '' });
    });
  },
);

import { describe, expect, test } from 'vitest';
import { runBatchChaos } from '../support/batch-chaos.ts';
import { redisMissing } from '../support/redis.ts';

const size = { seed: Number(process.env['CHAOS_SEED'] ?? 20_261_122), rows: 6, kills: 3 };
const whole = { twice: 0, lost: 0, wrong: 0, messages: 0, resultLines: size.rows };
const timeout = 180_000;

describe.concurrent(
  'a bot killed or stopped with SIGTERM at random moments, while answers are lost, creates each person of an import once',
  () => {
    test('over SQLite', { timeout }, async () => {
      expect(await runBatchChaos({ ...size, store: 'sqlite' })).toMatchObject(whole);
    });

    test.skipIf(redisMissing !== null)('two instances over Redis', { timeout }, async () => {
      expect(await runBatchChaos({ ...size, store: 'redis', instances: 2 })).toMatchObject(whole);
    });
  },
);

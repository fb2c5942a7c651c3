import { describe, expect, test } from 'vitest';
import { runBatchChaos } from '../support/batch-chaos.ts';
import { redisMissing } from '../support/redis.ts';

const size = { seed: Number(process.env['CHAOS_SEED'] ?? 20_261_122), rows: 16, kills: 3 };
const whole = { twice: 0, lost: 0, notDone: 0, resultLines: size.rows };
const timeout = 180_000;

describe.concurrent('a bot killed at random moments, while answers are lost, creates each person of a batch once', () => {
  test('over SQLite', { timeout }, async () => {
    expect(await runBatchChaos({ ...size, store: 'sqlite' })).toMatchObject(whole);
  });

  test.skipIf(redisMissing !== null)('two instances over Redis', { timeout }, async () => {
    expect(await runBatchChaos({ ...size, store: 'redis', instances: 2 })).toMatchObject(whole);
  });
});

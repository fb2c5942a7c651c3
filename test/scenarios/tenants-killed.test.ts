import { describe, expect, test } from 'vitest';
import { tenantsKilled } from '../support/kills/loads/tenants.ts';
import { printKills, seedOr, whole } from '../support/kills/print-kills.ts';
import { runKillsOver } from '../support/kills/run-kills.ts';
import { redisMissing } from '../support/redis.ts';

const size = { seed: seedOr(20_261_124), kills: 5 };
const tenants = tenantsKilled({ tenants: 4, events: 12, people: 5, rows: 3, approvals: 2 });

describe.concurrent(
  'four tenants in a process that is killed at random moments: each has everything once, and nothing of another',
  () => {
    test('over SQLite', async () => {
      expect(printKills(await runKillsOver({ ...size, store: 'sqlite' }, tenants))).toEqual(whole);
    });

    test.skipIf(redisMissing !== null)('two processes over Redis, which is also killed', async () => {
      const options = { ...size, store: 'redis', instances: 2, redisKills: 1 } as const;
      expect(printKills(await runKillsOver(options, tenants))).toEqual(whole);
    });
  },
);

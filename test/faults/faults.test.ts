import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { startHouse } from '../support/house.ts';
import { redisMissing, startRedis } from '../support/redis.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { faults, openWithDatabase } from './faults.ts';
import { look, quizOfTheForm, readReadyz, sendWebhook, steady, timesTold, typeCommand, type Sight } from './sight.ts';
import { readTable, tableOf } from './table.ts';

const file = 'docs/faults.md';
/** `npm run faults` writes the file; otherwise the tests hold it to what they see. */
const writes = process.env['FAULTS'] === 'write';
const seen = new Map<string, Sight>();

describe.each(faults)('$name', (fault) => {
  test.skipIf(fault.needsRedis && redisMissing !== null)(
    'people see what to do, nothing is lost, and nothing is doubled',
    async () => {
      const redis = fault.needsRedis ? await startRedis(temporaryDirectory()) : undefined;
      if (redis) onTestFinished(() => redis.stop());
      let offsetMs = 0;
      const { house, database } = await openWithDatabase(startHouse, {
        now: () => Date.now() + offsetMs,
        env: { WEBHOOK_SCHEME: 'timestamp-body', ...(redis && { REDIS_URL: redis.url }) },
      });
      expect(await readReadyz(house)).toMatch(/^200/);
      expect(await typeCommand(house, '/quiz show forklift')).toContain('Forklift theory test');

      const end = await fault.begin({ house, database, redis, moveClock: (byMs) => (offsetMs = byMs) });
      const { workspace } = house;
      const sight = await look(house, fault.patienceMs);
      const isToldAtOnce = timesTold(house) === 1;
      await end();

      // The service sends again what was not taken, and now and then what was.
      await expect.poll(() => sendWebhook(house), { timeout: 10_000 }).toMatch(/^200 /);
      await workspace.until(() => timesTold(house) > 0, 60_000);
      await expect.poll(() => typeCommand(house, '/quiz list'), { timeout: 30_000, interval: 500 }).toContain('Forklift theory test');
      expect(timesTold(house)).toBe(1);
      const created = house.requests.filter((request) => request === `POST /api/v1/quizzes name=${quizOfTheForm}`).length;
      expect(created).toBeLessThanOrEqual(1);

      const row: Sight = { ...sight, alert: isToldAtOnce ? 'at once' : 'when it is over' };
      const said = Object.fromEntries(Object.entries(row).map(([what, words]) => [what, steady(words)])) as unknown as Sight;
      for (const [what, words] of Object.entries(said)) expect(words, what).toMatch(fault.sees[what as keyof Sight]);
      seen.set(fault.name, said);
    },
    120_000,
  );
});

test.runIf(!writes)(`${file} tells what was seen`, () => {
  const told = readTable(readFileSync(file, 'utf8'));
  for (const [name, sight] of seen) expect(told.get(name)).toEqual(readTable(tableOf(new Map([[name, sight]]))).get(name));
  expect([...told.keys()]).toEqual([...faults.map(({ name }) => name), 'SIGTERM under load']);
});

afterAll(() => {
  if (!writes) return;
  const kept = readTable(readFileSync(file, 'utf8'));
  writeFileSync(file, readFileSync(file, 'utf8').replace(/\| Fault \|[\s\S]*$/, tableOf(new Map([...kept, ...seen]))));
});

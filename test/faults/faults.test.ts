import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { readAnnouncements, countAnnounced, compareDelivery } from '../support/delivery-report.ts';
import { openProcessTestBed } from '../support/process-test-bed.ts';
import { sendEvent, numberedName, numberedSubmission } from '../support/event.ts';
import { startTestBed } from '../support/test-bed.ts';
import { redisMissing, startRedis } from '../support/redis.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { atOnce, faults, openWithDatabase } from './faults.ts';
import { look, quizOfTheForm, readReadyz, sendWebhook, steady, timesTold, typeCommand, type Visibility } from './observation.ts';
import { readTable, tableOf } from './table.ts';

const file = 'docs/faults.md';
/** `npm run faults` writes the file; otherwise the tests hold it to what they see. */
const writes = process.env['FAULTS'] === 'write';
const seen = new Map<string, Visibility>();
const terminated = 'SIGTERM under load';
const names = [...faults.map(({ name }) => name), terminated];

describe.each(faults)('$name', (fault) => {
  test.skipIf(fault.needsRedis && redisMissing !== null)(
    'people see what to do, nothing is lost, and nothing is doubled',
    async () => {
      const redis = fault.needsRedis ? await startRedis(temporaryDirectory()) : undefined;
      if (redis) onTestFinished(() => redis.stop());
      let offsetMs = 0;
      const { testBed, database } = await openWithDatabase(startTestBed, {
        now: () => Date.now() + offsetMs,
        env: { WEBHOOK_SCHEME: 'timestamp-body', ...(redis && { REDIS_URL: redis.url }) },
      });
      expect(await readReadyz(testBed)).toMatch(/^200/);
      expect(await typeCommand(testBed, '/quiz show forklift')).toContain('Forklift theory test');

      const end = await fault.begin({ testBed, database, redis, moveClock: (byMs) => (offsetMs = byMs) });
      const { workspace } = testBed;
      const visibility = await look(testBed, fault.timeoutMs);
      // On a busy machine, a moment after the webhook was taken may be after all that was looked at.
      if (fault.sees.alert === atOnce) await workspace.until(() => timesTold(testBed) === 1, 10_000).catch(() => {});
      const isToldAtOnce = timesTold(testBed) === 1;
      await end();

      // The service sends again what was not taken, and now and then what was.
      await expect.poll(() => sendWebhook(testBed), { timeout: 10_000 }).toMatch(/^200 /);
      await workspace.until(() => timesTold(testBed) > 0, 60_000);
      await expect.poll(() => typeCommand(testBed, '/quiz list'), { timeout: 30_000, interval: 500 }).toContain('Forklift theory test');
      expect(timesTold(testBed)).toBe(1);
      const created = testBed.requests.filter((request) => request === `POST /api/v1/quizzes name=${quizOfTheForm}`).length;
      expect(created).toBeLessThanOrEqual(1);

      const row: Visibility = { ...visibility, alert: isToldAtOnce ? 'at once' : 'when it is over' };
      const said = Object.fromEntries(Object.entries(row).map(([what, words]) => [what, steady(words)])) as unknown as Visibility;
      expect(said).toEqual(Object.fromEntries(Object.entries(fault.sees).map(([what, words]) => [what, expect.stringMatching(words)])));
      seen.set(fault.name, said);
    },
    120_000,
  );
});

describe('SIGTERM under load', () => {
  test('what was taken is posted once after the next start, commands on their way are answered, and nothing new is taken', async () => {
    const box = await openProcessTestBed({ store: 'sqlite' });
    onTestFinished(() => box.close());
    const { workspace } = box;
    const [bot] = box.bots;
    const as = workspace.as(workspace.people.ada.id);
    const channel = workspace.channels.training.id;
    await (await as.command('/quiz list', { channel })).reply();

    const outcomes = new Map<number, string>();
    const sendOne = async (number: number) => {
      const answer = await sendEvent(bot!.url, numberedSubmission(number)).catch(() => undefined);
      outcomes.set(number, answer === undefined ? 'no connection' : `${answer.status} ${(await answer.text()).trim()}`);
    };
    const load = async (worker: number) => {
      for (let number = worker; !outcomes.has(number - 8) || outcomes.get(number - 8)?.startsWith('200'); number += 8) await sendOne(number);
    };
    const loads = Array.from({ length: 8 }, (_, worker) => load(worker));
    await expect.poll(() => outcomes.size, { timeout: 30_000 }).toBeGreaterThan(200);
    const command = await as.command('/quiz show forklift', { channel });
    await Promise.all([bot!.stop(), ...loads]);
    const commandRead = (await command.reply()).text ?? '';
    expect(new Set(outcomes.values())).toEqual(new Set(['200 Taken.', 'no connection']));

    const after = await as.command('/quiz show forklift', { channel });
    const ready = await fetch(`${bot!.url}/readyz`).then(({ status }) => String(status), () => 'no connection');
    await bot!.start();
    const taken = [...outcomes].filter(([, outcome]) => outcome.startsWith('200')).map(([number]) => number);
    const read = () => readAnnouncements(workspace.messages(workspace.channels.results.id));
    await expect.poll(() => countAnnounced(read()), { timeout: 30_000 }).toBeGreaterThanOrEqual(taken.length);
    const sendings = new Map(taken.map((number) => [numberedName(number), { sentAt: 0, takenAt: 0 }]));
    expect(compareDelivery(read(), sendings)).toMatchObject({ lost: 0, duplicated: 0 });
    expect(commandRead).toContain('Forklift theory test');
    expect(after.error).toBe('dispatch_failed');
    seen.set(terminated, {
      command: `one on its way is answered; then Slack: ${after.error}`,
      form: `Slack: ${after.error}`,
      webhook: 'taken and answered 200, or no connection',
      alert: 'after the next start, once',
      readyz: ready,
    });
  }, 90_000);
});

test.runIf(!writes)(`${file} tells what was seen`, () => {
  const told = readTable(readFileSync(file, 'utf8'));
  for (const [name, visibility] of seen) expect(told.get(name)).toEqual(readTable(tableOf(new Map([[name, visibility]]))).get(name));
  expect([...told.keys()]).toEqual(names);
});

afterAll(() => {
  if (!writes) return;
  const text = readFileSync(file, 'utf8');
  const all = new Map([...readTable(text), ...seen]);
  const inOrder = names.flatMap((name) => (all.has(name) ? [[name, all.get(name)!] as const] : []));
  writeFileSync(file, text.replace(/\| Fault \|[\s\S]*$/, () => tableOf(new Map(inOrder))));
});

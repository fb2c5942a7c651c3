import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { readAnnouncements, countAnnounced, compareDelivery } from '../support/delivery-report.ts';
import { openProcessTestBed } from '../support/process-test-bed.ts';
import { sendEvent, numberedName, numberedSubmission } from '../support/event.ts';
import { fastClock } from '../support/fast-clock.ts';
import { startTestBed } from '../support/test-bed.ts';
import { redisMissing, startRedis } from '../support/redis.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { faults, immediately, openWithDatabase } from './faults.ts';
import {
  countAlerts,
  createdQuizName,
  normalize,
  observe,
  readReadyz,
  runCommand,
  sendWebhook,
  type Observation,
} from './observation.ts';

const columns: Record<keyof Observation, string> = {
  command: 'Command (`/quiz show …`)',
  form: 'Form (`/quiz create`)',
  webhook: 'Webhook',
  alert: 'Alert posted',
  readyz: '`/readyz`',
};
const keys = Object.keys(columns) as (keyof Observation)[];

/** Formats the observations, by name of the fault, as a Markdown table. */
function formatTable(observations: ReadonlyMap<string, Observation>): string {
  const rows = [...observations].map(([name, observation]) => [
    name,
    ...keys.map((key) => formatCell(observation[key])),
  ]);
  const head = ['Fault', ...keys.map((key) => columns[key])];
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |\n`).join('');
}

/** Reads a table that `formatTable` has written, from a text that contains it. */
function parseTable(text: string): Map<string, Observation> {
  const rows = text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| Fault') && !line.startsWith('| ---'));
  return new Map(
    rows.map((row) => {
      const [name = '', ...cells] = row.slice(2, -2).split(' | ');
      return [name, Object.fromEntries(keys.map((key, index) => [key, cells[index]])) as unknown as Observation];
    }),
  );
}

function formatCell(text: string): string {
  const short = text.length > 260 ? `${text.slice(0, 80).trimEnd()}…` : text;
  return short.replaceAll('|', '/').replaceAll(/\s+/g, ' ').trim();
}

const file = 'docs/reference/faults.md';
/** `npm run faults` writes the file. Without it, the tests compare the file with their observations. */
const isWriting = process.env['FAULTS'] === 'write';
const observations = new Map<string, Observation>();
const terminated = 'SIGTERM under load';
const names = [...faults.map(({ name }) => name), terminated];

describe.each(faults)('$name', (fault) => {
  test.skipIf(fault.needsRedis && redisMissing !== null)(
    'people see what to do, and nothing is lost or announced twice',
    async () => {
      const redis = fault.needsRedis ? await startRedis(temporaryDirectory()) : undefined;
      if (redis) onTestFinished(() => redis.stop());
      let offsetMs = 0;
      const clock = fastClock(fault.clockRate ?? 1);
      const { testBed, database } = await openWithDatabase(startTestBed, {
        clock: { ...clock, now: () => clock.now() + offsetMs },
        timeouts: fault.timeouts ?? {},
        env: { WEBHOOK_SCHEME: 'timestamp-body', ...(redis && { REDIS_URL: redis.url }) },
      });
      // The owner of the store is compared once the quiz service has listed the users.
      await expect.poll(() => readReadyz(testBed)).toMatch(/^200 .*"storeOwner":"ok"/);
      expect(await runCommand(testBed, '/quiz show forklift')).toContain('Forklift theory test');

      const end = await fault.begin({ testBed, database, redis, moveClock: (byMs) => (offsetMs = byMs) });
      const { workspace } = testBed;
      const observation = await observe(testBed, fault.timeoutMs);
      // On a busy machine, the alert can arrive after the other observations.
      if (fault.expected.alert === immediately) await workspace.until(() => countAlerts(testBed) === 1);
      const isImmediate = countAlerts(testBed) === 1;
      await end();

      // The service resends refused webhooks, and sometimes accepted ones.
      await expect.poll(() => sendWebhook(testBed)).toMatch(/^200 /);
      await workspace.until(() => countAlerts(testBed) > 0);
      await expect.poll(() => runCommand(testBed, '/quiz list'), { interval: 500 }).toContain('Forklift theory test');
      expect(countAlerts(testBed)).toBe(1);
      const created = testBed.requests.filter(
        (request) => request === `POST /api/v1/quizzes name=${createdQuizName}`,
      ).length;
      expect(created).toBeLessThanOrEqual(1);

      const row: Observation = { ...observation, alert: isImmediate ? 'immediately' : 'after the fault' };
      const normalized = Object.fromEntries(
        Object.entries(row).map(([key, text]) => [key, normalize(text)]),
      ) as unknown as Observation;
      expect(normalized).toEqual(
        Object.fromEntries(
          Object.entries(fault.expected).map(([key, pattern]) => [key, expect.stringMatching(pattern)]),
        ),
      );
      observations.set(fault.name, normalized);
    },
    120_000,
  );
});

describe('SIGTERM under load', () => {
  test('accepted webhooks are posted once after the next start, commands in flight get a reply, and nothing new is accepted', async () => {
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
      for (let number = worker; !outcomes.has(number - 8) || outcomes.get(number - 8)?.startsWith('200'); number += 8)
        await sendOne(number);
    };
    const loads = Array.from({ length: 8 }, (_, worker) => load(worker));
    await expect.poll(() => outcomes.size).toBeGreaterThan(200);
    const command = await as.command('/quiz show forklift', { channel });
    await Promise.all([bot!.stop(), ...loads]);
    const commandRead = (await command.reply()).text ?? '';
    expect(new Set(outcomes.values())).toEqual(new Set(['200 Taken.', 'no connection']));

    const after = await as.command('/quiz show forklift', { channel });
    const ready = await fetch(`${bot!.url}/readyz`).then(
      ({ status }) => String(status),
      () => 'no connection',
    );
    await bot!.start();
    const taken = [...outcomes].filter(([, outcome]) => outcome.startsWith('200')).map(([number]) => number);
    const read = () => readAnnouncements(workspace.messages(workspace.channels.results.id));
    await expect.poll(() => countAnnounced(read())).toBeGreaterThanOrEqual(taken.length);
    const sendings = new Map(taken.map((number) => [numberedName(number), { sentAt: 0, takenAt: 0 }]));
    expect(compareDelivery(read(), sendings)).toMatchObject({ lost: [], duplicated: [] });
    expect(commandRead).toContain('Forklift theory test');
    expect(after.error).toBe('dispatch_failed');
    observations.set(terminated, {
      command: `commands in flight get a reply; then Slack: ${after.error}`,
      form: `Slack: ${after.error}`,
      webhook: '200 Taken. (or no connection)',
      alert: 'after the next start',
      readyz: ready,
    });
  });
});

test.runIf(!isWriting)(`${file} matches the observations`, () => {
  const documented = parseTable(readFileSync(file, 'utf8'));
  expect(Object.fromEntries([...observations.keys()].map((name) => [name, documented.get(name)]))).toEqual(
    Object.fromEntries(parseTable(formatTable(observations))),
  );
  expect([...documented.keys()]).toEqual(names);
});

afterAll(() => {
  if (!isWriting) return;
  const text = readFileSync(file, 'utf8');
  const all = new Map([...parseTable(text), ...observations]);
  const inOrder = names.flatMap((name) => (all.has(name) ? [[name, all.get(name)!] as const] : []));
  writeFileSync(
    file,
    text.replace(/\| Fault \|[\s\S]*$/, () => formatTable(new Map(inOrder))),
  );
});

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { right, type Check, type CheckMeaning, type Finding } from '../../src/domain/finding.ts';
import {
  diagnosisOf,
  createHealth,
  createHealthGauges,
  problemWithCode,
  createReadinessRoute,
} from '../../src/health/health.ts';
import { createServiceHealth, serviceMeaning } from '../../src/quiz-api/observed-quiz-api.ts';
import { slackCheck, slackMeaning } from '../../src/slack/slack-finding.ts';
import { contentMeaning, ownerMeaning, storeMeaning, trailMeaning, readOnlyChecks } from '../../src/storage/checks.ts';
import { auditEntry } from '../support/builders/governance.ts';
import { checksOf, openRedis, openSqlite, type OpenStore } from '../support/open-stores.ts';
import { type connectRedis, redisMissing } from '../support/redis.ts';
import { eventually } from '../support/watchdog.ts';
import { Registry } from 'prom-client';
import { statusPage } from '../../src/features/administration/pages/status.ts';
import { drawn } from '../support/as-sent.ts';
import { askRoute } from '../support/loopback.ts';
import { alertsStatus } from '../support/builders/alerts.ts';
import { sentTexts } from '../support/slack-limits.ts';

const storeMeanings = [storeMeaning, contentMeaning, ownerMeaning, trailMeaning];

/** A trail of five entries loses the last two, and its head is set back. */
const cutTrail = {
  sql: 'DELETE FROM audit WHERE position > 3; UPDATE audit_heads SET position = 3, hash = (SELECT hash FROM audit WHERE position = 3)',
  async redis(client: Awaited<ReturnType<typeof connectRedis>>) {
    const key = 'invigilator:{audit:T1}';
    await client.lTrim(`${key}:links`, 0, 2);
    const { hash } = JSON.parse((await client.lIndex(`${key}:links`, 2))!) as { hash: string };
    await client.hSet(`${key}:head`, { position: 3, hash });
  },
};

interface Trouble {
  trouble: string;
  check: CheckMeaning;
  code: string;
  change?: Parameters<OpenStore['change']>[0];
  account?: [workspace: string, userIds: string[]];
}

const troubles: readonly Trouble[] = [
  {
    trouble: 'another store',
    check: contentMeaning,
    code: 'store_content_lost',
    change: {
      sql: "UPDATE keyed_values SET value = json_set(value, '$.id', 'other') WHERE key = 'store'",
      redis: (client) => client.hSet('invigilator:store', 'id', 'other'),
    },
  },
  {
    trouble: 'an older store',
    check: contentMeaning,
    code: 'store_content_lost',
    change: {
      sql: "UPDATE keyed_values SET value = json_set(value, '$.generation', 0) WHERE key = 'store'",
      redis: (client) => client.hSet('invigilator:store', 'generation', 0),
    },
  },
  {
    trouble: 'a store of another workspace',
    check: ownerMeaning,
    code: 'store_of_another_account',
    account: ['T2', ['u-1']],
  },
  {
    trouble: 'a store of another quiz account',
    check: ownerMeaning,
    code: 'store_of_another_account',
    account: ['T1', ['u-9']],
  },
  { trouble: 'a trail that was cut', check: trailMeaning, code: 'audit_trail_cut', change: cutTrail },
];

describe.each([
  ['SQLite', openSqlite, null],
  ['Redis', openRedis, redisMissing],
] as const)('in a store of %s', (_, open, missing) => {
  async function used(): Promise<OpenStore> {
    const store = await open();
    for (let n = 0; n < 5; n += 1) await store.storage.audit.append('T1', auditEntry({ correlationId: String(n) }));
    await expectWell(await checksOf(store.storage), storeMeanings);
    return store;
  }

  test.skipIf(missing !== null).each(troubles)(
    '$trouble shows the same in readiness, status, doctor and metrics, and the doctor finds it in the closed store',
    async ({ check, code, change, account = ['T1', ['u-1']] }) => {
      const { storage, reading, contentFile, ...store } = await used();
      await storage.close();
      if (change) await store.change(change);
      const [workspace, userIds] = account;
      const inDoctor = readOnlyChecks(reading, contentFile, { workspace, userIds: async () => userIds });
      const { finding, doctor } = await shownOf(inDoctor, check);
      const again = await store.reopen();
      const inBot = await expectShownAlike(await checksOf(again, workspace, userIds), check, { code });
      expect({ ...finding, since: undefined, occurrence: undefined }).toEqual({
        ...inBot,
        since: undefined,
        occurrence: undefined,
      });
      expect(doctor).toEqual({ state: 'fault', text: inBot.forOperator });
    },
    30_000,
  );

  test.skipIf(missing !== null)('a whole store is right in the doctor, too', async () => {
    const { storage, reading, contentFile } = await used();
    await storage.close();
    const checks = readOnlyChecks(reading, contentFile, { workspace: 'T1', userIds: async () => ['u-1'] });
    const results = await createHealth({ checks, timeoutMs: 5_000, now: Date.now }).look();
    expect(results.map(diagnosisOf)).toEqual(checks.map(({ well }) => right(well)));
  });
});

describe('a file of SQLite', () => {
  test('that was deleted under the bot shows the same everywhere', async () => {
    const { storage, contentFile } = await openSqlite();
    const checks = await checksOf(storage);
    rmSync(join(dirname(contentFile), 'invigilator.sqlite'));
    const { forOperator } = await expectShownAlike(checks, storeMeaning, { code: 'store_deleted', effect: 'stops' });
    expect(forOperator).toMatch(/was deleted or replaced while the bot runs; stop the bot, restore a backup/);
  });

  test('that is damaged is refused by the bot in the words of the doctor', async () => {
    const { storage, reading, contentFile, reopen } = await openSqlite();
    await storage.close();
    const file = join(dirname(contentFile), 'invigilator.sqlite');
    writeFileSync(file, readFileSync(file).fill(0xab, 4096));
    const inDoctor = readOnlyChecks(reading, contentFile, { workspace: 'T1', userIds: async () => ['u-1'] });
    const { forOperator } = await expectShownAlike(inDoctor, storeMeaning, { code: 'store_damaged', effect: 'stops' });
    await expect(reopen()).rejects.toMatchObject({ code: 'store_damaged', message: forOperator });
  });
});

describe('outside the store', () => {
  test('a store that cannot be used shows the same everywhere', async () => {
    const away = Object.assign(new Error('connect to redis://:canary@10.0.0.1'), { code: 'ECONNREFUSED' });
    const check: Check = { ...storeMeaning, look: () => Promise.reject(away) };
    const { forOperator } = await expectShownAlike([check], storeMeaning, { code: 'ECONNREFUSED', effect: 'stops' });
    expect(forOperator).not.toContain('canary');
  });

  test.each([
    ['refuses the token', { data: { error: 'invalid_auth' } }, 'invalid_auth', /copy the bot token again/],
    ['cannot be reached', { cause: { code: 'ECONNREFUSED' } }, 'ECONNREFUSED', /cannot be reached \(ECONNREFUSED\)/],
    ['delivers nothing', { code: 'socket_gone' }, 'socket_gone', /Socket Mode has no connection/],
  ])('a Slack that %s shows the same everywhere', async (_, details, code, says) => {
    const check = slackCheck(() => Promise.reject(Object.assign(new Error('xoxb-canary'), details)));
    expect((await expectShownAlike([check], slackMeaning, { code, effect: 'stops' })).forOperator).toMatch(says);
  });

  test('a quiz service that does not answer shows the same everywhere, and is not asked for it', async () => {
    const { observe, check } = createServiceHealth();
    expect(await shownOf([check], serviceMeaning)).toMatchObject({
      finding: { effect: 'unknown' },
      readiness: { status: 200, line: 'not asked yet (quiz_service_not_asked)' },
      status: expect.stringContaining('⚪ not called yet'),
      doctor: { state: 'unknown' },
      metric: undefined,
    });
    observe({ failure: 'ConnectionError' });
    await expectShownAlike([check], serviceMeaning, { effect: 'degrades' });
    observe({ failure: 'ForbiddenError' });
    await expectShownAlike([check], serviceMeaning, { code: 'quiz_key_refused', effect: 'degrades' });
    observe({ failure: undefined });
    await eventually(() => expectWell([check], [serviceMeaning]));
  });
});

/** What each place shows of the check of this name, after all of them were asked. */
async function shownOf(checks: readonly Check[], { name, gauge }: CheckMeaning) {
  const health = createHealth({ checks, timeoutMs: 5_000, now: Date.now });
  const results = await health.look();
  const result = results.find(({ check }) => check.name === name)!;
  const { status, body } = await askRoute(createReadinessRoute({ health }));
  const registry = new Registry();
  await createHealthGauges(registry, health)();
  return {
    finding: result.finding,
    readiness: { status, line: (body as Record<string, string>)[name] },
    status: sentTexts(
      drawn(
        statusPage({
          openRequests: 0,
          auditEntries: 0,
          status: {
            health: results,
            unreadable: [],
            requestsLeft: [],
            alerts: alertsStatus(),
            undelivered: { count: 0, lastAt: undefined },
          },
        }),
      ).blocks,
    ).join('\n'),
    doctor: diagnosisOf(result),
    metric: (await registry.metrics()).split('\n').find((line) => line.startsWith(`${gauge.name} `)),
  };
}

/** Every place shows the finding, each its part of it. */
async function expectShownAlike(
  checks: readonly Check[],
  meaning: CheckMeaning,
  expected: Partial<Finding>,
): Promise<Finding> {
  const { finding, readiness, status, doctor, metric } = await shownOf(checks, meaning);
  expect(finding).toMatchObject(expected);
  expect(readiness).toEqual({ status: finding!.effect === 'stops' ? 503 : 200, line: problemWithCode(finding!) });
  expect(readiness.line).not.toContain('canary');
  const ofService = finding!.code === 'quiz_key_refused' ? '🔴 refuses the bot’s API key' : '🔴 not answering';
  expect(status).toContain(meaning === serviceMeaning ? ofService : finding!.forAdministrators.headline);
  expect(doctor).toEqual({ state: 'fault', text: finding!.forOperator });
  expect(metric).toBe(`${meaning.gauge.name} 0`);
  return finding!;
}

async function expectWell(checks: readonly Check[], meanings: readonly CheckMeaning[]): Promise<void> {
  for (const meaning of meanings) {
    const { finding, readiness, status, doctor, metric } = await shownOf(checks, meaning);
    expect({ name: meaning.name, finding }).toEqual({ name: meaning.name, finding: undefined });
    expect(readiness).toEqual({ status: 200, line: 'ok' });
    expect(status).not.toMatch(/🚨|🔴/);
    expect(doctor).toEqual(right(checks.find(({ name }) => name === meaning.name)!.well));
    expect(metric).toBe(`${meaning.gauge.name} 1`);
  }
}

import { expect, test, onTestFinished } from 'vitest';
import type { Finding, Check } from '../../src/domain/finding.ts';
import { createHealth, createReadinessRoute, createHealthWatch, createNotifyOnce } from '../../src/health/health.ts';
import { serviceMeaning } from '../../src/quiz-api/observed-quiz-api.ts';
import { slackMeaning } from '../../src/slack/slack-finding.ts';
import { contentMeaning, ownerMeaning, storeMeaning, trailMeaning } from '../../src/storage/checks.ts';
import { trailCut, lostContent, olderContent } from '../support/builders/findings.ts';
import { askRoute } from '../support/loopback.ts';
import { Keyv } from 'keyv';
import { createOneAtATime, createLeases } from '../../src/storage/leases.ts';
import { createMemoryLeaseStore } from '../../src/storage/sqlite/sqlite-storage.ts';
import { recordingLog } from '../support/log.ts';

/** What a check that cannot be made means for readiness. */
const meanings = [
  [storeMeaning, 'stops'],
  [contentMeaning, 'unknown'],
  [ownerMeaning, 'unknown'],
  [trailMeaning, 'unknown'],
  [slackMeaning, 'stops'],
  [serviceMeaning, 'unknown'],
] as const;

test.each(meanings)(
  'a check of $name that throws or hangs is a finding, and the others are asked',
  async (meaning, effect) => {
    const other = meaning === storeMeaning ? slackMeaning : storeMeaning;
    const failures = [
      () => {
        throw new Error('at once');
      },
      () => Promise.reject(new Error('later')),
      () => new Promise<never>(() => {}),
    ];
    for (const look of failures) {
      const health = createHealth({
        checks: [
          { ...meaning, look },
          { ...other, look: async () => undefined },
        ],
        timeoutMs: 20,
        now: () => 0,
      });
      const [result, well] = await health.look();
      expect(result).toMatchObject({ check: meaning, finding: { effect } });
      expect(well).toMatchObject({ check: other, finding: undefined });
    }
  },
);

test('a finding says when all was last known to be well', async () => {
  let [time, isWell] = [1_000, true];
  const look = async () => {
    if (!isWell) throw new Error('away');
    return undefined;
  };
  const health = createHealth({ checks: [{ ...storeMeaning, look }], timeoutMs: 20, now: () => time });
  await health.look();
  [time, isWell] = [5_000, false];
  expect((await health.look())[0]!.finding!.since).toBe(1_000);
});

test('an occurrence is reported once, however often it is asked for, and the next one again', async () => {
  const found: string[] = [];
  let finding: Finding | undefined = trailCut;
  const health = createHealth({
    checks: [{ ...trailMeaning, look: async () => finding }],
    timeoutMs: 20,
    now: () => 0,
    onFound: (check, { occurrence }) => found.push(`${check.name} ${occurrence}`),
  });
  await Promise.all([health.look(), health.look()]);
  await health.look();
  expect(found).toEqual(['auditTrail T1:120']);
  finding = { ...trailCut, occurrence: 'T1:130' };
  await health.look();
  expect(found).toEqual(['auditTrail T1:120', 'auditTrail T1:130']);
});

const well: Check = { ...storeMeaning, look: async () => undefined };

const healthOf = (...checks: Check[]) => createHealth({ checks, timeoutMs: 20, now: () => 0 });

test('/readyz answers though a check hangs, and asks it once for all who ask meanwhile', async () => {
  let asked = 0;
  const hanging: Check = { ...slackMeaning, look: () => new Promise(() => (asked += 1)) };
  const route = createReadinessRoute({ health: healthOf(well, hanging) });
  const answers = [await askRoute(route), await askRoute(route)];
  for (const { status, body } of answers) {
    expect(status).toBe(503);
    expect(body).toEqual({ ready: false, store: 'ok', slack: 'Slack cannot be used (it does not answer in time)' });
  }
  expect(asked).toBe(1);
});

test('/readyz asks again after a check has ended, and survives one that throws at once', async () => {
  let asked = 0;
  const throwing: Check = {
    ...storeMeaning,
    look() {
      asked += 1;
      if (asked === 1) throw new Error('at once');
      return Promise.resolve(undefined);
    },
  };
  const route = createReadinessRoute({ health: healthOf(throwing) });
  expect((await askRoute(route)).body).toEqual({ ready: false, store: 'the store cannot be used (Error)' });
  expect((await askRoute(route)).status).toBe(200);
});

test('a bot that is shutting down is not ready, and says so', async () => {
  const { status, body } = await askRoute(createReadinessRoute({ health: healthOf(well), isStopping: () => true }));
  expect(status).toBe(503);
  expect(body).toEqual({ ready: false, bot: 'is shutting down', store: 'ok' });
});

/** The store that instances share. */
function sharedStore() {
  const values = new Map();
  return {
    kv: <Value>(namespace: string) => new Keyv<Value>({ store: values, namespace }),
    oneAtATime: createOneAtATime({
      leases: createLeases(createMemoryLeaseStore(Date.now)),
      sleep: async () => {},
    }),
  };
}

/** An instance whose watch looks once for each call of `look`. */
function startInstance(
  storage: ReturnType<typeof sharedStore>,
  checks: readonly Check[],
  tellAdministrators: (finding: Finding) => Promise<void>,
) {
  let looked = Promise.withResolvers<void>();
  const watch = createHealthWatch({
    health: createHealth({ checks, timeoutMs: 1_000, now: Date.now }),
    notifyOnce: createNotifyOnce({ storage, oneAtATime: storage.oneAtATime, tellAdministrators }),
    async sleep(_ms, signal) {
      looked.resolve();
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    },
    log: recordingLog().log,
  });
  let lookAgain = watch.start;
  onTestFinished(() => watch.stop());
  return {
    async look() {
      looked = Promise.withResolvers();
      lookAgain();
      await looked.promise;
      lookAgain = watch.runSoon;
    },
  };
}

test('administrators are notified once about what is urgent, by one instance, and again about the next occurrence', async () => {
  let finding = lostContent;
  const checks = [{ ...contentMeaning, look: async () => finding }];
  const told: (string | undefined)[] = [];
  const storage = sharedStore();
  const instances = [1, 2].map((instance) =>
    startInstance(storage, checks, async ({ occurrence }) => void told.push(`${instance} ${occurrence}`)),
  );
  for (const instance of [...instances, ...instances]) await instance.look();
  expect(told).toEqual(['1 replaced:new']);
  finding = olderContent;
  for (const instance of instances.toReversed()) await instance.look();
  expect(told).toEqual(['1 replaced:new', '2 older:old']);
});

test('administrators who could not be reached are notified at the next look', async () => {
  const told: string[] = [];
  const { look } = startInstance(
    sharedStore(),
    [{ ...contentMeaning, look: async () => lostContent }],
    async ({ code }) => {
      told.push(code);
      if (told.length === 1) throw new Error('Slack is away');
    },
  );
  for (let looks = 0; looks < 3; looks += 1) await look();
  expect(told).toEqual(['store_content_lost', 'store_content_lost']);
});

test('an instance tells administrators itself where the one that was telling them failed', async () => {
  const storage = sharedStore();
  const checks = [{ ...contentMeaning, look: async () => lostContent }];
  const telling = Promise.withResolvers<void>();
  const failing = Promise.withResolvers<void>();
  const first = startInstance(storage, checks, async () => {
    telling.resolve();
    await failing.promise;
  });
  const told: string[] = [];
  const second = startInstance(storage, checks, async ({ code }) => void told.push(code));
  const firstLook = first.look();
  await telling.promise;
  await second.look();
  expect(told).toEqual([]);
  failing.reject(new Error('Slack is away'));
  await firstLook;
  await second.look();
  expect(told).toEqual(['store_content_lost']);
});

test('what is not urgent is told to nobody, and what people use is not looked at', async () => {
  const looked: string[] = [];
  const told: string[] = [];
  const { look } = startInstance(
    sharedStore(),
    [storeMeaning, trailMeaning].map((meaning) => ({
      ...meaning,
      async look() {
        looked.push(meaning.name);
        return trailCut;
      },
    })),
    async ({ code }) => void told.push(code),
  );
  await look();
  expect({ looked, told }).toEqual({ looked: ['auditTrail'], told: [] });
});

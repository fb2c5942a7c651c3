import { Keyv } from 'keyv';
import { expect, onTestFinished, test } from 'vitest';
import type { Check, Finding } from '../../src/domain/finding.ts';
import { createHealth, createHealthWatch, createNotifyOnce } from '../../src/health/health.ts';
import { contentMeaning, storeMeaning, trailMeaning } from '../../src/storage/checks.ts';
import { createOneAtATime, createLeases } from '../../src/storage/leases.ts';
import { createMemoryLeaseStore } from '../../src/storage/sqlite/sqlite-storage.ts';
import { lostContent, olderContent, trailCut } from '../support/builders/findings.ts';
import { recordingLog } from '../support/log.ts';

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

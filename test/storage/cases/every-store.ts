import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Storage } from '../../../src/storage/records.ts';
import type { SetTimer } from '../../../src/time/clock.ts';
import { createHandTimers } from '../../support/virtual-clock.ts';
import { approvalsCases } from './approvals.ts';
import { auditCases } from './audit.ts';
import { cleansingCases } from './cleansing.ts';
import { inboxCases } from './inbox.ts';
import { outboxCases } from './outbox.ts';
import { subscriptionsCases } from './subscriptions.ts';
import type { OpenedStore } from './opened-store.ts';
import { holdLease, isFree } from '../../support/held-lease.ts';
import { eventually } from '../../support/watchdog.ts';

/** What holds for a store, whichever it is. `open` opens what there is: a second call is a restart. `setTimer` is for its leases. */
export function holdsFor(open: (setTimer: SetTimer) => Promise<Storage>): void {
  let storage: Storage;
  let timers: ReturnType<typeof createHandTimers>;
  beforeEach(async () => {
    timers = createHandTimers();
    storage = await open(timers.setTimer);
  });
  afterEach(() => storage.close().catch(() => {}));

  const store = {
    storage: () => storage,
    timers: () => timers,
    async restart() {
      await storage.close();
      storage = await open(timers.setTimer);
    },
  };
  inboxCases(store);
  outboxCases(store);
  subscriptionsCases(store);
  talliesCases(store);
  keyedValuesCases(store);
  approvalsCases(store);
  auditCases(store);
  cleansingCases(store);
  leasesCases(store);
}

function talliesCases(store: OpenedStore): void {
  const counters = () => store.storage().counters;

  describe('counters', () => {
    test('add up by name and field, with concurrent writers and across a restart', async () => {
      await Promise.all(Array.from({ length: 50 }, () => counters().add('webhooks', { taken: 1, refused: 2 })));
      await counters().add('other', { taken: 7 });
      await store.restart();
      await counters().add('webhooks', { taken: 1, 'refused: too old': 1 });
      await counters().add('webhooks', {});
      expect(await counters().of('webhooks')).toEqual({ taken: 51, refused: 100, 'refused: too old': 1 });
      expect(await counters().of('other')).toEqual({ taken: 7 });
      expect(await counters().of('none')).toEqual({});
    });

    test('can be raised to a greater number, but not lowered', async () => {
      const now = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
      await Promise.all([now, now + 2, now + 1].map((time) => counters().raise('webhooks', 'last', time)));
      expect(await counters().of('webhooks')).toEqual({ last: now + 2 });
      await counters().raise('webhooks', 'last', 5);
      expect(await counters().of('webhooks')).toEqual({ last: now + 2 });
    });
  });
}

function keyedValuesCases(store: OpenedStore): void {
  describe('key-value pairs', () => {
    test('are stored by namespace, across a restart', async () => {
      await store.storage().kv('plans').set('key', { n: 1 });
      await store.storage().kv('batch-rows').set('key', { n: 2 });
      await store.restart();
      expect(await store.storage().kv('plans').get('key')).toEqual({ n: 1 });
      expect(await store.storage().kv('batch-rows').get('key')).toEqual({ n: 2 });
      expect(await store.storage().kv('plans').get('missing')).toBeUndefined();
    });

    test('are cleared by namespace, even if its name is a prefix of another', async () => {
      const [one, oneMore] = [store.storage().kv('plans'), store.storage().kv('plans-more' as 'plans')];
      await one.set('key', 1);
      await oneMore.set('key', 2);
      await one.clear();
      expect(await one.get('key')).toBeUndefined();
      expect(await oneMore.get('key')).toBe(2);
    });
  });
}

function leasesCases(store: OpenedStore): void {
  const leases = () => store.storage().leases;

  describe('a lease', () => {
    test('has one holder until its work is done, and gives what the work gave', async () => {
      const a = await holdLease(leases(), 'a');
      expect(await isFree(leases(), 'a')).toBe(false);
      expect(await leases().withLease('b', 60_000, async () => 'done')).toEqual({ held: true, value: 'done' });
      await a.release();
      expect(await isFree(leases(), 'a')).toBe(true);
    });

    test('has one holder of many who try at once', async () => {
      const doors = Promise.withResolvers<void>();
      const tries = Array.from({ length: 10 }, () => leases().withLease('a', 60_000, () => doors.promise));
      await Promise.any(tries.map(async (one) => ((await one).held ? Promise.reject(new Error('held')) : undefined)));
      doors.resolve();
      expect((await Promise.all(tries)).filter(({ held }) => held)).toHaveLength(1);
    });

    test('is released by work that fails, with its error', async () => {
      await expect(
        leases().withLease('a', 60_000, async () => Promise.reject(new Error('the work failed'))),
      ).rejects.toThrow('the work failed');
      expect(await isFree(leases(), 'a')).toBe(true);
    });

    test('stays its holder’s after it was renewed', async () => {
      const { signal } = await holdLease(leases(), 'a');
      store.timers().fire(20_000);
      // Shorter timers are those of the store’s own checks.
      await expect
        .poll(() =>
          store
            .timers()
            .pending()
            .filter((afterMs) => afterMs >= 20_000),
        )
        .toEqual([60_000, 20_000]);
      expect(signal.aborted).toBe(false);
      expect(await isFree(leases(), 'a')).toBe(false);
    });

    test('that expired is another’s: the late holder learns it, and does not free it', async () => {
      const late = await holdLease(leases(), 'a', 3);
      await eventually(() => holdLease(leases(), 'a'));
      expect(late.signal.aborted).toBe(false);
      store.timers().fire(1);
      await expect.poll(() => late.signal.aborted).toBe(true);
      await late.release();
      expect(await isFree(leases(), 'a')).toBe(false);
    });
  });
}

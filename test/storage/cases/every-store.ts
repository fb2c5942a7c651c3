import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Storage } from '../../../src/storage/records.ts';
import type { SetTimer } from '../../../src/time/clock.ts';
import { createHandTimers } from '../../support/virtual-clock.ts';
import { inboxCases } from './inbox.ts';
import { outboxCases } from './outbox.ts';
import { approvalsCases, auditCases, subscriptionsCases, type OpenedStore } from './records.ts';
import { holdLease, isFree } from '../../support/held-lease.ts';
import { eventually } from '../../support/watchdog.ts';
import { newEvent } from '../../support/event.ts';
import { subscription } from '../../support/builders/alerts.ts';
import { approvalRequest, auditEntry } from '../../support/builders/governance.ts';

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

    test('say when the store is away, as all of it does, and do not look empty', async () => {
      const { kv, inbox, outbox, ping, close } = store.storage();
      const plans = kv('plans');
      await close();
      await expect(plans.get('key')).rejects.toThrow();
      await expect(plans.set('key', 1)).rejects.toThrow();
      await expect(inbox.take(newEvent({ id: 'a' }))).rejects.toThrow();
      await expect(outbox.commit(queue, { version: 0, state: {}, isBusy: false })).rejects.toThrow();
      await expect(outbox.queues()).rejects.toThrow();
      await expect(ping()).rejects.toThrow();
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

const queue = 'campaign/T1/1';

function cleansingCases(store: OpenedStore): void {
  const withoutRosa = (_: unknown, text: string) => text.replaceAll('Rosa', 'nobody');

  async function fill(): Promise<void> {
    const { outbox, subscriptions, approvals, audit, kv } = store.storage();
    await kv('plans').set('key', { name: 'Rosa' }, 60_000);
    await outbox.commit(queue, { version: 0, state: { name: 'Rosa' }, isBusy: true });
    await outbox.put([
      { queue, subscriptionId: 's-9', at: 1, content: { kind: 'campaign-event', event: { by: 'Rosa' } } as never },
    ]);
    await subscriptions.add(subscription({ id: 's-1', teamId: 'T1', ownerId: 'Rosa' }));
    await approvals.add(approvalRequest({ id: 'a-1', teamId: 'T1', reason: 'Rosa left' }));
    await audit.append('T1', auditEntry({ targets: [{ kind: 'user', id: '17', name: 'Rosa' }] }));
  }

  describe('what is taken out of the store', () => {
    test('is taken out of every text but the audit trail, and what was read before is out of date', async () => {
      await fill();
      const before = store.storage();
      const { request } = (await before.approvals.byId('T1', 'a-1'))!;
      expect(await before.cleansing.rewrite(withoutRosa)).toBe(5);
      expect(await before.cleansing.rewrite(withoutRosa)).toBe(0);
      expect(await before.outbox.commit(queue, { version: 1, state: { name: 'Rosa' }, isBusy: true })).toBe(false);
      expect(await before.approvals.replace(request, 1)).toBe(false);
      await store.restart();
      const { outbox, subscriptions, approvals, audit, kv } = store.storage();
      expect(await kv('plans').get('key')).toEqual({ name: 'nobody' });
      expect(await outbox.stateOf(queue)).toEqual({ version: 2, state: { name: 'nobody' } });
      expect(await outbox.waiting(queue, { limit: 9 })).toMatchObject([{ content: { event: { by: 'nobody' } } }]);
      expect(await outbox.queues()).toMatchObject([{ queue, waiting: 1 }]);
      expect(await subscriptions.all('T1')).toMatchObject([{ ownerId: 'nobody' }]);
      expect(await approvals.byId('T1', 'a-1')).toMatchObject({ version: 2, request: { reason: 'nobody left' } });
      expect((await audit.latest('T1', 1))[0]?.entry.targets).toMatchObject([{ name: 'Rosa' }]);
    });

    test('is taken out of the parts of a state, whose version grows', async () => {
      const { outbox, cleansing } = store.storage();
      const parts = new Map(['Ada', 'Rosa', 'Rosa’s lead'].entries());
      await outbox.commit(queue, { version: 0, state: {}, isBusy: true, parts: { count: 3, changed: parts } });
      expect(await cleansing.rewrite(withoutRosa)).toBe(2);
      expect(await cleansing.rewrite(withoutRosa)).toBe(0);
      expect(await outbox.stateWithParts(queue)).toEqual({
        version: 3,
        state: {},
        parts: new Map(['Ada', 'nobody', 'nobody’s lead'].entries()),
      });
    });

    test('leaves everything else as it is, and writes wait until the files are compact', async () => {
      await fill();
      const { cleansing, kv, outbox, audit } = store.storage();
      expect(await cleansing.rewrite((_, text) => text)).toBe(0);
      const [isDone] = await Promise.all([
        cleansing.compact(),
        kv('plans').set('meanwhile', 1),
        outbox.commit(queue, { version: 1, state: { name: 'Ravi' }, isBusy: false }),
        audit.append('T1', auditEntry()),
      ]);
      expect(isDone).toBe(true);
      await store.restart();
      expect(await store.storage().kv('plans').get('meanwhile')).toBe(1);
      expect(await store.storage().outbox.stateOf(queue)).toMatchObject({ state: { name: 'Ravi' } });
      expect(await store.storage().audit.head('T1')).toMatchObject({ position: 2 });
    });
  });
}

import { describe, expect, test } from 'vitest';
import { subscription } from '../../support/builders/alerts.ts';
import { approvalRequest, auditEntry } from '../../support/builders/governance.ts';
import type { OpenedStore } from './opened-store.ts';

const queue = 'campaign/T1/1';

export function cleansingCases(store: OpenedStore): void {
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

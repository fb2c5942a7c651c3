import { describe, expect, test } from 'vitest';
import { approvalRequest } from '../../support/builders/governance.ts';
import type { OpenedStore } from './opened-store.ts';

export function approvalsCases(store: OpenedStore): void {
  describe('requests for approval', () => {
    test('are stored by workspace and id, across a restart', async () => {
      const request = approvalRequest({ id: 'a', teamId: 'T1' });
      await store.storage().approvals.add(request);
      await store.restart();
      expect(await store.storage().approvals.byId('T1', 'a')).toEqual({ request, version: 1 });
      expect(await store.storage().approvals.byId('T2', 'a')).toBeUndefined();
      expect(await store.storage().approvals.byId('T1', 'b')).toBeUndefined();
      await expect(store.storage().approvals.add(request)).rejects.toThrow();
    });

    test('are replaced only from the version last read', async () => {
      const request = approvalRequest({ id: 'a' });
      await store.storage().approvals.add(request);
      expect(await store.storage().approvals.replace({ ...request, state: 'decided' }, 1)).toBe(true);
      expect(await store.storage().approvals.replace({ ...request, state: 'closed' }, 1)).toBe(false);
      expect(await store.storage().approvals.byId(request.teamId, 'a')).toMatchObject({
        request: { state: 'decided' },
        version: 2,
      });
    });

    test('are replaced once by a hundred concurrent attempts', async () => {
      const request = approvalRequest({ id: 'a' });
      await store.storage().approvals.add(request);
      const tries = await Promise.all(
        Array.from({ length: 100 }, (_, n) => store.storage().approvals.replace({ ...request, reason: String(n) }, 1)),
      );
      expect(tries.filter(Boolean)).toHaveLength(1);
      expect((await store.storage().approvals.byId(request.teamId, 'a'))?.request.reason).toBe(
        String(tries.indexOf(true)),
      );
    });

    test('are added once by a hundred concurrent attempts of one person for the same change', async () => {
      const request = approvalRequest({ teamId: 'T1', input: { users: ['u-2', 'u-1'], name: ['“é”'], none: [] } });
      const attempts = await Promise.all(
        Array.from({ length: 100 }, (_, n) =>
          store.storage().approvals.addUnlessOpen({ ...request, id: `r-${n}`, reason: String(n) }),
        ),
      );
      const [first, ...more] = await store.storage().approvals.pending('T1');
      expect(more).toEqual([]);
      expect(attempts.filter((open) => open === undefined)).toHaveLength(1);
      expect(attempts.filter((open) => open !== undefined)).toEqual(
        Array.from({ length: 99 }, () => ({ request: first, version: 1 })),
      );
    });

    test.each<[string, object]>([
      ['another person', { requesterId: 'U0OTHER' }],
      ['another operation', { operation: 'delete-user' }],
      ['another workspace', { teamId: 'T2' }],
      ['another input', { input: { user: ['u-rosa', 'u-ravi'] } }],
      ['an input with one field more', { input: { user: ['u-rosa'], name: ['x'] } }],
      ['an input without a field', { input: {} }],
    ])('are added beside an open one of %s', async (_, other) => {
      const request = approvalRequest({ id: 'a', teamId: 'T1' });
      const { approvals } = store.storage();
      await approvals.add(request);
      expect(await approvals.addUnlessOpen({ ...request, id: 'b', ...other })).toBeUndefined();
      expect(await approvals.byId('T1', 'a')).toEqual({ request, version: 1 });
    });

    test('are added beside the same ones that are not open any more, and not under a taken id', async () => {
      const request = approvalRequest({ id: 'a' });
      const { approvals } = store.storage();
      await approvals.add({ ...request, state: 'decided' });
      await expect(approvals.addUnlessOpen(request)).rejects.toThrow();
      expect(await approvals.addUnlessOpen({ ...request, id: 'b' })).toBeUndefined();
      await approvals.replace({ ...request, id: 'b', reason: 'Another' }, 1);
      expect(await approvals.addUnlessOpen({ ...request, id: 'c' })).toEqual({
        request: { ...request, id: 'b', reason: 'Another' },
        version: 2,
      });
    });

    test('are pending until they are announced, oldest first', async () => {
      const [first, second, third] = [3, 1, 2].map((createdAt) => approvalRequest({ id: `r-${createdAt}`, createdAt }));
      for (const request of [first!, second!, third!]) await store.storage().approvals.add(request);
      await store.storage().approvals.replace({ ...third!, state: 'closed' }, 1);
      expect((await store.storage().approvals.pending(first!.teamId)).map(({ id }) => id)).toEqual([
        'r-1',
        'r-2',
        'r-3',
      ]);
      await store.storage().approvals.replace({ ...third!, state: 'announced' }, 2);
      expect((await store.storage().approvals.pending(first!.teamId)).map(({ id }) => id)).toEqual(['r-1', 'r-3']);
      expect(await store.storage().approvals.pending('T-other')).toEqual([]);
    });
  });
}

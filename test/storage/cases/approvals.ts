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
      expect(await store.storage().approvals.byId(request.teamId, 'a')).toMatchObject({ request: { state: 'decided' }, version: 2 });
    });

    test('are replaced once by a hundred concurrent attempts', async () => {
      const request = approvalRequest({ id: 'a' });
      await store.storage().approvals.add(request);
      const tries = await Promise.all(Array.from({ length: 100 }, (_, n) => store.storage().approvals.replace({ ...request, reason: String(n) }, 1)));
      expect(tries.filter(Boolean)).toHaveLength(1);
      expect((await store.storage().approvals.byId(request.teamId, 'a'))?.request.reason).toBe(String(tries.indexOf(true)));
    });

    test('are pending until they are announced, oldest first', async () => {
      const [first, second, third] = [3, 1, 2].map((createdAt) => approvalRequest({ id: `r-${createdAt}`, createdAt }));
      for (const request of [first!, second!, third!]) await store.storage().approvals.add(request);
      await store.storage().approvals.replace({ ...third!, state: 'closed' }, 1);
      expect((await store.storage().approvals.pending(first!.teamId)).map(({ id }) => id)).toEqual(['r-1', 'r-2', 'r-3']);
      await store.storage().approvals.replace({ ...third!, state: 'announced' }, 2);
      expect((await store.storage().approvals.pending(first!.teamId)).map(({ id }) => id)).toEqual(['r-1', 'r-3']);
      expect(await store.storage().approvals.pending('T-other')).toEqual([]);
    });
  });
}

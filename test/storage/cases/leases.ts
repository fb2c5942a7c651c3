import { describe, expect, test } from 'vitest';
import type { OpenedStore } from './opened-store.ts';

export function leasesCases(store: OpenedStore): void {
  describe('a lease', () => {
    test('is one holder’s until they release it', async () => {
      expect(await store.storage().leases.take('a', 60_000)).toBe(true);
      expect(await store.storage().leases.take('a', 60_000)).toBe(false);
      expect(await store.storage().leases.take('b', 60_000)).toBe(true);
      await store.storage().leases.release('a');
      expect(await store.storage().leases.take('a', 60_000)).toBe(true);
    });

    test('ends by itself', async () => {
      await store.storage().leases.take('a', 1);
      await expect.poll(() => store.storage().leases.take('a', 60_000)).toBe(true);
    });
  });
}

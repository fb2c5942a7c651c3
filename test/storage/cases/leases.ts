import { describe, expect, test } from 'vitest';
import { holdLease, isFree } from '../../support/held-lease.ts';
import type { OpenedStore } from './opened-store.ts';
import { eventually } from '../../support/watchdog.ts';

export function leasesCases(store: OpenedStore): void {
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

import { describe, expect, test, vi } from 'vitest';
import { createLeases, type LeaseStore } from '../../src/storage/leases.ts';
import { createMemoryLeaseStore } from '../../src/storage/sqlite/sqlite-storage.ts';
import { createHandTimers, settle } from '../support/virtual-clock.ts';
import { holdLease } from '../support/held-lease.ts';

const ttlMs = 60_000;

function setUp() {
  let now = 1_000;
  const kept = createMemoryLeaseStore(() => now);
  const store = {
    take: vi.fn<LeaseStore['take']>(kept.take),
    renew: vi.fn<LeaseStore['renew']>(kept.renew),
    release: vi.fn<LeaseStore['release']>(kept.release),
  };
  const timers = createHandTimers();
  const pass = async (ms: number, fired: number) => {
    now += ms;
    timers.fire(fired);
    await settle();
  };
  return { store, timers, pass, leases: createLeases(store, timers.setTimer, () => now) };
}

describe('while the work lasts, a lease', () => {
  test('is renewed every third of its time', async () => {
    const { leases, pass } = setUp();
    const { signal, isHeld, release } = await holdLease(leases, 'a', ttlMs);
    for (let time = 0; time < 9; time += 1) {
      await pass(20_000, 20_000);
      expect([signal.aborted, isHeld()]).toEqual([false, true]);
    }
    await expect(holdLease(leases, 'a')).rejects.toThrow('somebody else holds the lease a');
    await release();
  });

  test('is lost where another token has it', async () => {
    const { leases, pass, timers } = setUp();
    const { signal, release } = await holdLease(leases, 'a', ttlMs);
    await pass(ttlMs, 0);
    const other = await holdLease(leases, 'a', 90_000);
    await pass(0, 20_000);
    expect(signal.reason).toEqual(new Error('the lease a is lost'));
    await release();
    expect(timers.pending()).toEqual([90_000, 30_000]);
    expect(other.signal.aborted).toBe(false);
  });

  test('is not held after its time, though the process stood still and no timer has fired', async () => {
    const { leases, pass } = setUp();
    const { isHeld, signal } = await holdLease(leases, 'a', ttlMs);
    await pass(ttlMs - 1, 0);
    expect(isHeld()).toBe(true);
    await pass(1, 0);
    expect([isHeld(), signal.aborted]).toEqual([false, false]);
  });

  test('is lost after its time where the store does not answer, and not before', async () => {
    const { leases, pass, store } = setUp();
    const { signal } = await holdLease(leases, 'a', ttlMs);
    store.renew.mockRejectedValueOnce(new Error('away')).mockReturnValueOnce(new Promise(() => {}));
    await pass(20_000, 20_000);
    await pass(20_000, 20_000);
    expect([store.renew.mock.calls.length, signal.aborted]).toEqual([2, false]);
    await pass(20_000, ttlMs);
    expect(signal.aborted).toBe(true);
  });

  test('is kept where the store answers again in time', async () => {
    const { leases, pass, store, timers } = setUp();
    const { signal } = await holdLease(leases, 'a', ttlMs);
    store.renew.mockRejectedValueOnce(new Error('away'));
    await pass(20_000, 20_000);
    await pass(20_000, 20_000);
    expect([signal.aborted, timers.pending()]).toEqual([false, [ttlMs, 20_000]]);
  });
});

test('a lease leaves no timer behind, whatever becomes of it', async () => {
  const { leases, store, timers } = setUp();
  const { release } = await holdLease(leases, 'a', ttlMs);
  expect(await leases.withLease('a', ttlMs, async () => {})).toEqual({ held: false });
  const renewing = Promise.withResolvers<boolean>();
  store.renew.mockReturnValueOnce(renewing.promise);
  timers.fire(20_000);
  await release();
  renewing.resolve(true);
  await settle();
  store.take.mockRejectedValueOnce(new Error('away'));
  await expect(leases.withLease('a', ttlMs, async () => {})).rejects.toThrow('away');
  expect(timers.pending()).toEqual([]);
});

test('a lease is free again after work that fails, with its error', async () => {
  const { leases } = setUp();
  const work = leases.withLease('a', ttlMs, async () => Promise.reject(new Error('the work failed')));
  await expect(work).rejects.toThrow('the work failed');
  expect(await leases.withLease('a', ttlMs, async () => 'free')).toEqual({ held: true, value: 'free' });
});

test('what was done stays done where the lease cannot be released', async () => {
  const { leases, store } = setUp();
  store.release.mockRejectedValueOnce(new Error('away'));
  expect(await leases.withLease('a', ttlMs, async () => 'done')).toEqual({ held: true, value: 'done' });
});

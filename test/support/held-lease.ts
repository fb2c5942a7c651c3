import type { Leases } from '../../src/storage/storage.ts';

/** Takes and holds a lease. `signal` is the signal of the holder. Fails if the lease is already held. */
export async function holdLease(
  leases: Leases,
  name: string,
  ttlMs = 60_000,
): Promise<{ signal: AbortSignal; release(): Promise<void> }> {
  const taken = Promise.withResolvers<AbortSignal>();
  const ending = Promise.withResolvers<void>();
  const held = leases.withLease(name, ttlMs, async (signal) => {
    taken.resolve(signal);
    await ending.promise;
  });
  held.then((lease) => lease.held || taken.reject(new Error(`somebody else holds the lease ${name}`)), taken.reject);
  return {
    signal: await taken.promise,
    async release() {
      ending.resolve();
      await held;
    },
  };
}

/** Whether another holder can take the lease now. */
export async function isFree(leases: Leases, name: string): Promise<boolean> {
  return (await leases.withLease(name, 60_000, async () => {})).held;
}

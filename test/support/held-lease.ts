import type { Lease, Leases } from '../../src/storage/leases.ts';

/** A lease that nobody takes away. */
export const heldLease: Lease = { signal: new AbortController().signal, isHeld: () => true };

/** Takes and holds a lease. Fails if the lease is already held. */
export async function holdLease(
  leases: Leases,
  name: string,
  ttlMs = 60_000,
): Promise<Lease & { release(): Promise<void> }> {
  const taken = Promise.withResolvers<Lease>();
  const ending = Promise.withResolvers<void>();
  const held = leases.withLease(name, ttlMs, async (lease) => {
    taken.resolve(lease);
    await ending.promise;
  });
  held.then((lease) => lease.held || taken.reject(new Error(`somebody else holds the lease ${name}`)), taken.reject);
  return {
    ...(await taken.promise),
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

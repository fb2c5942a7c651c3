import type { LeaseStore } from '../leases.ts';

/** Leases of a single process. They end with it, so that a restart finds all of them free. */
export function createMemoryLeaseStore(now: () => number): LeaseStore {
  const leases = new Map<string, { token: string; endsAt: number }>();
  const isHeldBy = (name: string, token: string) =>
    leases.get(name)?.token === token && leases.get(name)!.endsAt > now();

  return {
    async take(name, token, ttlMs) {
      const lease = leases.get(name);
      if (lease !== undefined && lease.endsAt > now()) return false;
      leases.set(name, { token, endsAt: now() + ttlMs });
      return true;
    },
    async renew(name, token, ttlMs) {
      if (!isHeldBy(name, token)) return false;
      leases.set(name, { token, endsAt: now() + ttlMs });
      return true;
    },
    async release(name, token) {
      if (leases.get(name)?.token === token) leases.delete(name);
    },
  };
}

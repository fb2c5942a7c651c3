import type { Leases } from '../storage.ts';

/** Leases of the only process there is: they end with it, so what it left behind is free at once. */
export function createMemoryLeases(now: () => number): Leases {
  const endsAt = new Map<string, number>();
  return {
    async take(name, forMs) {
      if ((endsAt.get(name) ?? -Infinity) > now()) return false;
      endsAt.set(name, now() + forMs);
      return true;
    },
    async release(name) {
      endsAt.delete(name);
    },
  };
}

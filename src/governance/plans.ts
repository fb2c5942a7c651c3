import type { Keyv } from 'keyv';
import type { Plan } from '../domain/plan.ts';
import type { Plans } from '../operations/context.ts';
import type { Leases } from '../storage/storage.ts';

/** Longer than a request for approval stays open with any sensible `APPROVAL_TTL_HOURS`. */
const ttlMs = 14 * 24 * 60 * 60_000;
const leaseMs = 10_000;

/** Keeps the plans of workspaces. */
export function createPlans(deps: { store: Pick<Keyv<Plan>, 'get' | 'set' | 'delete'>; leases: Leases; newId: () => string; now: () => number }): (teamId: string) => Plans {
  const { store } = deps;
  return (teamId) => {
    const keyOf = (id: string) => `${teamId}:${id}`;
    return {
      async add(personId, content) {
        const id = deps.newId();
        await store.set(keyOf(id), { id, teamId, personId, createdAt: deps.now(), content }, ttlMs);
        return id;
      },
      byId: (id) => store.get(keyOf(id)),
      async take(id) {
        const taken = await deps.leases.withLease(`plan/${keyOf(id)}`, leaseMs, async () => {
          if ((await store.get(keyOf(id))) === undefined) return false;
          await store.delete(keyOf(id));
          return true;
        });
        return taken.held && taken.value;
      },
    };
  };
}

import type { Keyv } from 'keyv';
import type { Plan } from '../domain/plan.ts';
import type { Plans } from '../operations/context.ts';
import { startableMs } from '../operations/fields/plan.ts';
import type { Leases } from '../storage/storage.ts';

/** People look again at what they started so long ago. */
const startedForMs = 14 * 24 * 60 * 60_000;
const leaseMs = 10_000;

/** What is left of a plan that was started. */
interface StartedPlan {
  personId: string;
  startedAt: number;
}

/**
 * Keeps the plans of workspaces: for as long as they can be started, and a request to start one stays open.
 *
 * @param deps.requestTtlMs how long a request for approval stays open
 */
export function createPlans(deps: {
  store: Pick<Keyv<Plan | StartedPlan>, 'get' | 'set'>;
  leases: Leases;
  requestTtlMs: number;
  newId: () => string;
  now: () => number;
}): (teamId: string) => Plans {
  const { store } = deps;
  const ttlMs = startableMs + deps.requestTtlMs;
  return (teamId) => {
    const keyOf = (id: string) => `${teamId}:${id}`;
    const open = async (id: string) => {
      const kept = await store.get(keyOf(id));
      return kept && 'content' in kept ? kept : undefined;
    };
    return {
      async add(personId, content) {
        const id = deps.newId();
        await store.set(keyOf(id), { id, teamId, personId, createdAt: deps.now(), content }, ttlMs);
        return id;
      },
      byId: open,
      async wasStarted(id, personId) {
        const kept = await store.get(keyOf(id));
        return kept !== undefined && !('content' in kept) && kept.personId === personId;
      },
      async take(id) {
        const taken = await deps.leases.withLease(`plan/${keyOf(id)}`, leaseMs, async () => {
          const plan = await open(id);
          if (plan === undefined) return false;
          await store.set(keyOf(id), { personId: plan.personId, startedAt: deps.now() }, startedForMs);
          return true;
        });
        return taken.held && taken.value;
      },
    };
  };
}

import type { Subscriptions } from '../../src/storage/storage.ts';
import type { Subscription } from '../../src/domain/subscription.ts';

/** Subscriptions that last as long as a test. */
export function createMemorySubscriptions(first: readonly Subscription[] = []): Subscriptions {
  let kept = [...first];
  return {
    async add(subscription) {
      kept = [...kept.filter(({ id }) => id !== subscription.id), subscription];
    },
    async all(teamId) {
      return structuredClone(kept.filter((one) => one.teamId === teamId));
    },
    async setPause(teamId, id, pause) {
      const isThere = kept.some((one) => one.teamId === teamId && one.id === id);
      kept = kept.map((one) => (one.teamId === teamId && one.id === id ? { ...one, pause } : one));
      return isThere;
    },
    async remove(teamId, id) {
      const before = kept.length;
      kept = kept.filter((one) => one.teamId !== teamId || one.id !== id);
      return kept.length < before;
    },
  };
}

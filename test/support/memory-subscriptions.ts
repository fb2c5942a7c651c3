import type { Subscriptions } from '../../src/storage/records.ts';
import type { Subscription } from '../../src/domain/subscription.ts';

/** Subscriptions that last as long as a test. */
export function createMemorySubscriptions(first: readonly Subscription[] = []): Subscriptions {
  let kept = [...first];
  const versions = new Map<string, number>();
  const grow = (teamId: string) => versions.set(teamId, (versions.get(teamId) ?? 0) + 1);
  return {
    async add(subscription) {
      if (kept.some(({ id, teamId }) => id === subscription.id && teamId === subscription.teamId)) return;
      kept = [...kept, structuredClone(subscription)];
      grow(subscription.teamId);
    },
    async all(teamId) {
      return structuredClone(kept.filter((one) => one.teamId === teamId));
    },
    async version(teamId) {
      return versions.get(teamId) ?? 0;
    },
    async setPause(teamId, id, pause) {
      const isThere = kept.some((one) => one.teamId === teamId && one.id === id);
      kept = kept.map((one) => (one.teamId === teamId && one.id === id ? { ...one, pause } : one));
      return isThere;
    },
    async remove(teamId, id) {
      const before = kept.length;
      kept = kept.filter((one) => one.teamId !== teamId || one.id !== id);
      if (kept.length < before) grow(teamId);
      return kept.length < before;
    },
  };
}

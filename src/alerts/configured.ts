import type { Subscriptions } from '../storage/storage.ts';
import type { Subscription } from '../domain/subscription.ts';

/** The id of the subscription that stands in the configuration. */
const configuredId = 'configured';

/**
 * The subscriptions of a workspace, with the one that the configuration wants: a channel that hears of every
 * submission, or none. It is kept like the others, so that it can be paused.
 */
export function createWithConfigured(deps: {
  store: Subscriptions;
  channelId: string | undefined;
  timeZone: string;
  now: () => number;
}): (teamId: string) => Promise<readonly Subscription[]> {
  const { store, channelId, timeZone, now } = deps;

  return async (teamId) => {
    const all = await store.all(teamId);
    const kept = all.find(({ id }) => id === configuredId);
    if (kept?.channelId === channelId) return all;
    if (kept) await store.remove(teamId, configuredId);
    if (channelId !== undefined) {
      const delivery = { kind: 'each' } as const;
      await store.add({ id: configuredId, teamId, channelId, ownerId: null, quiz: null, filter: { kind: 'all' }, delivery, timeZone, showsNames: true, createdAt: now(), pause: null });
    }
    return store.all(teamId);
  };
}

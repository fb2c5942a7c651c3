import type { Log } from '../observability/log.ts';
import { pausedMessage } from '../slack/views/alerts.ts';
import type { Message } from '../slack/views/message.ts';
import type { Outbox, Subscriptions } from '../storage/storage.ts';
import { isPaused, type Subscription } from '../domain/subscription.ts';
import { countWaiting } from './waiting.ts';

/** Pauses the subscriptions of a channel in which Slack does not let the bot post, and tells their owners how to go on. */
export function createPausing(deps: {
  store: Subscriptions;
  outbox: Outbox;
  subscriptions: (teamId: string) => Promise<readonly Subscription[]>;
  /** Posts a direct message. */
  tell: (personId: string, message: Message) => Promise<void>;
  /** Who is told where nobody owns the subscription. */
  administrators: () => Promise<string[]>;
  log: Log;
  now: () => number;
}) {
  const { store, log, now } = deps;

  async function pauseChannel(teamId: string, channelId: string, code: string): Promise<void> {
    const open = (await deps.subscriptions(teamId)).filter((subscription) => subscription.channelId === channelId && !isPaused(subscription, now()));
    for (const subscription of open) {
      const pause = { since: now(), until: null, by: null, code, isOwnerNotified: false };
      await store.setPause(teamId, subscription.id, pause);
      log.error({ channel: channelId, subscription: subscription.id, code }, 'alerts are paused: Slack does not let the bot post in the channel');
    }
    await notifyOwners(teamId);
  }

  /** Tells the owners who do not know yet. Who cannot be reached is told later. */
  async function notifyOwners(teamId: string): Promise<void> {
    for (const subscription of await deps.subscriptions(teamId)) {
      const { pause, ownerId, id } = subscription;
      if (pause === null || pause.by !== null || pause.isOwnerNotified !== false) continue;
      try {
        const waiting = await countWaiting(deps.outbox, subscription);
        const people = ownerId === null ? await deps.administrators() : [ownerId];
        for (const personId of people) await deps.tell(personId, pausedMessage(subscription, pause.code ?? '', waiting));
        await store.setPause(teamId, id, { ...pause, isOwnerNotified: true });
      } catch (error) {
        log.warn({ error, subscription: id }, 'the owner of paused alerts is not told yet');
      }
    }
  }

  return { pauseChannel, notifyOwners };
}

import type { Announcement } from '../../domain/announcement.ts';
import { PlatformError } from '../../domain/errors.ts';
import { isPaused, type Subscription } from '../../domain/subscription.ts';
import { pausesQueue } from '../../domain/queue-names.ts';
import type { Mail } from '../../durable/mail.ts';
import type { Log } from '../../observability/log.ts';
import type { Outbox, Subscriptions } from '../../storage/storage.ts';
import type { AnnouncementChannel } from './announcement-channel.ts';
import { countWaiting } from './subscription-service.ts';

/** Pauses the subscriptions of a channel in which the platform does not let the bot post, and notifies their owners. */
export function createPausing(deps: {
  store: Subscriptions;
  outbox: Outbox;
  mail: Pick<Mail, 'wake'>;
  subscriptions: (teamId: string) => Promise<readonly Subscription[]>;
  channel: Pick<AnnouncementChannel, 'sendDirect'>;
  /** Notified where a subscription has no owner. */
  administrators: () => Promise<string[]>;
  /** Called with a subscription that is paused without anybody knowing. */
  onNobodyNotified: (subscription: Subscription) => Promise<void>;
  log: Log;
  now: () => number;
}) {
  const { store, log, now } = deps;

  /** @param code the platform's error code */
  async function pauseChannel(teamId: string, channelId: string, code: string): Promise<void> {
    const active = (await deps.subscriptions(teamId)).filter(
      (subscription) => subscription.channelId === channelId && !isPaused(subscription, now()),
    );
    for (const { id } of active) {
      await store.setPause(teamId, id, { since: now(), until: null, by: null, code, isOwnerNotified: false });
      log.error(
        { channel: channelId, subscription: id, code },
        'alerts are paused: the bot cannot post in the channel',
      );
    }
    // Channels that refuse at once have their owners told by one run.
    await deps.mail.wake([{ queue: pausesQueue }]);
  }

  /**
   * Notifies the owners who do not know yet. An owner who cannot be reached now is notified by a later call. One call at a time: two
   * would both tell the same owner.
   */
  async function notifyOwners(teamId: string): Promise<void> {
    for (const subscription of await deps.subscriptions(teamId)) {
      const { pause, ownerId, id } = subscription;
      if (pause?.isOwnerNotified !== false) continue;
      try {
        const waiting = await countWaiting(deps.outbox, subscription);
        const people = ownerId === null ? await deps.administrators() : [ownerId];
        let reached = 0;
        for (const personId of people)
          if (await notify(personId, { kind: 'paused', subscription, code: pause.code ?? '', waiting })) reached += 1;
        if (reached === 0) await deps.onNobodyNotified(subscription);
        await store.setPause(teamId, id, { ...pause, isOwnerNotified: true });
      } catch (error) {
        log.warn({ error, subscription: id }, 'the owner of paused alerts is not notified yet');
      }
    }
  }

  /** A person who cannot be written to, such as one who has left, keeps no message from the others. @returns whether it arrived */
  async function notify(personId: string, announcement: Announcement): Promise<boolean> {
    try {
      await deps.channel.sendDirect(personId, announcement);
      return true;
    } catch (error) {
      if (!(error instanceof PlatformError && error.kind === 'closed')) throw error;
      log.error({ error, person: personId }, 'a person cannot be notified of paused alerts');
      return false;
    }
  }

  return { pauseChannel, notifyOwners };
}

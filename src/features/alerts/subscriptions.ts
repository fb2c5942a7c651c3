import type { Announcement } from '../../domain/announcement.ts';
import { PlatformError } from '../../domain/errors.ts';
import { queuesOf, pausesQueue } from '../../domain/queues.ts';
import {
  isPaused,
  sharedCode,
  type Pause,
  type Subscription,
  type SubscriptionSpec,
} from '../../domain/subscription.ts';
import type { Mail } from '../../durable/mail.ts';
import type { Log } from '../../observability/log.ts';
import type { AnnouncementChannel } from '../../operations/services/platform.ts';
import type { Outbox, Queues } from '../../storage/storage.ts';
import type { Subscriptions } from '../../storage/records.ts';
import { pausedNote, subscribedNote } from './pages/alerts.ts';
import type { Keyv } from 'keyv';
import type { ChannelLanguages, LanguageChoice } from '../../operations/services/features.ts';
import { languageChoice } from './operations/alert-words.ts';
import type { Language } from '../../words/languages.ts';

/** The id of the configured channel's subscription. */
const configuredId = 'configured';
/** Read of each queue to count what waits in it; people need no larger numbers. */
const countedAtMost = 1_000;

/**
 * Reads the subscriptions of a workspace, among them that of the configured channel, which gets every submission. That
 * one is stored like the others, so that people can pause it.
 */
export function createSubscriptionList(deps: {
  store: Subscriptions;
  /** The channel that the configuration names. */
  channelId: string | undefined;
  /** Since when submissions may be unannounced, where the store lost its content; else undefined. */
  lostSince: () => number | undefined;
  timeZone: string;
  now: () => number;
}): (teamId: string) => Promise<readonly Subscription[]> {
  const { store, channelId, timeZone, now } = deps;

  return async (teamId) => {
    const all = await store.all(teamId);
    const stored = all.find(({ id }) => id === configuredId);
    const lostSince = deps.lostSince();
    // It may have been added between the loss of the content and its discovery.
    const isLate = stored !== undefined && lostSince !== undefined && stored.createdAt > lostSince;
    if (stored?.channelId === channelId && !isLate) return all;
    if (stored) await store.remove(teamId, configuredId);
    if (stored?.channelId === channelId && isLate) {
      await store.add({ ...stored, createdAt: lostSince });
    } else if (channelId !== undefined) {
      const spec: SubscriptionSpec = {
        channelId,
        quiz: null,
        filter: { kind: 'all' },
        delivery: { kind: 'each' },
        timeZone,
        showsNames: true,
      };
      await store.add({ ...spec, id: configuredId, teamId, ownerId: null, createdAt: lostSince ?? now(), pause: null });
    }
    return store.all(teamId);
  };
}

/** Counts the first submissions that wait for a subscription, in all of its queues. */
export async function countWaiting(outbox: Pick<Outbox, 'waiting'>, subscription: Subscription): Promise<number> {
  const entries = await Promise.all(
    queuesOf(subscription).map((queue) => outbox.waiting(queue, { limit: countedAtMost })),
  );
  return entries
    .flat()
    .filter(({ subscriptionId }) => subscriptionId === subscription.id)
    .flatMap(({ content }) =>
      content.kind === 'digest' ? content.digest.quizzes.map(({ submitted }) => submitted) : [1],
    )
    .reduce((sum, submitted) => sum + submitted, 0);
}

/** What people can do about the subscriptions of a workspace. `closed` explains in plain text why the bot cannot post in a channel. */
export function createSubscriptionService(deps: {
  store: Subscriptions;
  outbox: Outbox;
  subscriptions: (teamId: string) => Promise<readonly Subscription[]>;
  /** Undefined where the name is not at hand. */
  quizName: (quizId: string) => Promise<string | undefined>;
  channel: AnnouncementChannel;
  wake: Queues['wake'];
  newId: () => string;
  log: Log;
  now: () => number;
}) {
  const { store, outbox, channel, wake, now } = deps;

  return (teamId: string) => {
    async function setPause(id: string, pause: Pause | null, wakeAt?: number): Promise<boolean> {
      const subscription = (await deps.subscriptions(teamId)).find((one) => one.id === id);
      if (subscription === undefined || !(await store.setPause(teamId, id, pause))) return false;
      for (const queue of queuesOf(subscription)) await wake(queue, wakeAt);
      return true;
    }

    return {
      async whyClosed(channelId: string) {
        try {
          return await channel.whyClosed(channelId);
        } catch (error) {
          deps.log.warn({ error, channel: channelId }, 'whether the bot can post in a channel is not known');
          return undefined;
        }
      },
      async all() {
        const subscriptions = await deps.subscriptions(teamId);
        return Promise.all(
          subscriptions.map(async (subscription) => ({
            subscription: await namedNow(subscription),
            waiting: await countWaiting(outbox, subscription),
          })),
        );
      },
      async subscribe(spec: SubscriptionSpec, ownerId: string) {
        const subscription: Subscription = {
          ...spec,
          id: deps.newId(),
          teamId,
          ownerId,
          createdAt: now(),
          pause: null,
        };
        await store.add(subscription);
        const refused = await greet(subscription);
        if (refused) {
          await store.remove(teamId, subscription.id);
          return refused;
        }
        for (const queue of queuesOf(subscription)) await wake(queue);
        return { subscription };
      },
      async unsubscribe(id: string) {
        const isRemoved = await store.remove(teamId, id);
        await outbox.drop(id, Infinity);
        return isRemoved;
      },
      pause: async (id: string, by: string, until: number | null) =>
        setPause(id, { since: now(), until, by }, until ?? undefined),
      resume: async (id: string) => setPause(id, null),
      test: async (subscription: Subscription) =>
        postUnlessClosed(subscription.channelId, { kind: 'test-alert', subscription }),
    };
  };

  /** Subscriptions are found and shown by the name that their quiz has now. */
  async function namedNow(subscription: Subscription): Promise<Subscription> {
    const { quiz } = subscription;
    return { ...subscription, quiz: quiz && { ...quiz, name: (await deps.quizName(quiz.id)) ?? quiz.name } };
  }

  /** Subscribes without a greeting where the platform is busy or away: submissions are announced all the same. */
  async function greet(subscription: Subscription): Promise<{ closed: string } | undefined> {
    try {
      return await postUnlessClosed(subscription.channelId, { kind: 'note', note: subscribedNote(subscription) });
    } catch (error) {
      deps.log.warn({ error, channel: subscription.channelId }, 'a subscribed channel got no greeting');
      return undefined;
    }
  }

  async function postUnlessClosed(channelId: string, announcement: Announcement) {
    try {
      await channel.post(channelId, announcement);
      return undefined;
    } catch (error) {
      if (error instanceof PlatformError && (error.kind === 'closed' || error.kind === 'forbidden'))
        return { closed: error.explanation ?? error.message };
      throw error;
    }
  }
}

/** Pauses the subscriptions of a channel in which the platform does not let the bot post, or which others read now, and notifies their owners. */
export function createPausing(deps: {
  store: Subscriptions;
  outbox: Outbox;
  mail: Pick<Mail, 'wake'>;
  subscriptions: (teamId: string) => Promise<readonly Subscription[]>;
  channel: Pick<AnnouncementChannel, 'sendDirect' | 'closedReason'>;
  /** Notified where a subscription has no owner. */
  administrators: () => Promise<string[]>;
  /** Called with a subscription that is paused without anybody knowing. */
  onNobodyNotified: (subscription: Subscription) => Promise<void>;
  log: Log;
  now: () => number;
}) {
  const { store, log, now } = deps;

  /** @param code the platform's error code, or `sharedCode` */
  async function pauseChannel(teamId: string, channelId: string, code: string): Promise<void> {
    const active = (await deps.subscriptions(teamId)).filter(
      (subscription) => subscription.channelId === channelId && !isPaused(subscription, now()),
    );
    for (const { id } of active) {
      await store.setPause(teamId, id, { since: now(), until: null, by: null, code, isOwnerNotified: false });
      log.error(
        { channel: channelId, subscription: id, code },
        code === sharedCode
          ? 'alerts are paused: another company can read the channel'
          : 'alerts are paused: the bot cannot post in the channel',
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
        const note = pausedNote(subscription, waiting, deps.channel.closedReason(pause.code ?? ''));
        for (const personId of people) if (await notify(personId, { kind: 'note', note })) reached += 1;
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

/** What another instance chose counts after this time at the latest. */
const knownForMs = 60_000;
const knownAtMost = 10_000;

interface Known {
  /** Never rejects. */
  choice: Promise<LanguageChoice>;
  until: number;
}

/**
 * The languages of the channels of one workspace.
 *
 * @param deps.store by channel: the code of its language
 * @param deps.defaultLanguage of channels for which nobody chose one
 */
export function createChannelLanguages(deps: {
  store: Pick<Keyv<string>, 'get' | 'set' | 'delete'>;
  defaultLanguage: Language;
  now: () => number;
}): ChannelLanguages {
  const { store, defaultLanguage, now } = deps;
  const known = new Map<string, Known>();

  async function read(channelId: string): Promise<LanguageChoice> {
    return languageChoice(await store.get(channelId));
  }

  function keep(channelId: string, entry: Known): void {
    known.delete(channelId);
    known.set(channelId, entry);
    const [oldest] = known.keys();
    if (known.size > knownAtMost && oldest !== undefined) known.delete(oldest);
  }

  /** While the store is away, what was known before counts, since a message in another language is better than none. */
  function look(channelId: string, earlier: Known | undefined): Promise<LanguageChoice> {
    const entry: Known = { choice: Promise.resolve('default'), until: now() + knownForMs };
    entry.choice = read(channelId).catch(() => {
      entry.until = 0;
      return earlier?.choice ?? 'default';
    });
    keep(channelId, entry);
    return entry.choice;
  }

  return {
    defaultLanguage,
    chosen: read,
    async of(channelId) {
      const recent = known.get(channelId);
      const choice = await (recent && now() < recent.until ? recent.choice : look(channelId, recent));
      return choice === 'default' ? defaultLanguage : choice;
    },
    async choose(channelId, choice) {
      const before = await read(channelId);
      if (choice === 'default') await store.delete(channelId);
      else if (choice !== before) await store.set(channelId, choice);
      keep(channelId, { choice: Promise.resolve(choice), until: now() + knownForMs });
      return before;
    },
  };
}

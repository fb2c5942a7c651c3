import type { Log } from '../observability/log.ts';
import { subscribedMessage } from '../slack/views/alerts.ts';
import { closedMessage } from '../slack/views/closed-channel.ts';
import type { Message } from '../slack/views/message.ts';
import { testAlertMessage } from '../slack/views/test-alert.ts';
import type { Queues, Outbox, Subscriptions } from '../storage/storage.ts';
import type { Pause, Subscription } from '../domain/subscription.ts';
import { explainSlackFailure, type SlackChannel } from './slack-channel.ts';
import { countWaiting, queuesOf } from './waiting.ts';

type SubscriptionSpec = Pick<Subscription, 'channelId' | 'quiz' | 'filter' | 'delivery' | 'timeZone' | 'showsNames'>;

/** What people can do about the alerts of a workspace. */
export function createSubscriptionService(deps: {
  store: Subscriptions;
  outbox: Outbox;
  subscriptions: (teamId: string) => Promise<readonly Subscription[]>;
  slack: SlackChannel;
  wake: Queues['wake'];
  newId: () => string;
  log: Log;
  now: () => number;
}) {
  const { store, outbox, slack, wake, now } = deps;

  return (teamId: string) => {
    const byId = async (id: string) => (await deps.subscriptions(teamId)).find((subscription) => subscription.id === id);

    async function setPause(id: string, pause: Pause | null, wakeAt?: number): Promise<boolean> {
      const subscription = await byId(id);
      if (subscription === undefined || !(await store.setPause(teamId, id, pause))) return false;
      for (const queue of queuesOf(subscription)) await wake(queue, wakeAt);
      return true;
    }

    return {
      async all() {
        const subscriptions = await deps.subscriptions(teamId);
        return Promise.all(subscriptions.map(async (subscription) => ({ subscription, waiting: await countWaiting(outbox, subscription) })));
      },
      async subscribe(spec: SubscriptionSpec, ownerId: string) {
        const subscription = { ...spec, id: deps.newId(), teamId, ownerId, createdAt: now(), pause: null };
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
      pause: async (id: string, by: string, until: number | null) => setPause(id, { since: now(), until, by }, until ?? undefined),
      resume: async (id: string) => setPause(id, null),
      test: async (subscription: Subscription) => postOrExplain(subscription.channelId, testAlertMessage(subscription)),
    };
  };

  /** Where Slack is busy or away, the channel goes without the greeting: it hears of submissions all the same. */
  async function greet(subscription: Subscription): Promise<{ closed: string } | undefined> {
    try {
      return await postOrExplain(subscription.channelId, subscribedMessage(subscription));
    } catch (error) {
      deps.log.warn({ error, channel: subscription.channelId }, 'a channel was not told what it is subscribed to');
      return undefined;
    }
  }

  /** @returns why the channel cannot be used, and what to do, in plain text */
  async function postOrExplain(channelId: string, message: Message): Promise<{ closed: string } | undefined> {
    try {
      await slack.post(channelId, message);
      return undefined;
    } catch (error) {
      const { kind, code } = explainSlackFailure(error);
      if (kind === 'closed') return { closed: closedMessage(code) };
      throw error;
    }
  }
}

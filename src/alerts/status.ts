import type { AlertsStatus, WebhooksStatus } from '../domain/alerts-status.ts';
import { isPaused, type Subscription } from '../domain/subscription.ts';
import type { Counters, Inbox, Outbox } from '../storage/storage.ts';
import { readQueue } from './queue-names.ts';
import { refusedPrefix, webhookCountersName } from './webhook-counters.ts';

export async function alertsStatus(deps: {
  inbox: Pick<Inbox, 'countWaiting'>;
  outbox: Pick<Outbox, 'queues'>;
  counters: Pick<Counters, 'of'>;
  subscriptions: () => Promise<readonly Subscription[]>;
  now: () => number;
}): Promise<AlertsStatus> {
  const [events, queues, counters, subscriptions] = await Promise.all([
    deps.inbox.countWaiting(),
    deps.outbox.queues(),
    deps.counters.of(webhookCountersName),
    deps.subscriptions(),
  ]);
  const channels = queues.filter(({ queue, waiting }) => waiting > 0 && readQueue(queue).kind === 'channel');
  const oldest = channels.flatMap(({ oldestAt }) => oldestAt ?? []);
  return {
    webhooks: webhooksStatus(counters),
    events: events.count,
    waiting: channels.reduce((sum, { waiting }) => sum + waiting, 0),
    channels: channels.length,
    oldestAt: oldest.length > 0 ? Math.min(...oldest) : undefined,
    subscriptions: subscriptions.length,
    paused: subscriptions.filter((subscription) => isPaused(subscription, deps.now())).length,
  };
}

function webhooksStatus(counters: Readonly<Record<string, number>>): WebhooksStatus {
  const { since, lastAt, lastRefusedAt, taken = 0, missed = 0 } = counters;
  const refused = Object.entries(counters)
    .filter(([field]) => field.startsWith(refusedPrefix))
    .map(([field, count]) => ({ reason: field.slice(refusedPrefix.length), count }))
    .toSorted((a, b) => b.count - a.count);
  return { since, lastAt, taken, missed, refused, lastRefusedAt };
}

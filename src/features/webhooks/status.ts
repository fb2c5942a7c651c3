import type { SetAsideStore } from './inbox.ts';
import { refusedPrefix, webhookCountersName, type RefusalStore } from './tally.ts';
import type { AlertsStatus, RefusedSignature, WebhooksStatus } from '../../domain/alerts-status.ts';
import { isPaused, type Subscription } from '../../domain/subscription.ts';
import type { Counters, Inbox, Outbox } from '../../storage/storage.ts';
import { readQueue } from '../../domain/queue-names.ts';

export async function alertsStatus(deps: {
  inbox: Pick<Inbox, 'countWaiting'>;
  outbox: Pick<Outbox, 'queues'>;
  counters: Pick<Counters, 'of'>;
  refusals: Pick<RefusalStore, 'get'>;
  setAside: Pick<SetAsideStore, 'get'>;
  /** The name of a quiz, where it is at hand. */
  quizName: (quizId: string) => Promise<string | undefined>;
  subscriptions: () => Promise<readonly Subscription[]>;
  now: () => number;
}): Promise<AlertsStatus> {
  const [events, queues, counters, refusals, setAside, subscriptions] = await Promise.all([
    deps.inbox.countWaiting(),
    deps.outbox.queues(),
    deps.counters.of(webhookCountersName),
    deps.refusals.get('latest'),
    deps.setAside.get('latest'),
    deps.subscriptions(),
  ]);
  const channels = queues.filter(({ queue, waiting }) => waiting > 0 && readQueue(queue).kind === 'channel');
  const oldest = channels.flatMap(({ oldestAt }) => oldestAt ?? []);
  return {
    webhooks: {
      ...webhooksStatus(counters, refusals ?? []),
      setAside: {
        count: counters['setAside'] ?? 0,
        events: await Promise.all(
          (setAside ?? []).map(async (event) => ({
            ...event,
            quizName: event.quizName ?? (await deps.quizName(event.quizId)) ?? null,
          })),
        ),
      },
    },
    events: events.count,
    postponed: events.postponed,
    waiting: channels.reduce((sum, { waiting }) => sum + waiting, 0),
    channels: channels.length,
    oldestAt: oldest.length > 0 ? Math.min(...oldest) : undefined,
    subscriptions: subscriptions.length,
    paused: subscriptions.filter((subscription) => isPaused(subscription, deps.now())).length,
  };
}

function webhooksStatus(
  counters: Readonly<Record<string, number>>,
  refusedSignatures: readonly RefusedSignature[],
): Omit<WebhooksStatus, 'setAside'> {
  const { since, lastAt, lastRefusedAt, taken = 0, backfilled = 0 } = counters;
  const refused = Object.entries(counters)
    .filter(([field]) => field.startsWith(refusedPrefix))
    .map(([field, count]) => ({ reason: field.slice(refusedPrefix.length), count }))
    .toSorted((a, b) => b.count - a.count);
  return { since, lastAt, taken, backfilled, refused, lastRefusedAt, refusedSignatures };
}

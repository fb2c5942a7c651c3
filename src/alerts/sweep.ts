import type { Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Inbox, Outbox, Queues } from '../storage/storage.ts';
import { isPaused, type Subscription } from '../domain/subscription.ts';
import type { Matcher } from './match-subscriptions.ts';
import { directMessages, backfillQueue, digestQueue, inboxQueue } from '../domain/queue-names.ts';

const everyMs = 30_000;
const dayMs = 24 * 3_600_000;
/** How long entries of a paused subscription are kept, and direct messages that cannot be posted. */
const keptPausedMs = 7 * dayMs;
/** After this, a redelivered event counts as new; the service gives up far sooner. */
const knownForMs = 30 * dayMs;
/**
 * How long the state of a queue at rest is kept after its last change, by the queue's kind; those of other kinds are kept for
 * good. Batches are kept for as long as their lists of changes, campaigns and their messages for as long as they are listed.
 */
const keptAtRestMs = {
  person: 30 * dayMs,
  step: 30 * dayMs,
  batch: 60 * dayMs,
  campaign: 366 * dayMs,
  live: 366 * dayMs,
};

/**
 * Runs at the start and then regularly: wakes the queues that have something to do (a wake can be lost with its
 * process), drops what has waited too long for a paused subscription, and forgets old events and the states of queues that
 * have been at rest for long.
 *
 * @returns runs, and returns when to run next (milliseconds since the epoch)
 */
export function createSweeper(deps: {
  inbox: Pick<Inbox, 'forgetBefore'>;
  outbox: Pick<Outbox, 'queues' | 'drop' | 'forgetStates'>;
  wake: Queues['wake'];
  teamId: () => Promise<string>;
  subscriptions: (teamId: string) => Promise<readonly Subscription[]>;
  matcher: Matcher;
  notifyOwners: (teamId: string) => Promise<void>;
  log: Log;
  metrics: Metrics;
  now: () => number;
  /** Decides what is forgotten. Never later than `now`. */
  steadyNow: () => number;
}): () => Promise<number> {
  const { inbox, outbox, wake, log, now, steadyNow } = deps;

  return async () => {
    await wake(inboxQueue);
    await wake(backfillQueue);
    const teamId = await deps.teamId();
    await deps.matcher.load();
    const subscriptions = await deps.subscriptions(teamId);
    for (const { id, delivery } of subscriptions) if (delivery.kind === 'digest') await wake(digestQueue(teamId, id));
    for (const subscription of subscriptions.filter((one) => isPaused(one, now()))) await dropOld(subscription);
    const dropped = await outbox.drop(directMessages, steadyNow() - keptPausedMs);
    if (dropped > 0) deps.metrics.directMessages.inc({ outcome: 'too_old' }, dropped);
    for (const { queue } of await outbox.queues()) await wake(queue);
    await deps.notifyOwners(teamId);
    await inbox.forgetBefore(steadyNow() - knownForMs);
    await outbox.forgetStates(
      Object.fromEntries(Object.entries(keptAtRestMs).map(([kind, keptMs]) => [kind, steadyNow() - keptMs])),
    );
    return now() + everyMs;
  };

  async function dropOld({ id, channelId }: Subscription): Promise<void> {
    const dropped = await outbox.drop(id, steadyNow() - keptPausedMs);
    if (dropped === 0) return;
    deps.metrics.alerts.inc({ outcome: 'dropped' }, dropped);
    log.warn(
      { subscription: id, channel: channelId, dropped },
      'entries that waited for a paused subscription for 7 days are dropped',
    );
  }
}

import type { Log } from '../../observability/log.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { Inbox, Outbox, Queues } from '../../storage/storage.ts';
import { createRarely } from '../../time/rarely.ts';
import { isPaused, type Subscription } from '../../domain/subscription.ts';
import type { Matcher } from './match-subscriptions.ts';
import { directMessages, backfillQueue, digestQueue, inboxQueue, pausesQueue } from '../../domain/queue-names.ts';

const dayMs = 24 * 3_600_000;
/** How long entries of a paused subscription are kept, and direct messages that cannot be posted. */
const keptPausedMs = 7 * dayMs;
/** After this, a redelivered event counts as new; the service gives up far sooner. */
const knownForMs = 30 * dayMs;
/** How often what looks for submissions is woken, in case its wake was lost, and old messages are dropped. */
const rarelyMs = 5 * 60_000;
/** How often old events are looked for, once all were looked at. */
const forgetsEveryMs = 3_600_000;

/**
 * Runs at the start and then regularly: wakes what looks for submissions, the digests, and what tells owners of pauses, where
 * there can be something to do; drops what has waited too long for a paused subscription; forgets old events.
 */
export function createUpkeep(deps: {
  inbox: Pick<Inbox, 'countWaiting' | 'forgetBefore'>;
  outbox: Pick<Outbox, 'drop'>;
  wake: Queues['wake'];
  matcher: Pick<Matcher, 'load'>;
  /** Without them, direct messages that an earlier configuration put are dropped. */
  notifiesRespondents: boolean;
  log: Log;
  metrics: Metrics;
  now: () => number;
  /** Decides what is forgotten. Never later than `now`. */
  steadyNow: () => number;
}): () => Promise<void> {
  const { inbox, outbox, wake, log, now, steadyNow } = deps;
  const isTimeToWake = createRarely({ everyMs: rarelyMs, now });
  const isTimeToDrop = createRarely({ everyMs: rarelyMs, now });
  const isTimeToForget = createRarely({ everyMs: forgetsEveryMs, now });
  let isForgetting = false;
  let knownVersion: number | undefined;

  return async () => {
    const { count, postponed } = await inbox.countWaiting();
    if (count + postponed > 0) await wake(inboxQueue);
    if (isTimeToWake()) await wake(backfillQueue);
    const { teamId, version, subscriptions } = await deps.matcher.load();
    if (knownVersion !== undefined && version !== knownVersion) await wake(backfillQueue);
    knownVersion = version;
    for (const { id, delivery } of subscriptions) if (delivery.kind === 'digest') await wake(digestQueue(teamId, id));
    for (const subscription of subscriptions.filter((one) => isPaused(one, now()))) await dropOld(subscription);
    if (isTimeToDrop()) await dropDirectMessages();
    if (subscriptions.some(({ pause }) => pause?.isOwnerNotified === false)) await wake(pausesQueue);
    isForgetting ||= isTimeToForget();
    if (isForgetting) isForgetting = !(await inbox.forgetBefore(steadyNow() - knownForMs));
  };

  async function dropDirectMessages(): Promise<void> {
    const dropped = await outbox.drop(directMessages, deps.notifiesRespondents ? steadyNow() - keptPausedMs : Infinity);
    if (dropped > 0) deps.metrics.directMessages.inc({ outcome: 'too_old' }, dropped);
  }

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

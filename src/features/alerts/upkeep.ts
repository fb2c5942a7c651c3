import type { Log } from '../../observability/log.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { Inbox, Outbox, Queues } from '../../storage/storage.ts';
import { isPaused, type Subscription } from '../../domain/subscription.ts';
import type { Matcher } from './match-subscriptions.ts';
import { directMessages, backfillQueue, digestQueue, inboxQueue, pausesQueue } from '../../domain/queue-names.ts';

const dayMs = 24 * 3_600_000;
/** How long entries of a paused subscription are kept, and direct messages that cannot be posted. */
const keptPausedMs = 7 * dayMs;
/** After this, a redelivered event counts as new; the service gives up far sooner. */
const knownForMs = 30 * dayMs;
/**
 * Runs at the start and then regularly: wakes what looks for submissions, the digests, and what tells owners of pauses; drops what
 * has waited too long for a paused subscription; forgets old events.
 */
export function createUpkeep(deps: {
  inbox: Pick<Inbox, 'forgetBefore'>;
  outbox: Pick<Outbox, 'drop'>;
  wake: Queues['wake'];
  teamId: () => Promise<string>;
  subscriptions: (teamId: string) => Promise<readonly Subscription[]>;
  matcher: Matcher;
  /** Without them, direct messages that an earlier configuration put are dropped. */
  notifiesRespondents: boolean;
  log: Log;
  metrics: Metrics;
  now: () => number;
  /** Decides what is forgotten. Never later than `now`. */
  steadyNow: () => number;
}): () => Promise<void> {
  const { inbox, outbox, wake, log, now, steadyNow } = deps;

  return async () => {
    await wake(inboxQueue);
    await wake(backfillQueue);
    const teamId = await deps.teamId();
    await deps.matcher.load();
    const subscriptions = await deps.subscriptions(teamId);
    for (const { id, delivery } of subscriptions) if (delivery.kind === 'digest') await wake(digestQueue(teamId, id));
    for (const subscription of subscriptions.filter((one) => isPaused(one, now()))) await dropOld(subscription);
    const dropped = await outbox.drop(directMessages, deps.notifiesRespondents ? steadyNow() - keptPausedMs : Infinity);
    if (dropped > 0) deps.metrics.directMessages.inc({ outcome: 'too_old' }, dropped);
    await wake(pausesQueue);
    await inbox.forgetBefore(steadyNow() - knownForMs);
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

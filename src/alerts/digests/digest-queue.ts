import type { Digest, QueueEntry } from '../../domain/queue-entry.ts';
import { isPaused, type Subscription } from '../../domain/subscription.ts';
import type { Log } from '../../observability/log.ts';
import type { Responses } from '../../quiz-api/quiz-api.ts';
import type { Outbox } from '../../storage/storage.ts';
import { channelQueue } from '../../domain/queue-names.ts';
import { digestOf, loadWeekBefore } from './digest-of.ts';
import { lastDigestAt, longestDigestWaitMs, nextDigestAt, type DigestDelivery } from './schedule.ts';

/** What the queue of a digest stores beside its entries. Times are milliseconds since the epoch. */
interface DigestState {
  nextAt: number;
  /** The beginning of the next digest's period. */
  from: number;
}

/** What a run does. */
export type DigestStep =
  | { kind: 'wait'; until: number | undefined }
  /** The clock was set back: begin anew. */
  | { kind: 'restart'; state: DigestState }
  /** Sum up the entries from before `dueAt`. */
  | { kind: 'sum-up'; period: { from: number; to: number }; next: DigestState };

/** Summed up at once; further entries wait for the next digest. */
const entriesAtMost = 20_000;

/**
 * Decides what to do about a subscription's digest.
 * @param state undefined before the first run
 */
export function digestStep(
  state: DigestState | undefined,
  subscription: Subscription & { delivery: DigestDelivery },
  now: number,
): DigestStep {
  const { delivery, timeZone, createdAt, pause } = subscription;
  const { nextAt, from } = state ?? { nextAt: nextDigestAt(delivery, timeZone, createdAt), from: createdAt };
  if (nextAt > now + longestDigestWaitMs)
    return { kind: 'restart', state: { nextAt: nextDigestAt(delivery, timeZone, now), from: now } };
  if (nextAt > now) return { kind: 'wait', until: nextAt };
  if (isPaused(subscription, now)) return { kind: 'wait', until: pause?.until ?? undefined };
  const to = lastDigestAt(delivery, timeZone, nextAt, now);
  return { kind: 'sum-up', period: { from, to }, next: { nextAt: nextDigestAt(delivery, timeZone, to), from: to } };
}

/**
 * Collects the submissions of a subscription for its digests. When a digest is due, one commit replaces the entries from
 * before its time with one entry in the channel's queue. After an outage or a pause, one digest covers all the time
 * since the last, at once.
 *
 * @returns runs a queue, and returns when to run it next (milliseconds since the epoch); undefined: when it is woken
 */
export function createDigestQueue(deps: {
  outbox: Pick<Outbox, 'waiting' | 'stateOf' | 'commit' | 'drop'>;
  responses: Pick<Responses, 'list'>;
  subscriptionOf: (teamId: string, id: string) => Promise<Subscription | undefined>;
  wake: (queue: string) => Promise<void>;
  log: Log;
  now: () => number;
}): (queue: string, teamId: string, subscriptionId: string) => Promise<number | undefined> {
  const { outbox, wake, log, now } = deps;

  return async (queue, teamId, subscriptionId) => {
    const subscription = await deps.subscriptionOf(teamId, subscriptionId);
    if (!isDigest(subscription)) {
      await outbox.drop(subscriptionId, Infinity);
      return undefined;
    }
    const { version, state } = await outbox.stateOf<DigestState>(queue);
    const step = digestStep(state, subscription, now());
    if (step.kind === 'wait') return step.until;
    if (step.kind === 'restart') {
      const isKept = await outbox.commit(queue, { version, state: step.state, isBusy: false });
      return isKept ? step.state.nextAt : now();
    }

    const { period, next } = step;
    const due = (await outbox.waiting(queue, { limit: entriesAtMost })).filter(({ at }) => at < period.to);
    const target = channelQueue(teamId, subscription.channelId);
    const put = async () => ({
      queue: target,
      subscriptionId,
      at: now(),
      content: { kind: 'digest' as const, digest: await sumUp(due, subscription, period) },
    });
    const isKept = await outbox.commit(queue, {
      version,
      state: next,
      isBusy: false,
      ...(due.length > 0 && { remove: due.map(({ position }) => position), put: [await put()] }),
    });
    if (!isKept) return now();
    if (due.length > 0) {
      log.info({ subscription: subscriptionId, submissions: due.length }, 'digest made');
      await wake(target);
    }
    return next.nextAt;
  };

  async function sumUp(
    entries: readonly QueueEntry[],
    { filter }: Subscription,
    period: { from: number; to: number },
  ): Promise<Digest> {
    const submissions = entries.flatMap(({ content }) => (content.kind === 'submission' ? [content.submission] : []));
    const quizIds = digestOf(submissions, period, new Map()).quizzes.map(({ quizId }) => quizId);
    return digestOf(submissions, period, await loadWeekBefore(deps, quizIds, { filter, before: period.from }));
  }
}

function isDigest(subscription: Subscription | undefined): subscription is Subscription & { delivery: DigestDelivery } {
  return subscription?.delivery.kind === 'digest';
}

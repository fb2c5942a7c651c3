import type { Log } from '../../observability/log.ts';
import type { Responses } from '../../quiz-api/responses.ts';
import type { QueueEntry } from '../../domain/queue-entry.ts';
import type { Outbox } from '../../storage/storage.ts';
import { isPaused, type Delivery, type Subscription } from '../../domain/subscription.ts';
import { digestOf } from './digest-of.ts';
import { nextDigestAt } from './schedule.ts';
import { weekBefore } from './week-before.ts';

/** What a subscription's digests have come to. Times are milliseconds since the epoch. */
interface DigestState {
  nextAt: number;
  /** Since when the next one counts. */
  from: number;
}

type DigestDelivery = Extract<Delivery, { kind: 'digest' }>;

/** Summed up at once; what goes beyond waits for the next digest. */
const entriesAtMost = 20_000;
/** No two digests are further apart, a skipped day between them included; where it seems so, the clock was set back. */
const longestWaitMs = 3 * 24 * 3_600_000;

/**
 * Collects the submissions of a subscription and has them told at its times, in one message: what was put into the
 * queue before the time becomes one entry of the channel's queue, in the step that takes it out of this one. After an
 * outage or a pause, that is one digest of all the time since the last, and at once.
 *
 * @returns runs a queue, and says when to run it next (milliseconds since the epoch); undefined: when it is woken
 */
export function createDigestQueue(deps: {
  outbox: Pick<Outbox, 'waiting' | 'stateOf' | 'commit' | 'drop'>;
  responses: Pick<Responses, 'list'>;
  subscriptionOf: (teamId: string, id: string) => Promise<Subscription | undefined>;
  wake: (queue: string) => Promise<void>;
  channelQueue: (teamId: string, channelId: string) => string;
  log: Log;
  now: () => number;
}): (queue: string, teamId: string, subscriptionId: string) => Promise<number | undefined> {
  const { outbox, wake, log, now } = deps;

  return async (queue, teamId, subscriptionId) => {
    const subscription = await deps.subscriptionOf(teamId, subscriptionId);
    if (subscription === undefined || subscription.delivery.kind !== 'digest') {
      await outbox.drop(subscriptionId, Infinity);
      return undefined;
    }
    const { delivery, timeZone, createdAt, pause } = subscription;
    const { version, state = { nextAt: nextDigestAt(delivery, timeZone, createdAt), from: createdAt } } = await outbox.stateOf<DigestState>(queue);
    const startedAt = now();
    if (state.nextAt > startedAt) {
      return state.nextAt - startedAt <= longestWaitMs ? state.nextAt : startAnew(queue, version, nextDigestAt(delivery, timeZone, startedAt));
    }
    if (isPaused(subscription, startedAt)) return pause?.until ?? undefined;

    const dueAt = lastDue(delivery, timeZone, state.nextAt, startedAt);
    const next: DigestState = { nextAt: nextDigestAt(delivery, timeZone, dueAt), from: dueAt };
    const entries = await outbox.waiting(queue, { limit: entriesAtMost });
    const due = entries.filter(({ at }) => at < dueAt);
    if (due.length === 0) {
      const isKept = await outbox.commit(queue, { version, state: next, isBusy: false });
      return isKept ? next.nextAt : now();
    }

    const target = deps.channelQueue(teamId, subscription.channelId);
    const digest = await sumUp(due, subscription, { from: state.from, to: dueAt });
    const isKept = await outbox.commit(queue, {
      version,
      state: next,
      isBusy: false,
      remove: due.map(({ position }) => position),
      put: [{ queue: target, subscriptionId, at: now(), content: { kind: 'digest', digest } }],
    });
    if (!isKept) return now();
    log.info({ subscription: subscriptionId, submissions: due.length }, 'digest made');
    await wake(target);
    return next.nextAt;
  };

  async function sumUp(entries: readonly QueueEntry[], { filter }: Subscription, period: { from: number; to: number }) {
    const submissions = entries.flatMap(({ content }) => (content.kind === 'submission' ? [content.submission] : []));
    const { quizzes } = digestOf(submissions, period, new Map());
    const weeks = await weekBefore(deps, quizzes.map(({ quizId }) => quizId), { filter, before: period.from });
    return digestOf(submissions, period, weeks);
  }

  async function startAnew(queue: string, version: number, nextAt: number): Promise<number> {
    const isKept = await outbox.commit(queue, { version, state: { nextAt, from: now() } satisfies DigestState, isBusy: false });
    return isKept ? nextAt : now();
  }
}

/** The latest of a subscription's times that has come; `firstAt` is one of them. */
function lastDue(delivery: DigestDelivery, timeZone: string, firstAt: number, now: number): number {
  let dueAt = firstAt;
  // After a long outage it does not go through every hour of it.
  for (let next = nextDigestAt(delivery, timeZone, Math.max(firstAt, now - longestWaitMs)); next <= now; next = nextDigestAt(delivery, timeZone, next)) dueAt = next;
  return dueAt;
}

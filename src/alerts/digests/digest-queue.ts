import type { Log } from '../../observability/log.ts';
import type { Responses } from '../../quiz-api/responses.ts';
import type { LaneEntry } from '../../domain/queue-entry.ts';
import type { Outbox } from '../../storage/storage.ts';
import { isPaused, type How, type Subscription } from '../../domain/subscription.ts';
import { digestOf } from './digest-of.ts';
import { nextDigestAt } from './schedule.ts';
import { weekBefore } from './week-before.ts';

/** What a subscription's digests have come to. Times are milliseconds since the epoch. */
interface DigestState {
  nextAt: number;
  /** Since when the next one counts. */
  from: number;
}

type DigestHow = Extract<How, { kind: 'digest' }>;

/** Summed up at once; what goes beyond waits for the next digest. */
const entriesAtMost = 20_000;
/** No two digests are further apart, a skipped day between them included; where it seems so, the clock was set back. */
const longestWaitMs = 3 * 24 * 3_600_000;

/**
 * Collects the submissions of a subscription and has them told at its times, in one message: what was put into the
 * lane before the time becomes one entry of the channel's lane, in the step that takes it out of this one. After an
 * outage or a pause, that is one digest of all the time since the last, and at once.
 *
 * @returns runs a lane, and says when to run it next (milliseconds since the epoch); undefined: when it is woken
 */
export function createDigestLane(deps: {
  outbox: Pick<Outbox, 'waiting' | 'stateOf' | 'commit' | 'drop'>;
  responses: Pick<Responses, 'list'>;
  subscriptionOf: (teamId: string, id: string) => Promise<Subscription | undefined>;
  wake: (lane: string) => Promise<void>;
  channelLane: (teamId: string, channelId: string) => string;
  log: Log;
  now: () => number;
}): (lane: string, teamId: string, subscriptionId: string) => Promise<number | undefined> {
  const { outbox, wake, log, now } = deps;

  return async (lane, teamId, subscriptionId) => {
    const subscription = await deps.subscriptionOf(teamId, subscriptionId);
    if (subscription === undefined || subscription.how.kind !== 'digest') {
      await outbox.drop(subscriptionId, Infinity);
      return undefined;
    }
    const { how, timeZone, createdAt, pause } = subscription;
    const { version, state = { nextAt: nextDigestAt(how, timeZone, createdAt), from: createdAt } } = await outbox.stateOf<DigestState>(lane);
    const startedAt = now();
    if (state.nextAt > startedAt) {
      return state.nextAt - startedAt <= longestWaitMs ? state.nextAt : startAnew(lane, version, nextDigestAt(how, timeZone, startedAt));
    }
    if (isPaused(subscription, startedAt)) return pause?.until ?? undefined;

    const dueAt = lastDue(how, timeZone, state.nextAt, startedAt);
    const next: DigestState = { nextAt: nextDigestAt(how, timeZone, dueAt), from: dueAt };
    const entries = await outbox.waiting(lane, { limit: entriesAtMost });
    const due = entries.filter(({ at }) => at < dueAt);
    if (due.length === 0) {
      const isKept = await outbox.commit(lane, { version, state: next, isBusy: false });
      return isKept ? next.nextAt : now();
    }

    const target = deps.channelLane(teamId, subscription.channelId);
    const digest = await sumUp(due, subscription, { from: state.from, to: dueAt });
    const isKept = await outbox.commit(lane, {
      version,
      state: next,
      isBusy: false,
      remove: due.map(({ position }) => position),
      put: [{ lane: target, subscriptionId, at: now(), content: { kind: 'digest', digest } }],
    });
    if (!isKept) return now();
    log.info({ subscription: subscriptionId, submissions: due.length }, 'digest made');
    await wake(target);
    return next.nextAt;
  };

  async function sumUp(entries: readonly LaneEntry[], { which }: Subscription, period: { from: number; to: number }) {
    const submissions = entries.flatMap(({ content }) => (content.kind === 'submission' ? [content.submission] : []));
    const { quizzes } = digestOf(submissions, period, new Map());
    const weeks = await weekBefore(deps, quizzes.map(({ quizId }) => quizId), { which, before: period.from });
    return digestOf(submissions, period, weeks);
  }

  async function startAnew(lane: string, version: number, nextAt: number): Promise<number> {
    const isKept = await outbox.commit(lane, { version, state: { nextAt, from: now() } satisfies DigestState, isBusy: false });
    return isKept ? nextAt : now();
  }
}

/** The latest of a subscription's times that has come; `firstAt` is one of them. */
function lastDue(how: DigestHow, timeZone: string, firstAt: number, now: number): number {
  let dueAt = firstAt;
  // After a long outage it does not go through every hour of it.
  for (let next = nextDigestAt(how, timeZone, Math.max(firstAt, now - longestWaitMs)); next <= now; next = nextDigestAt(how, timeZone, next)) dueAt = next;
  return dueAt;
}

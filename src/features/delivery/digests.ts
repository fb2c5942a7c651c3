import { minuteMs, hourMs, dayMs, weekMs } from '../../domain/durations.ts';
import { channelQueue, type Digest, type QueueEntry, type DigestOfQuiz, type Submission } from '../../domain/queues.ts';
import { markedPerson } from '../../domain/said.ts';
import { countOutcomes, gradedPercentages } from '../../domain/submission-outcome.ts';
import {
  hasResult,
  isPaused,
  type Subscription,
  type Delivery,
  type SubmissionFilter,
} from '../../domain/subscription.ts';
import type { Machine } from '../../durable/machine.ts';
import type { Log } from '../../observability/log.ts';
import type { Responses } from '../../quiz-api/quiz-api.ts';
import { isSubmitted, submissionOf } from '../../quiz-api/responses.ts';
import { startOfDay, wallClock, type WallClock, type WallTime } from '../../time/wall-clock.ts';

/** What the queue of a digest stores beside its entries. Times are milliseconds since the epoch. */
interface DigestState {
  nextAt: number;
  /** The beginning of the next digest's period. */
  from: number;
}

/** What a run does. */
type DigestStep =
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

interface DigestNote {
  subscriptionId: string;
  submissions: number;
}

/**
 * Collects the submissions of a subscription for its digests. When a digest is due, one step replaces the entries from
 * before its time with one entry in the channel's queue. After an outage or a pause, one digest covers all the time
 * since the last, at once.
 */
export function digestMachine(deps: {
  responses: Pick<Responses, 'list'>;
  subscriptionOf: (teamId: string, id: string) => Promise<Subscription | undefined>;
  log: Log;
  now: () => number;
}): Machine<DigestState, never, never, DigestNote> {
  return {
    mailAtMost: entriesAtMost,
    isBusy: () => false,
    async step({ mailbox: { teamId, id }, state, mail, now }) {
      const subscription = await deps.subscriptionOf(teamId, id);
      if (!isDigest(subscription))
        return mail.length === 0
          ? { kind: 'rest', until: undefined }
          : { kind: 'keep', state: state ?? { nextAt: now, from: now }, take: positionsOf(mail) };
      const step = digestStep(state, subscription, now);
      if (step.kind === 'wait') return { kind: 'rest', until: step.until };
      if (step.kind === 'restart') return { kind: 'keep', state: step.state, at: step.state.nextAt };
      const due = dueIn(mail, step.period);
      const next = { kind: 'keep', state: step.next, at: step.next.nextAt } as const;
      if (due.length === 0) return next;
      const digest = await sumUp(due, subscription, step.period);
      const { id: subscriptionId, channelId } = subscription;
      return {
        ...next,
        take: positionsOf(due),
        put: [{ queue: channelQueue(teamId, channelId), subscriptionId, at: now, content: { kind: 'digest', digest } }],
        note: { subscriptionId, submissions: due.length },
      };
    },
    note({ subscriptionId, submissions }) {
      deps.log.info({ subscription: subscriptionId, submissions }, 'digest made');
    },
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

const positionsOf = (entries: readonly QueueEntry[]) => entries.map(({ position }) => position);
const dueIn = (mail: readonly QueueEntry[], { to }: { to: number }) => mail.filter(({ at }) => at < to);

function isDigest(subscription: Subscription | undefined): subscription is Subscription & { delivery: DigestDelivery } {
  return subscription?.delivery.kind === 'digest';
}

type DigestDelivery = Extract<Delivery, { kind: 'digest' }>;

/** No two digests are further apart, with a skipped day between them. A longer wait means that the clock was set back. */
const longestDigestWaitMs = 3 * dayMs;

/**
 * Returns when the next digest is due in a zone, in milliseconds since the epoch; always after `afterMs`. An hourly
 * digest is due whenever a clock of the zone shows a full hour. A daily digest is due once a day: where a clock change
 * skips its time, at the first moment after it; where its time comes twice, at the first; not on a day that is skipped
 * as a whole.
 * @throws {RangeError} for an unknown zone
 */
export function nextDigestAt(delivery: DigestDelivery, timeZone: string, afterMs: number): number {
  const clock = wallClock(timeZone);
  return delivery.every === 'hour' ? nextFullHour(clock, afterMs) : nextDaily(clock, msOfDay(delivery.at), afterMs);
}

/** Returns the last due time up to `now`. @param firstAt a due time that has come */
function lastDigestAt(delivery: DigestDelivery, timeZone: string, firstAt: number, now: number): number {
  let dueAt = firstAt;
  // After a long outage, the hours before the last days need no look.
  let next = nextDigestAt(delivery, timeZone, Math.max(firstAt, now - longestDigestWaitMs));
  while (next <= now) {
    dueAt = next;
    next = nextDigestAt(delivery, timeZone, next);
  }
  return dueAt;
}

/** Goes minute by minute: clocks also change by half hours, and at any minute of an hour. */
function nextFullHour(clock: WallClock, afterMs: number): number {
  let moment = Math.floor(afterMs / minuteMs) * minuteMs + minuteMs;
  while (clock.shownAt(moment) % hourMs !== 0) moment += minuteMs;
  return moment;
}

function nextDaily(clock: WallClock, timeOfDayMs: number, afterMs: number): number {
  // Starts a day early: a gap before midnight moves a skipped time into the next day.
  let day = startOfDay(clock.shownAt(afterMs)) - dayMs;
  for (;;) {
    const moment = clock.firstMomentOf(day + timeOfDayMs);
    if (moment > afterMs && exists(day, clock)) return moment;
    day += dayMs;
  }
}

function exists(day: WallTime, clock: WallClock): boolean {
  return startOfDay(clock.shownAt(clock.firstMomentOf(day))) === day;
}

/** Reads a time of day such as `08:30`. */
function msOfDay(at: string): number {
  const [hours = 0, minutes = 0] = at.split(':').map(Number);
  return hours * hourMs + minutes * minuteMs;
}

type WeekBefore = NonNullable<DigestOfQuiz['weekBefore']>;

/** Each costs a request. */
const quizzesAtMost = 10;
/** For all requests together: a digest waits no longer for the comparison. */
const timeoutMs = 60_000;

/**
 * Sums up submissions: the quiz with most of them first, and in each quiz the people who failed in the order of their
 * submissions.
 * @param period milliseconds since the epoch
 * @param weekBefore by quiz id; quizzes whose week before is unknown are missing
 */
export function digestOf(
  submissions: readonly Submission[],
  period: { from: number; to: number },
  weekBefore: ReadonlyMap<string, WeekBefore>,
): Digest {
  const quizzes = [...Map.groupBy(submissions, ({ quizId }) => quizId)]
    .map(([quizId, own]) => digestOfQuiz(quizId, own, weekBefore.get(quizId)))
    .toSorted((a, b) => b.submitted - a.submitted);
  return { from: period.from, to: period.to, quizzes };
}

function digestOfQuiz(
  quizId: string,
  submissions: readonly Submission[],
  weekBefore: WeekBefore | undefined,
): DigestOfQuiz {
  const percentages = gradedPercentages(submissions);
  return {
    quizId,
    quizName: submissions.at(-1)?.quizName ?? '',
    ...countOutcomes(submissions.map(({ outcome }) => outcome)),
    mean: meanOf(percentages),
    weekBefore,
    percentages,
    failedNames: submissions
      .filter(({ outcome }) => outcome === 'failed')
      .map(({ userId, name }) => (userId === undefined ? name : markedPerson(userId, name))),
  };
}

/**
 * Asks the quiz service how quizzes went in the week before a moment (milliseconds since the epoch), by the
 * subscription's filter. Only the first ten quizzes are asked for; those that the service does not answer are missing.
 */
export async function loadWeekBefore(
  deps: { responses: Pick<Responses, 'list'>; log: Log; now: () => number },
  quizIds: readonly string[],
  { filter, before }: { filter: SubmissionFilter; before: number },
): Promise<Map<string, WeekBefore>> {
  const deadline = deps.now() + timeoutMs;
  const weeks = new Map<string, WeekBefore>();
  for (const quizId of quizIds.slice(0, quizzesAtMost)) {
    try {
      const responses = await deps.responses.list(quizId, { priority: 'background', deadline });
      const submissions = responses
        .filter(isSubmitted)
        .map((response) => submissionOf(response, false))
        .filter(({ submittedAt }) => (submittedAt ?? 0) >= before - weekMs && (submittedAt ?? 0) < before)
        .filter((submission) => hasResult(submission, filter));
      const percentages = gradedPercentages(submissions);
      weeks.set(quizId, { graded: percentages.length, mean: meanOf(percentages) });
    } catch (error) {
      deps.log.warn({ error, quiz: quizId }, 'a digest goes without the week before: the quiz service did not answer');
    }
  }
  return weeks;
}

/** @returns null for no numbers */
function meanOf(numbers: readonly number[]): number | null {
  return numbers.length === 0 ? null : numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

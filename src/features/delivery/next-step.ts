import { hourMs, dayMs } from '../../domain/durations.ts';
import type {
  AnnouncedSubmission,
  Announcement,
  ListAnnouncement,
  Posting,
  ThreadCounts,
} from '../../domain/announcement.ts';
import { addCounts, countOutcomes, gradedPercentages } from '../../domain/submission-outcome.ts';
import type { QueueEntry, Submission } from '../../domain/queues.ts';
import { isPaused, type Subscription } from '../../domain/subscription.ts';
import { dateFormat } from '../../time/wall-clock.ts';
import { firstOf } from './posting.ts';
import type { PlatformError } from '../../domain/errors.ts';
import { afterFailure, isRefusedFor, type Posting as KeptPosting } from '../../durable/posting.ts';

/** What a channel's queue stores beside its entries. Times are milliseconds since the epoch. */
export interface ChannelState extends KeptPosting<ChannelMessage> {
  /** By thread key; kept for two days after the last message. */
  threads: Readonly<Record<string, Thread>>;
  /** When the head of a thread was last updated. */
  refreshedAt?: number;
}

/** What is kept of a message in flight. */
interface ChannelMessage {
  /** The queue entries that it announces. */
  positions: readonly number[];
  /** Its thread, with what the counts become through it. */
  thread?: { key: string; isParent: boolean; counted: Thread } | undefined;
}

export type InFlightMessage = NonNullable<ChannelState['inFlight']>;

/** The submissions of a quiz on a day, for a subscription. */
export interface Thread extends ThreadCounts {
  timeZone: string;
  /** The message that heads the thread; undefined until it is posted. */
  messageId?: string | undefined;
  /** The number of submissions that the head shows. */
  shown: number;
  usedAt: number;
}

export const freshState: ChannelState = { threads: {}, failures: 0, notBefore: 0 };

const threadTtlMs = 48 * hourMs;

/** Whether the queue has work although no entry waits in it. */
export function isBusy({ inFlight, threads }: ChannelState): boolean {
  return inFlight !== undefined || Object.values(threads).some(isStale);
}

/** Whether the head of a thread shows fewer submissions than there are. */
function isStale({ messageId, shown, submitted }: Thread): boolean {
  return messageId !== undefined && shown < submitted;
}

/** The id of the message whose thread a message in flight is in; undefined for a message outside threads. */
export function threadIdOf({ thread }: InFlightMessage): string | undefined {
  return thread?.isParent === false ? thread.counted.messageId : undefined;
}

/** The threads after a message that is in the channel for certain. */
export function threadsAfter({ threads }: ChannelState, inFlight: InFlightMessage, messageId: string, now: number) {
  const { thread } = inFlight;
  const open = young(threads, now);
  if (thread === undefined) return open;
  const { key, counted } = thread;
  const isReply = threadIdOf(inFlight) !== undefined;
  const { shown } = isReply ? (threads[key] ?? counted) : counted;
  return { ...open, [key]: { ...counted, shown, usedAt: now, ...(!isReply && { messageId }) } };
}

function young(threads: ChannelState['threads'], now: number): Record<string, Thread> {
  return Object.fromEntries(Object.entries(threads).filter(([, { usedAt }]) => now - usedAt < threadTtlMs));
}

/** The state after the head of a thread was updated. */
export function afterRefreshed(state: ChannelState, key: string, thread: Thread, now: number): ChannelState {
  return { ...state, refreshedAt: now, threads: { ...state.threads, [key]: { ...thread, shown: thread.submitted } } };
}

/** The state after an update that failed: a head that no longer changes is given up, with its thread. */
export function afterRefreshFailed(
  state: ChannelState,
  key: string,
  failure: PlatformError,
  now: number,
): ChannelState {
  const isLasting = failure.kind === 'thread_gone' || failure.kind === 'closed' || isRefusedFor(failure);
  return isLasting ? withoutThread(state, key) : afterFailure(state, failure, now);
}

export function withoutThread(state: ChannelState, key: string): ChannelState {
  const { [key]: _, ...threads } = state.threads;
  return { ...state, threads };
}

/** What a run of a channel's queue does. */
type Step =
  /** `until`: milliseconds since the epoch; undefined: until something new comes. */
  | { kind: 'wait'; until: number | undefined }
  /** Ask the channel whether a message in flight is there. */
  | { kind: 'resolve-uncertain'; inFlight: InFlightMessage }
  /** Update the head of a thread. */
  | { kind: 'refresh'; key: string; thread: Thread }
  /** Drop entries without a subscription. */
  | { kind: 'discard'; orphans: readonly QueueEntry[] }
  | { kind: 'post'; message: NextMessage };

/** What a step is decided on. */
export interface QueueView {
  state: ChannelState;
  /** Those of the channel. */
  subscriptions: readonly Subscription[];
  now: number;
}

/** While submissions keep coming, heads of threads are updated no more often than this. */
const refreshEveryMs = 10_000;

/** Decides the step where it does not depend on entries. */
export function stepBeforeEntries(view: QueueView): Step | undefined {
  const {
    state: { inFlight, refreshedAt = 0 },
    subscriptions,
    now,
  } = view;
  if (subscriptions.length > 0 && pausedIn(view).length === subscriptions.length)
    return { kind: 'wait', until: resumesAt(view) };
  if (inFlight) return { kind: 'resolve-uncertain', inFlight };
  return now >= refreshedAt + refreshEveryMs ? refreshStep(view) : undefined;
}

/** Counts the first items of a list that fit into a message. */
type CountFitting = (list: ListAnnouncement) => number;

/** Decides the step on the first entries, without those of paused subscriptions. */
export function stepForEntries(view: QueueView, entries: readonly QueueEntry[], countFitting: CountFitting): Step {
  const { subscriptions } = view;
  const orphans = entries.filter(({ subscriptionId }) => !subscriptions.some(({ id }) => id === subscriptionId));
  if (orphans.length > 0) return { kind: 'discard', orphans };
  const message = nextMessage(
    entries,
    new Map(subscriptions.map((subscription) => [subscription.id, subscription])),
    view,
    countFitting,
  );
  if (message) return { kind: 'post', message };
  return refreshStep(view) ?? { kind: 'wait', until: resumesAt(view) };
}

export function pausedIn({ subscriptions, now }: QueueView): Subscription[] {
  return subscriptions.filter((subscription) => isPaused(subscription, now));
}

function refreshStep({ state }: QueueView): Step | undefined {
  const stale = Object.entries(state.threads).find(([, thread]) => isStale(thread));
  return stale && { kind: 'refresh', key: stale[0], thread: stale[1] };
}

/** When the first of the pauses ends by itself; undefined where none does. */
function resumesAt(view: QueueView): number | undefined {
  const ends = pausedIn(view).flatMap(({ pause }) => pause?.until ?? []);
  return ends.length === 0 ? undefined : Math.min(...ends);
}

/** A message that is about to be posted. */
export interface NextMessage {
  announcement: Announcement;
  /** The queue entries that it announces. */
  positions: readonly number[];
  /** The message that heads its thread. */
  threadId?: string;
  thread?: NonNullable<InFlightMessage['thread']>;
}

/** A submission that waits, with the subscription it waits for. */
interface Pending {
  position: number;
  at: number;
  submission: Submission;
  subscription: Subscription;
}

const dayFormat = { dateStyle: 'short' } as const;

/**
 * Decides what to post next. The first entry decides the kind of message, and as many others of its kind go with it as fit:
 * what piled up becomes one message, and a single submission gets its own.
 *
 * @returns undefined where no entry belongs to one of the subscriptions
 */
export function nextMessage(
  entries: readonly QueueEntry[],
  subscriptions: ReadonlyMap<string, Subscription>,
  { state, now }: Pick<QueueView, 'state' | 'now'>,
  countFitting: CountFitting,
): NextMessage | undefined {
  const [entry] = entries;
  const subscription = subscriptions.get(entry?.subscriptionId ?? '');
  if (entry === undefined || subscription === undefined) return undefined;
  const { content } = entry;
  if (content.kind !== 'submission' && content.kind !== 'digest') return undefined;
  if (content.kind === 'digest')
    return { announcement: { kind: 'digest', digest: content.digest, subscription }, positions: [entry.position] };

  const corrects = isCorrection(content.submission);
  const pending = pendingSubmissions(entries, subscriptions).filter(
    ({ submission }) => isCorrection(submission) === corrects,
  );
  const fitting = (own: readonly Pending[]) => firstFitting(own, { postedAt: now }, state, countFitting);
  const isOutside = (one: Pending) => one.subscription.delivery.kind !== 'thread' || isCorrection(one.submission);
  const first: Pending = { position: entry.position, at: entry.at, submission: content.submission, subscription };
  if (isOutside(first)) return submissionsMessage(fitting(pending.filter(isOutside)), { postedAt: now });
  const key = threadKey(first);
  const own = pending.filter((one) => !isOutside(one) && threadKey(one) === key);
  const known = state.threads[key];
  return known?.messageId === undefined
    ? threadHead(key, known ?? emptyThread(first), own)
    : threadReply(key, known, known.messageId, fitting(own), now);
}

function firstFitting(
  pending: readonly Pending[],
  posting: Posting,
  state: ChannelState,
  countFitting: CountFitting,
): readonly Pending[] {
  const few = firstOf(state, pending);
  return few.length > 1
    ? few.slice(0, countFitting({ kind: 'submissions', items: few.map(announcedSubmission), ...posting }))
    : few;
}

/** The submissions before the next digest, which keeps its place among them. */
function pendingSubmissions(entries: readonly QueueEntry[], subscriptions: ReadonlyMap<string, Subscription>) {
  const firstDigest = entries.findIndex(({ content }) => content.kind === 'digest');
  return entries
    .slice(0, firstDigest === -1 ? entries.length : firstDigest)
    .flatMap(({ position, at, subscriptionId, content }) => {
      const subscription = subscriptions.get(subscriptionId);
      return subscription && content.kind === 'submission'
        ? [{ position, at, submission: content.submission, subscription }]
        : [];
    });
}

function submissionsMessage(pending: readonly Pending[], posting: Posting): NextMessage {
  const items = pending.map(announcedSubmission);
  const [only, ...others] = items;
  return {
    announcement:
      only && others.length === 0
        ? { kind: 'submission', ...only, ...posting }
        : { kind: 'submissions', items, ...posting },
    positions: pending.map(({ position }) => position),
  };
}

function announcedSubmission({ submission, subscription: { showsNames } }: Pending): AnnouncedSubmission {
  return { submission, showsNames };
}

/** The head shows the counts of the replies to come, which saves an update right after them. */
function threadHead(key: string, thread: Thread, pending: readonly Pending[]): NextMessage {
  const counts = countedWith(thread, pending);
  return {
    announcement: { kind: 'thread-head', counts },
    positions: [],
    thread: { key, isParent: true, counted: { ...thread, shown: counts.submitted } },
  };
}

function threadReply(
  key: string,
  thread: Thread,
  threadId: string,
  pending: readonly Pending[],
  now: number,
): NextMessage {
  return {
    ...submissionsMessage(pending, { postedAt: now }),
    threadId,
    thread: { key, isParent: false, counted: countedWith(thread, pending) },
  };
}

function emptyThread(first: Pending): Thread {
  const {
    subscription: { timeZone },
    submission: { quizId, quizName },
  } = first;
  return {
    quizId,
    quizName,
    day: dayOf(first),
    timeZone,
    submitted: 0,
    passed: 0,
    failed: 0,
    unmarked: 0,
    scored: 0,
    percentagesTotal: 0,
    shown: 0,
    usedAt: first.at,
  };
}

function countedWith(thread: Thread, pending: readonly Pending[]): Thread {
  const submissions = pending.map(({ submission }) => submission);
  const percentages = gradedPercentages(submissions);
  return {
    ...thread,
    ...addCounts(thread, countOutcomes(submissions.map(({ outcome }) => outcome))),
    scored: thread.scored + percentages.length,
    percentagesTotal: percentages.reduce((total, number) => total + number, thread.percentagesTotal),
  };
}

/** A correction is a message of its own, outside threads. */
function isCorrection({ corrects }: Submission): boolean {
  return corrects !== undefined;
}

/** One thread per subscription, quiz and day. */
function threadKey(pending: Pending): string {
  return `${pending.subscription.id}/${pending.submission.quizId}/${dayOf(pending)}`;
}

/** The day of the submission; the day of its entry where the submission has no date, or an old one. */
function dayOf({ submission, subscription: { timeZone }, at }: Pending): string {
  const { submittedAt } = submission;
  const isOfDate = submittedAt !== null && Math.abs(at - submittedAt) < dayMs;
  const moment = isOfDate ? submittedAt : at;
  // Swedish dates are in ISO 8601.
  return dateFormat('sv-SE', dayFormat, timeZone).format(moment);
}

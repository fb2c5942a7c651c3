import type { Announcement } from '../domain/announcement.ts';
import type { QueueEntry, Submission } from '../domain/queue-entry.ts';
import type { Subscription } from '../domain/subscription.ts';
import { dateFormat } from '../time/date-format.ts';
import type { InFlightMessage, Thread } from './channel-state.ts';

/** A message that is about to be posted. */
export interface NextMessage {
  announcement: Announcement;
  /** The queue entries that it announces. */
  positions: readonly number[];
  /** The responses of these entries, each as `<quiz id>/<response id>`; empty for a digest. */
  responses: readonly string[];
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

const dayMs = 24 * 3_600_000;
const dayFormat = { dateStyle: 'short' } as const;

/**
 * Decides what to post next. The first entry decides the kind of message, and all others of its kind go with it: what
 * piled up becomes one message, and a single submission gets its own.
 *
 * @returns undefined where no entry belongs to one of the subscriptions
 */
export function nextMessage(
  entries: readonly QueueEntry[],
  subscriptions: ReadonlyMap<string, Subscription>,
  threads: Readonly<Record<string, Thread>>,
): NextMessage | undefined {
  const [entry] = entries;
  const subscription = subscriptions.get(entry?.subscriptionId ?? '');
  if (entry === undefined || subscription === undefined) return undefined;
  const { content } = entry;
  if (content.kind === 'digest') return { announcement: { kind: 'digest', digest: content.digest, subscription }, positions: [entry.position], responses: [] };

  const pending = pendingSubmissions(entries, subscriptions);
  if (subscription.delivery.kind !== 'thread') return submissionsMessage(pending.filter((one) => one.subscription.delivery.kind !== 'thread'), subscription.timeZone);
  const first: Pending = { position: entry.position, at: entry.at, submission: content.submission, subscription };
  const key = threadKey(first);
  return threadedMessage(key, first, pending.filter((one) => threadKey(one) === key), threads[key]);
}

/** The submissions before the next digest, which keeps its place among them. */
function pendingSubmissions(entries: readonly QueueEntry[], subscriptions: ReadonlyMap<string, Subscription>): Pending[] {
  const firstDigest = entries.findIndex(({ content }) => content.kind === 'digest');
  return entries.slice(0, firstDigest === -1 ? entries.length : firstDigest).flatMap(({ position, at, subscriptionId, content }) => {
    const subscription = subscriptions.get(subscriptionId);
    return subscription && content.kind === 'submission' ? [{ position, at, submission: content.submission, subscription }] : [];
  });
}

function submissionsMessage(pending: readonly Pending[], timeZone: string): NextMessage {
  const items = pending.map(({ submission, subscription: { showsNames } }) => ({ submission, showsNames }));
  const [only, ...others] = items;
  return {
    announcement: only && others.length === 0 ? { kind: 'submission', ...only, timeZone } : { kind: 'submissions', items, timeZone },
    positions: pending.map(({ position }) => position),
    responses: items.map(({ submission: { quizId, responseId } }) => `${quizId}/${responseId}`),
  };
}

/** The head of the thread where it is not posted yet, otherwise the submissions as a reply. */
function threadedMessage(key: string, first: Pending, pending: readonly Pending[], known: Thread | undefined): NextMessage {
  const { subscription: { timeZone }, submission: { quizId, quizName } } = first;
  const thread: Thread = known ?? { quizId, quizName, day: dayOf(first), timeZone, submitted: 0, passed: 0, percentagesTotal: 0, shown: 0, usedAt: first.at };
  const counted: Thread = {
    ...thread,
    submitted: thread.submitted + pending.length,
    passed: thread.passed + pending.filter(({ submission: { passed } }) => passed).length,
    percentagesTotal: thread.percentagesTotal + pending.reduce((total, { submission: { percentage } }) => total + percentage, 0),
  };
  if (thread.messageId !== undefined) return { ...submissionsMessage(pending, timeZone), threadId: thread.messageId, thread: { key, isParent: false, counted } };
  // The head shows the counts of the replies to come, which saves an update right after them.
  const announcement: Announcement = { kind: 'thread-head', counts: counted, timeZone };
  return { announcement, positions: [], responses: [], thread: { key, isParent: true, counted: { ...thread, shown: counted.submitted } } };
}

/** One thread per subscription, quiz and day. */
function threadKey(pending: Pending): string {
  return `${pending.subscription.id}/${pending.submission.quizId}/${dayOf(pending)}`;
}

/** The day of the submission; the day of its entry where the submission has no date or an old one. */
function dayOf({ submission: { submittedAt }, subscription: { timeZone }, at }: Pending): string {
  const moment = submittedAt !== null && Math.abs(at - submittedAt) < dayMs ? submittedAt : at;
  // Swedish dates are in ISO 8601.
  return dateFormat('sv-SE', dayFormat, timeZone).format(moment);
}

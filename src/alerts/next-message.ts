import { dateFormat } from '../slack/views/date-format.ts';
import type { Message } from '../slack/views/message.ts';
import { digestMessage } from '../slack/views/digest.ts';
import { submissionMessage } from '../slack/views/submission.ts';
import { submissionsMessage } from '../slack/views/submissions.ts';
import { threadMessage } from '../slack/views/submission-thread.ts';
import type { QueueEntry, Submission } from '../domain/queue-entry.ts';
import type { Subscription } from '../domain/subscription.ts';
import type { Thread, InFlightMessage } from './channel-state.ts';

/** What is to be posted next. */
export interface NextMessage {
  message: Message;
  positions: readonly number[];
  /** The responses it tells of one by one, each as `<quiz id>/<response id>`. */
  responses: readonly string[];
  /** Slack's id of the thread it goes into. */
  threadTs?: string;
  thread?: InFlightMessage['thread'];
}

const dayMs = 24 * 3_600_000;

interface Told {
  position: number;
  at: number;
  submission: Submission;
  subscription: Subscription;
}

/**
 * What the channel is told next: the first that waits decides what it is, and the rest of its kind goes with it.
 * So what piled up becomes one message, and a single submission one of its own.
 */
export function nextMessage(
  entries: readonly QueueEntry[],
  subscriptions: ReadonlyMap<string, Subscription>,
  threads: Readonly<Record<string, Thread>>,
): NextMessage | undefined {
  const [first] = entries;
  const subscription = subscriptions.get(first?.subscriptionId ?? '');
  if (first === undefined || subscription === undefined) return undefined;
  const { timeZone, delivery } = subscription;
  if (first.content.kind === 'digest') return { message: digestMessage(first.content.digest, subscription), positions: [first.position], responses: [] };
  const told = submissionsIn(entries, subscriptions);
  if (delivery.kind !== 'thread') return tell(told.filter((one) => one.subscription.delivery.kind !== 'thread'), timeZone);
  const key = threadKey(told[0]!);
  return tellInThread(key, told.filter((one) => one.subscription.delivery.kind === 'thread' && threadKey(one) === key), threads[key]);
}

/** What waits before the next digest: that stands in its place among the others. */
function submissionsIn(entries: readonly QueueEntry[], subscriptions: ReadonlyMap<string, Subscription>): Told[] {
  const firstDigest = entries.findIndex(({ content }) => content.kind === 'digest');
  return entries.slice(0, firstDigest === -1 ? entries.length : firstDigest).flatMap(({ position, at, subscriptionId, content }) => {
    const subscription = subscriptions.get(subscriptionId);
    return subscription && content.kind === 'submission' ? [{ position, at, submission: content.submission, subscription }] : [];
  });
}

function tell(told: readonly Told[], timeZone: string): NextMessage {
  const items = told.map(({ submission, subscription }) => ({ submission, showsNames: subscription.showsNames }));
  const [only, ...others] = items;
  const message = only && others.length === 0 ? submissionMessage(only.submission, { timeZone, showsNames: only.showsNames }) : submissionsMessage(items, timeZone);
  return { message, positions: told.map(({ position }) => position), responses: told.map(({ submission: { quizId, responseId } }) => `${quizId}/${responseId}`) };
}

function tellInThread(key: string, told: readonly Told[], known: Thread | undefined): NextMessage {
  const [{ submission, subscription: { timeZone } }] = told as [Told];
  const thread = known ?? { quizId: submission.quizId, quizName: submission.quizName, day: dayOf(told[0]!), timeZone, submitted: 0, passed: 0, percentagesTotal: 0, shown: 0, usedAt: told[0]!.at };
  const counted: Thread = {
    ...thread,
    submitted: thread.submitted + told.length,
    passed: thread.passed + told.filter(({ submission: { passed } }) => passed).length,
    percentagesTotal: thread.percentagesTotal + told.reduce((total, { submission: { percentage } }) => total + percentage, 0),
  };
  // The first message counts what follows it at once, so that it need not be changed right away.
  if (thread.ts === undefined) return { message: threadMessage(counted, timeZone), positions: [], responses: [], thread: { key, isParent: true, counted: { ...thread, shown: counted.submitted } } };
  return { ...tell(told, timeZone), threadTs: thread.ts, thread: { key, isParent: false, counted } };
}

const dayFormat = { dateStyle: 'short' } as const;

/** A thread for each subscription, quiz and day in its zone. */
function threadKey(told: Told): string {
  return `${told.subscription.id}/${told.submission.quizId}/${dayOf(told)}`;
}

/** The day it was submitted; where that is not told or long ago, the day the bot heard of it. */
function dayOf({ submission: { submittedAt }, subscription: { timeZone }, at }: Told): string {
  const moment = submittedAt !== null && Math.abs(at - submittedAt) < dayMs ? submittedAt : at;
  // Sweden writes dates as ISO 8601 does.
  return dateFormat('sv-SE', dayFormat, timeZone).format(moment);
}

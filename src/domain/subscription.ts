import { fitsOutcome, isGraded, type OutcomeFilter, type SubmissionOutcome } from './submission-outcome.ts';

/** A channel's subscription to submitted quizzes. */
export interface Subscription {
  id: string;
  /** The workspace of the channel. */
  teamId: string;
  channelId: string;
  /** The person who subscribed; null for the channel from the configuration. */
  ownerId: string | null;
  /** Null: every quiz. The name is the one at the time of subscribing. */
  quiz: { id: string; name: string } | null;
  filter: SubmissionFilter;
  delivery: Delivery;
  /** The zone in which days begin and digests are due. */
  timeZone: string;
  /** False: initials only. */
  showsNames: boolean;
  /** Times are milliseconds since the epoch. Backfilled submissions from before this time are not announced. */
  createdAt: number;
  pause: Pause | null;
}

/** What a person chooses when subscribing a channel. */
export type SubscriptionSpec = Pick<
  Subscription,
  'channelId' | 'quiz' | 'filter' | 'delivery' | 'timeZone' | 'showsNames'
>;

/** Selects submissions by their result. */
export type SubmissionFilter =
  | { kind: 'all' }
  | { kind: OutcomeFilter }
  /** Graded, with a score below this percentage. */
  | { kind: 'below'; percentage: number }
  | { kind: 'grade'; grade: string };

/** A message per submission, a thread per quiz and day, or a digest: every full hour, or daily at a time such as `08:30`. */
export type Delivery =
  | { kind: 'each' }
  | { kind: 'thread' }
  | { kind: 'digest'; every: 'hour' }
  | { kind: 'digest'; every: 'day'; at: string };

/** While a pause lasts, submissions are kept for some days and not posted. */
export interface Pause {
  since: number;
  /** Null: until a person resumes the subscription. */
  until: number | null;
  /** A person; null where the bot paused the subscription because the platform does not let it post. */
  by: string | null;
  /** The platform's error code, or `sharedCode`, where the bot paused it. */
  code?: string;
  /** Whether the owner knows, where the bot paused it. */
  isOwnerNotified?: boolean;
}

/** Why the bot pauses the subscriptions of a channel that another company reads from now on. */
export const sharedCode = 'channel_shared';

export function isPaused({ pause }: Pick<Subscription, 'pause'>, now: number): boolean {
  return pause !== null && (pause.until === null || pause.until > now);
}

/** Whether a submission has a result that a filter lets through. */
export function hasResult(
  { outcome, percentage, grade }: { outcome: SubmissionOutcome; percentage: number | null; grade: string },
  filter: SubmissionFilter,
): boolean {
  switch (filter.kind) {
    case 'all':
      return true;
    case 'below':
      return isGraded(outcome) && percentage !== null && percentage < filter.percentage;
    case 'grade':
      return grade.trim().toLowerCase() === filter.grade.trim().toLowerCase();
    default:
      return fitsOutcome(outcome, filter.kind);
  }
}

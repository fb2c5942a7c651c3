/** A channel's wish to hear of submitted quizzes. */
export interface Subscription {
  id: string;
  /** The workspace the channel is in. */
  teamId: string;
  channelId: string;
  /** Slack id of who subscribed; null for the channel that the configuration names. */
  ownerId: string | null;
  /** Null: every quiz. The name is the one it had when somebody subscribed. */
  quiz: { id: string; name: string } | null;
  filter: SubmissionFilter;
  delivery: Delivery;
  /** The zone in which its days begin and its digests come. */
  timeZone: string;
  /** False: initials only. */
  showsNames: boolean;
  /** Times are milliseconds since the epoch. What was submitted before is never announced as late. */
  createdAt: number;
  pause: Pause | null;
}

/** Which submissions, by their result. */
export type SubmissionFilter =
  | { kind: 'all' }
  | { kind: 'passed' }
  | { kind: 'failed' }
  /** A percentage; the score is under it. */
  | { kind: 'below'; percentage: number }
  | { kind: 'grade'; grade: string };

/** As a message each, in a thread a quiz and day, or summed up: at every full hour, or daily at a time such as `08:30`. */
export type Delivery = { kind: 'each' } | { kind: 'thread' } | { kind: 'digest'; every: 'hour' } | { kind: 'digest'; every: 'day'; at: string };

/** While it lasts, what comes is kept for some days and not posted. */
export interface Pause {
  since: number;
  /** Null: until somebody resumes it. */
  until: number | null;
  /** Slack id; null where the bot paused it, since Slack does not let it post. */
  by: string | null;
  /** Slack's error, where the bot paused it. */
  code?: string;
  /** Whether the owner was told, where the bot paused it. */
  isOwnerNotified?: boolean;
}

/** Whether what a subscription wants to hear of is kept for now, and not posted. */
export function isPaused({ pause }: Pick<Subscription, 'pause'>, now: number): boolean {
  return pause !== null && (pause.until === null || pause.until > now);
}

import type { Outcome } from './outcome.ts';

/** A submitted quiz as it is announced: name and result, and nothing else of the person. */
export interface Submission {
  quizId: string;
  quizName: string;
  responseId: string;
  name: string;
  /** Null in each of these: the service does not say. */
  points: number | null;
  availablePoints: number | null;
  /** Percent. */
  percentage: number | null;
  grade: string;
  outcome: Outcome;
  attempt: number | null;
  durationSeconds: number | null;
  /** Milliseconds since the epoch; null where the service does not tell. */
  submittedAt: number | null;
  /** Its webhook never came: the bot found it when it compared. */
  isBackfilled: boolean;
}

/** What a digest says of the submissions of a time. */
export interface Digest {
  /** Milliseconds since the epoch. */
  from: number;
  to: number;
  /** The quiz with most submissions first. */
  quizzes: readonly DigestOfQuiz[];
}

export interface DigestOfQuiz {
  quizId: string;
  quizName: string;
  submitted: number;
  passed: number;
  /** Percent. */
  mean: number;
  /** Of the week before, where the service told it; null where nothing was submitted in it. */
  weekBefore?: { submitted: number; mean: number | null };
  /** Percentages of all, for the chart. */
  percentages: readonly number[];
  /** Names of who did not pass. */
  failed: readonly string[];
}

/** Something that waits in a queue. */
export interface QueueEntry {
  /** Its place in the queue; grows from entry to entry. */
  position: number;
  subscriptionId: string;
  /** When it was put there, in milliseconds since the epoch. */
  at: number;
  content: { kind: 'submission'; submission: Submission } | { kind: 'digest'; digest: Digest };
}

/** An entry before it has its place. */
export type NewQueueEntry = Omit<QueueEntry, 'position'> & { queue: string };

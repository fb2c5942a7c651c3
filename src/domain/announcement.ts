import type { OutcomeCounts } from './outcome.ts';
import type { Digest, DigestOfQuiz, Submission } from './queue-entry.ts';
import type { Subscription } from './subscription.ts';

/** A message that the bot sends by itself, before any platform gives it a form. */
export type Announcement =
  | ({ kind: 'submission'; timeZone: string } & AnnouncedSubmission)
  | { kind: 'submissions'; items: readonly AnnouncedSubmission[]; timeZone: string }
  /** The message whose thread holds the submissions. */
  | { kind: 'thread-head'; counts: ThreadCounts; timeZone: string }
  /** People whose names are not in the `failedNames` of their quizzes are counted. */
  | { kind: 'digest'; digest: Digest; subscription: Subscription }
  /** What the first message of a digest leaves out. */
  | { kind: 'digest-rest'; items: readonly DigestItem[]; subscription: Subscription }
  /** Greets a channel that was subscribed. */
  | { kind: 'subscribed'; subscription: Subscription }
  | { kind: 'test-alert'; subscription: Subscription }
  /** For the owner: the platform does not let the bot post in the channel, and answers `code`. */
  | { kind: 'paused'; subscription: Subscription; code: string; waiting: number }
  /** For the person who got a quiz. `by`: the person who assigned it. */
  | { kind: 'assigned'; quizName: string; by: string; takeUrl: string | undefined }
  /** For the person who submitted a quiz. `reportUrl`: the service's page about it. */
  | { kind: 'own-result'; submission: Submission; reportUrl: string | undefined };

/** An announcement that can be split between two of its items. */
export type ListAnnouncement = Extract<Announcement, { items: readonly unknown[] }>;

/** Whether names in an announcement can go into another announcement instead. */
export function canBeShorter(announcement: Announcement): boolean {
  if (announcement.kind === 'digest') return announcement.digest.quizzes.some(({ failedNames }) => failedNames.length > 0);
  return 'items' in announcement && announcement.items.length > 1;
}

/** A person who failed a quiz; without a name, the quiz alone. */
export interface DigestItem {
  quiz: DigestOfQuiz;
  name?: string;
}

export interface AnnouncedSubmission {
  submission: Submission;
  /** False: initials only. */
  showsNames: boolean;
}

/** The submissions of one quiz on one day, so far. */
export interface ThreadCounts extends OutcomeCounts {
  quizId: string;
  quizName: string;
  /** In the subscription's zone, such as `2026-11-21`. */
  day: string;
  /** The number of graded submissions with a percentage, and the sum of these percentages. */
  scored: number;
  percentagesTotal: number;
}

import type { AuditEntry, MissingEnd } from './audit-chain.ts';
import type { BatchProgress } from './batch.ts';
import type { Campaign } from './campaign.ts';
import type { Note } from './note.ts';
import type { DepartureList, CampaignMessage, Digest, Submission } from './queues.ts';
import type { OutcomeCounts } from './submission-outcome.ts';
import type { Subscription } from './subscription.ts';

/** A message that the bot sends by itself, before any platform gives it a form. */
export type Announcement =
  | { kind: 'note'; note: Note }
  | ({ kind: 'submission' } & AnnouncedSubmission & Posting)
  | ({ kind: 'submissions'; items: readonly AnnouncedSubmission[] } & Posting)
  /** The message whose thread holds the submissions. */
  | { kind: 'thread-head'; counts: ThreadCounts }
  | { kind: 'digest'; digest: Digest; subscription: Subscription }
  | { kind: 'test-alert'; subscription: Subscription }
  /** For the person who got a quiz. `by`: the person who assigned it. */
  | { kind: 'assigned'; quizName: string; by: string; takeUrl: string | undefined }
  /** For the person who submitted a quiz. `reportUrl`: the service's page about it. */
  /** `takeUrl`: for a person who did not pass. */
  | { kind: 'own-result'; submission: Submission; reportUrl: string | undefined; takeUrl?: string | undefined }
  /** For the person whose user was created: they can set the password. `by`: the person who had it created. */
  | { kind: 'own-password'; userId: string; by: string }
  | CampaignAnnouncement
  | AuditAnnouncement
  /** For those who decide: users of the account left the platform, or are back. Updated in place. */
  | { kind: 'departures'; list: DepartureList }
  /** Updated in place while the batch goes on. `now`: milliseconds since the epoch. */
  | { kind: 'batch-progress'; progress: BatchProgress; now: number };

/** Times are milliseconds since the epoch. */
type CampaignAnnouncement =
  /** Updated in place while the campaign goes on. `assigning`: how far the batch is that assigns the quiz. */
  | { kind: 'campaign-board'; campaign: Campaign; assigning: BatchProgress | undefined; now: number }
  | { kind: 'campaign-end'; campaign: Campaign; now: number }
  /** For a member: at least one notice, each of another campaign. */
  | { kind: 'campaign-notices'; notices: readonly CampaignNotice[]; now: number }
  /** For a lead: at least one escalation, each of another campaign. */
  | { kind: 'campaign-escalations'; escalations: readonly CampaignEscalation[] }
  /** For who answers for these campaigns, on Monday: at least one. */
  | { kind: 'campaign-weeks'; weeks: readonly CampaignWeek[] }
  /** For a manager: those of their people who are late, each once. */
  | { kind: 'campaign-reports'; people: readonly LateReport[] };

/** What there is to say of a campaign on Monday, in numbers of people. */
export interface CampaignWeek {
  campaignId: string;
  quizName: string;
  /** In the last seven days. */
  done: number;
  /** Names of those who are overdue. */
  late: readonly string[];
  /** Whose pass ends within 30 days. */
  expiring: number;
  /** Undefined where no answers are known. */
  failed?: FailedQuestion | undefined;
}

/** A question, and how many got it wrong. */
export interface FailedQuestion {
  quizId: string;
  question: string;
  asked: number;
  wrong: number;
}

/** Somebody who is late, and the quizzes that they have to take. */
export interface LateReport {
  userId: string;
  name: string;
  quizzes: readonly { campaignId: string; quizName: string }[];
}

/** What the audit channel shows of the audit trail. */
export type AuditAnnouncement =
  | { kind: 'audit-changes'; items: readonly NamedAuditEntry[] }
  /** Updated in place: the entries about a request, the oldest first. */
  | { kind: 'audit-request'; entries: readonly NamedAuditEntry[] }
  /** Updated in place: what a person was refused. */
  | { kind: 'audit-refusals'; who: string; refusals: Refusals }
  | { kind: 'audit-missing'; missing: MissingEnd };

/** An entry of the audit trail with names in the place of the platform’s ids, for a post that must notify nobody. */
export interface NamedAuditEntry {
  entry: AuditEntry;
  /** The name of the person who acted. */
  who: string;
}

/** Refusals of one person, summed up. */
export interface Refusals {
  /** Milliseconds since the epoch. */
  since: number;
  /** By the operation's name. */
  counts: Readonly<Record<string, number>>;
}

/** `takeUrl`: where the lead is among the missing people; undefined where the account has no address configured. */
export type CampaignEscalation = Omit<Extract<CampaignMessage, { kind: 'campaign-escalation' }>, 'kind'> & {
  takeUrl: string | undefined;
};

/** `takeUrl`: the address where the quiz is taken; undefined where the account has none configured. */
export type CampaignNotice = Omit<Extract<CampaignMessage, { kind: 'campaign-notice' }>, 'kind'> & {
  takeUrl: string | undefined;
};

/** `postedAt`: milliseconds since the epoch. A message shows its own time, so only other times need words. */
export interface Posting {
  postedAt: number;
}

/** An announcement that can be split between two of its items. */
export type ListAnnouncement = Extract<Announcement, { items: readonly unknown[] }>;

/** Whether names in an announcement can go into another announcement instead. */
export function canBeShorter(announcement: Announcement): boolean {
  return 'items' in announcement && announcement.items.length > 1;
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

/** Where messages are posted. All calls throw `PlatformError`, and each is tried once. */
export interface PostingPlatform {
  /**
   * @param options.key finds the message again
   * @param options.threadId the id of the message that heads the thread
   * @returns the id of the message
   * @throws {PlatformError} `too_long` only for announcements that can be shorter; others lose their form before that
   */
  post(
    channelId: string,
    announcement: Announcement,
    options?: { key?: string; threadId?: string | undefined },
  ): Promise<string>;
  /**
   * @param options.after the id of a message that is older; it bounds the lookup
   * @returns the id of the message with this key; undefined where there is none
   */
  find(
    channelId: string,
    key: string,
    options: { threadId?: string | undefined; after?: string | undefined },
  ): Promise<string | undefined>;
}

import type { SubmissionOutcome } from './submission-outcome.ts';

/** One quiz that a set of people has to take by a due time. Times are milliseconds since the epoch. */
export interface Campaign {
  id: string;
  teamId: string;
  /** The name is the one at the start. */
  quiz: { id: string; name: string };
  ownerId: string;
  startedAt: number;
  completeWhen: 'passed' | 'submitted';
  schedule: Schedule;
  /** Who gets the names of the missing people after the due time. */
  lead: { userId: string; timeZone: string };
  board: { channelId: string; showsNames: boolean } | null;
  endedAt: number | null;
  /** When a person last asked for reminders at once; null before. */
  remindNowAt: number | null;
  /** The planned escalations up to this moment are sent. */
  escalatedUpTo: number;
  members: readonly CampaignMember[];
  /** The batch that assigns the quiz; null where everybody had it. */
  batchId: string | null;
  /** A year after its start, it starts again for the same members, unless a person ends it. */
  repeats: 'yearly' | null;
  /** Attempts submitted before do not count, where it is the repeat of another; in milliseconds since the epoch. */
  countsFrom?: number;
  /** Whether it knows what became of its messages. Campaigns that were started by versions up to 1.6 know what was sent alone. */
  knowsDelivery?: true;
}

/** When a campaign writes to people. */
export interface Schedule {
  dueAt: number | undefined;
  /** Reminders before the due time, in milliseconds before it. */
  remindBeforeMs: readonly number[];
  /** Reminders after the due time; undefined for none. */
  overdueEveryMs: number | undefined;
  /** When the lead hears who is missing, after the due time; undefined for never. */
  escalateAfterMs: number | undefined;
  /** Undefined while the campaign ends by hand only. */
  endsAt: number | undefined;
}

export interface CampaignMember {
  /** In the quiz account. */
  userId: string;
  name: string;
  /** Names of groups, for the report. */
  groups: readonly string[];
  /** On the platform; null for a person who gets no messages. */
  personId: string | null;
  timeZone: string;
  addedAt: number;
  /** When the first message was handed over for delivery; null before. */
  notifiedAt: number | null;
  /** When each reminder was handed over. */
  remindedAt: readonly number[];
  /** What became of messages, in the order in which it was known. */
  deliveries?: readonly Delivery[];
  snoozedUntil: number | null;
  /** Of `attempts`: passed, or else the latest. */
  result: CampaignResult | null;
  /** Of `attempts`. */
  responseIds: readonly string[];
  /** The submitted attempts that count. Campaigns of versions up to 1.6 have none until their responses are read. */
  attempts?: readonly CampaignAttempt[];
  excused: { by: string; reason: string; at: number } | null;
  /** They said that the quiz is not for them. */
  saidNotMeAt: number | null;
  /** Where the campaign’s batch has not assigned the quiz to them: not yet, or it could not. No message is sent to them. */
  assignment?: 'waiting' | 'failed';
}

/** What became of a message to a member. */
export interface Delivery {
  /** When it was handed over. */
  handedAt: number;
  /** When the platform took the message, or when it was clear that it is not sent. */
  at: number;
  /** A code that says why it did not arrive; undefined for one that did. */
  failure?: string;
}

/** A submitted attempt. */
export interface CampaignResult {
  outcome: SubmissionOutcome;
  percentage: number | null;
  /** Of the attempt; null where the service does not say. */
  submittedAt: number | null;
}

/** An attempt, and when the bot got to know it. */
export interface CampaignAttempt extends CampaignResult {
  responseId: string;
  knownAt: number;
}

/** Something that happened to a campaign. Each is applied once, in the order in which they were stored. */
export type CampaignEvent =
  | { kind: 'start'; campaign: Campaign }
  /** `at`: when the bot took it. */
  | { kind: 'result'; userId: string; responseId: string; result: CampaignResult; at?: number }
  /** What the service has of all members. `since`: when the reading began. */
  | { kind: 'read'; since: number; results: readonly { userId: string; responseId: string; result: CampaignResult }[] }
  | { kind: 'deleted'; responseId: string }
  | { kind: 'notified'; userIds: readonly string[]; at: number }
  | { kind: 'reminded'; userIds: readonly string[]; at: number }
  | ({ kind: 'delivery'; userId: string } & Delivery)
  | { kind: 'escalated'; at: number }
  | { kind: 'excuse'; userIds: readonly string[]; by: string; reason: string; at: number }
  | { kind: 'extend'; dueAt: number; endsAt: number | undefined }
  | { kind: 'remind-now'; at: number }
  | { kind: 'snooze'; userId: string; until: number }
  | { kind: 'not-me'; userId: string; at: number }
  | { kind: 'add'; members: readonly CampaignMember[] }
  | { kind: 'assigned'; userIds: readonly string[] }
  | { kind: 'not-assigned'; userIds: readonly string[] }
  | { kind: 'end'; at: number };

/** A campaign in the list of a workspace’s campaigns, which is read with every submission. */
export interface CampaignSummary {
  id: string;
  quiz: { id: string; name: string };
  ownerId: string;
  startedAt: number;
  endedAt: number | null;
}

/** A campaign as its preview shows it, before a person starts it. The people are frozen: nobody else is added at the start. */
export interface CampaignPlan {
  kind: 'campaign';
  quiz: { id: string; name: string };
  completeWhen: Campaign['completeWhen'];
  schedule: Schedule;
  lead: Campaign['lead'];
  board: Campaign['board'];
  repeats: Campaign['repeats'];
  members: readonly PlannedMember[];
  /** Who does not have the quiz yet. Groups of which every member takes part are assigned as groups. */
  assign: { groups: readonly { id: string; name: string }[]; users: readonly { id: string; name: string }[] };
  /** Names of the people who take no part, by reason. */
  leftOut: {
    passed: readonly string[];
    suspended: readonly string[];
    guests: readonly string[];
    excepted: readonly string[];
    withoutUser: readonly PersonWithoutUser[];
  };
  /** Why another person has to approve the start. */
  approval: 'many people' | 'other people' | null;
  /** Requests to the quiz service until everybody is assigned. */
  assigning: { requests: number };
  /** When the first of the messages and of the reminders go out. */
  firstMessagesAt: number | null;
  firstRemindersAt: number | null;
}

export interface PlannedMember extends Pick<CampaignMember, 'userId' | 'name' | 'groups' | 'personId' | 'timeZone'> {
  /** They turned messages about quizzes off. */
  isTurnedOff?: true;
}

/** A person of the platform who has no user in the quiz account. */
export interface PersonWithoutUser {
  personId: string;
  name: string;
}

import type { SubmissionOutcome } from './submission-outcome.ts';

/** One quiz that a set of people has to take by a due time. Times are milliseconds since the epoch. */
export interface Campaign {
  id: string;
  teamId: string;
  /** The name is the one that the service had last. */
  quiz: { id: string; name: string };
  /** Why nobody can take the quiz, since when, and who made it so; null while people can. No message asks for it meanwhile. */
  obstacle: QuizObstacle | null;
  /** When the service, or a change through the bot, said how the quiz is; 0 before. */
  quizKnownAt: number;
  startedBy: string;
  /** Who answers for it: who started it, unless it was handed over. */
  ownerId: string;
  /** Who approved its start, where it needed that; null where the owner answers for its rule alone. */
  approvedBy: string | null;
  startedAt: number;
  rule: Rule;
  /** When the due time was changed last. Members who know another one get a message. Null: never. */
  dueChangedAt: number | null;
  /** IDs of users who get the names of the missing people after the due time. Empty where a person without a user leads. */
  leads: readonly string[];
  /** That of the first lead: everybody reads its times on this clock. */
  timeZone: string;
  /** Who of these cannot see results any more, `lead` for all leads: others get their messages. */
  unable: readonly ('owner' | 'lead')[];
  endedAt: number | null;
  /** When a person last asked for reminders at once; null before. */
  remindNowAt: number | null;
  /** The planned escalations up to this moment are sent. */
  escalatedUpTo: number;
  members: readonly CampaignMember[];
  /** The batch that assigns the quiz; null where everybody had it. `isStopped`: it waits for a person. */
  assigning: { batchId: string; isStopped: boolean } | null;
  /** Who was named at the start: `user:` and `group:` with an ID, or a channel or user group of the platform. */
  audience: readonly string[];
  /** IDs of users who were named at the start, and take no part: they had passed, for example. */
  leftOut: readonly string[];
  /** Whose people take no part, also if they join later; as in `audience`. */
  except: readonly string[];
  /** Who has joined the audience of a campaign that stands, and waits for a person to take them in; null: nobody. */
  candidates: Candidates | null;
  /** Parts of the audience that the bot cannot see any more, as they were named. */
  unreadable: readonly string[];
  /** What the owner says in the first message, in their own words. */
  words: string | null;
  /** How long an attempt usually takes; null where that is not known. */
  takesMinutes: number | null;
}

/** What a campaign asks for, when it writes to people, and where it shows how far they are. */
export interface Rule {
  completeWhen: 'passed' | 'submitted';
  /** Null: a pass counts for good. */
  validity: Validity | null;
  /** Null: it is one round, with one due time for all. */
  standing: StandingRule | null;
  /** Null: never, or for each person another time, where the campaign stands. */
  dueAt: number | null;
  /** Null while the campaign ends by hand only. */
  endsAt: number | null;
  /** Reminders before the due time, in milliseconds before it. */
  remindBeforeMs: readonly number[];
  /** Reminders after the due time; null for none. */
  overdueEveryMs: number | null;
  /** When the leads hear who is missing, after the due time; null for never. */
  escalateAfterMs: number | null;
  /** The names of people whose manager the platform knows go to that manager, and not to the leads. */
  toManagers: boolean;
  board: { channelId: string; showsNames: boolean } | null;
}

/** When a campaign writes to people. */
export type Schedule = Pick<Rule, 'dueAt' | 'endsAt' | 'remindBeforeMs' | 'overdueEveryMs' | 'escalateAfterMs'>;

/** What is to be another in the rule of a campaign that runs. Undefined: as it is. */
export type RuleChange = Partial<Omit<Rule, 'standing'>> & { standing?: Partial<StandingRule> };

/** A rule after a change. A round that is due ends as it would with the escalation that it has then. */
export function changedRule(rule: Rule, { standing, ...change }: RuleChange): Rule {
  const changed = { ...rule, ...change, standing: rule.standing && { ...rule.standing, ...standing } };
  return change.escalateAfterMs === undefined || rule.dueAt === null
    ? changed
    : { ...changed, endsAt: endOf(rule.dueAt, changed.escalateAfterMs) };
}

/** After the due time, or after the first escalation. */
const endsAfterMs = 28 * 24 * 60 * 60_000;

/** When a campaign ends by itself: four weeks after its due time, or after the first escalation. */
export function endOf(dueAt: number, escalateAfterMs: number | null): number {
  return dueAt + (escalateAfterMs ?? 0) + endsAfterMs;
}

/** How long a pass counts: so many months from its day, or until the next such date, the same for everyone. `month`: 1 to 12. */
export type Validity = { months: number } | { until: { month: number; day: number } };

/** What a campaign asks for that stands until somebody ends it. */
export interface StandingRule {
  /** From when a person came in until it is due. */
  withinDays: number;
  /** So long before the end of its validity, a pass is to be renewed. */
  renewDays: number;
  /** Days on which nothing is due, as the bot knew them when it last carried the campaign on. */
  holidays: readonly string[];
}

/** docs/campaigns.md#states has what each of them means. */
export type ObligationState =
  | 'not required'
  | 'not yet due'
  | 'excused'
  | 'done'
  | 'marking'
  | 'not me'
  | 'expiring'
  | 'due'
  | 'expired'
  | 'overdue';

export interface Obligation {
  state: ObligationState;
  /** When it is, or was, due; undefined: it has no due time, or is not required. */
  dueAt?: number;
  /** Until when the pass that counts is valid, or was; undefined: there is none, or it counts for good. */
  validUntil?: number;
  /** Until when an excuse runs; undefined: none does, or it has no end. */
  excusedUntil?: number;
  /** Of a standing rule: since when, or from when on, they are asked for what is due then; undefined: never, as things are. */
  asksFrom?: number;
}

/** People who joined the audience of a campaign that stands and are not taken in without a person. */
export interface Candidates {
  people: readonly Candidate[];
  /** When those who answer for the campaign were last asked to take people in, in milliseconds since the epoch; 0 before. */
  askedAt: number;
}

export interface Candidate {
  userId: string;
  name: string;
  /** When the bot first saw them in the audience, in milliseconds since the epoch. */
  since: number;
  /** Many came at once, the owner does not train them, or has no right to take anybody in. */
  why: 'many people' | 'other people' | 'owner';
}

/** A time in which somebody is in an audience, in milliseconds since the epoch. `to`: the first moment after it; undefined: they still are. */
export interface Stay {
  from: number;
  to?: number;
}

export interface CampaignMember {
  /** In the quiz account. */
  userId: string;
  name: string;
  /** Names of groups, for the report. */
  groups: readonly string[];
  /** On the platform; null for a person who gets no messages. */
  personId: string | null;
  /** Why they cannot take any quiz, as the account was when it was last looked at; null: they can. */
  away: 'suspended' | 'no_user' | null;
  timeZone: string;
  /** In the audience, in order; of a round, since they were added. */
  stays: readonly Stay[];
  /** In the order in which they were handed over for delivery: the first message, then reminders. */
  messages: readonly MemberMessage[];
  snoozedUntil: number | null;
  /** When a person last asked for a reminder of them at once, and not of everyone. */
  remindNowAt: number | null;
  /** The submitted attempts that count. */
  attempts: readonly CampaignAttempt[];
  excused: Excuse | null;
  /** They said that the quiz is not for them. */
  saidNotMeAt: number | null;
  /** When they are asked again, whatever reminders are planned: their excuse ends, or the quiz is for them after all. */
  askAgainAt: number | null;
  /** On the platform: the manager who got their name with the last escalation. */
  managerId: string | null;
  /** On the platform: who said that they are not their manager. */
  notReportOf: readonly string[];
  /** Where the campaign’s batch has not assigned the quiz to them: not yet, or it could not. No message is sent to them. `later`: their pass counts, and they get it when it is to be renewed. */
  assignment: 'has' | 'waiting' | 'failed' | 'later';
}

/** A message to a member, and what became of it. */
export interface MemberMessage {
  /** When it was handed over. */
  handedAt: number;
  /** When the platform took it, or when it was clear that it is not sent; null while it waits. */
  at: number | null;
  /** A code that says why it did not arrive; null for one that did, or waits. */
  failure: string | null;
  /** The due time in it; null for none. */
  dueAt: number | null;
}

export interface Excuse {
  /** On the platform. */
  by: string;
  reason: string;
  at: number;
  /** When it ends; null: never. */
  until: number | null;
}

interface QuizObstacle {
  status: Exclude<QuizStatus, 'open'>;
  since: number;
  /** On the platform; null where it was not done through the bot. */
  by: string | null;
}

/** Whether people can take a quiz. */
export type QuizStatus = 'open' | 'closed' | 'in design' | 'gone';

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
  /** What the service has of all members. `since`: when the reading began. `deletedIds`: members without a user; `suspendedIds`: of others. */
  | {
      kind: 'read';
      since: number;
      results: readonly { userId: string; responseId: string; result: CampaignResult }[];
      deletedIds?: readonly string[];
      suspendedIds?: readonly string[];
    }
  | { kind: 'deleted'; responseId: string }
  /** Messages were handed over for delivery. */
  | { kind: 'handed'; userIds: readonly string[]; at: number }
  /** What became of one. `dueAt`: the due time that it named; undefined: that of when it was handed over. */
  | {
      kind: 'delivery';
      userId: string;
      handedAt: number;
      at: number;
      failure: string | null;
      dueAt?: number | null | undefined;
    }
  | { kind: 'escalated'; at: number }
  /** To whom an escalation went; null: to the leads. */
  | { kind: 'managed'; managerId: string | null; userIds: readonly string[] }
  /** A manager says that a member is not their report. `isNotified`: the leads read it from another campaign. */
  | { kind: 'not-report'; userId: string; by: string; isNotified?: true }
  /** They take that back. */
  | { kind: 'report-after-all'; userId: string; by: string }
  /** Nothing reaches a manager any more. */
  | { kind: 'manager-gone'; managerId: string; at: number }
  | ({ kind: 'excuse'; userIds: readonly string[] } & Excuse)
  /** Takes excuses back, and “not me”. */
  | { kind: 'include'; userIds: readonly string[]; at: number }
  | { kind: 'rule'; change: RuleChange; at: number }
  | { kind: 'quiz'; name: string; status: QuizStatus; at: number; by?: string }
  | ({ kind: 'hand-over' } & Pick<Campaign, 'ownerId' | 'leads' | 'timeZone'>)
  | { kind: 'unable'; who: readonly ('owner' | 'lead')[] }
  /** `userIds`: only these members. */
  | { kind: 'remind-now'; at: number; userIds?: readonly string[] }
  | { kind: 'snooze'; userId: string; until: number }
  | { kind: 'not-me'; userId: string; at: number }
  /** They take “not me” back. */
  | { kind: 'for-me'; userId: string }
  /**
   * They came in, for the first time or again. `areNamed`: somebody named them. `batchId`: the batch that assigns the quiz to those of
   * them who wait for it.
   */
  | { kind: 'join'; members: readonly CampaignMember[]; at: number; areNamed: boolean; batchId?: string }
  /** Of a campaign that stands: they left its audience. */
  | { kind: 'leave'; userIds: readonly string[]; at: number }
  /** Of a campaign that stands: other people are in its audience now. `at`: when the bot got to know it. */
  | { kind: 'audience-changed'; at: number }
  /** Another company reads the channel of the board from now on. */
  | { kind: 'board-shared'; at: number }
  /** The service is to be asked what people have passed, whatever is known. */
  | { kind: 'ask' }
  /** Null: nobody waits to be taken in. */
  | { kind: 'candidates'; candidates: Candidates | null }
  /** The parts of the audience that the bot cannot see now. */
  | { kind: 'unreadable'; parts: readonly string[] }
  | { kind: 'assigned'; userIds: readonly string[] }
  | { kind: 'not-assigned'; userIds: readonly string[] }
  /** The batch that assigns the quiz has stopped, or goes on. */
  | { kind: 'assigning'; isStopped: boolean }
  /** `by`: the person who ended it, on the platform; undefined where it ended by itself. */
  | { kind: 'end'; at: number; by?: string };

/** A campaign in the list of a workspace’s campaigns, which is read with every submission. */
export interface CampaignSummary {
  id: string;
  quiz: { id: string; name: string };
  ownerId: string;
  /** IDs of the users who lead it. */
  leads: readonly string[];
  startedAt: number;
  endedAt: number | null;
  offer?: CampaignOffer;
  /** The parts of its audience, where it stands: it compares them with its members when they change. */
  watches?: readonly string[];
  /** What it asked for when it started, as `requirementOf` has it, where it stands; undefined where a version up to 1.7 listed it. */
  requires?: string;
}

/** Somebody is asked to answer for a campaign. Until they accept, nothing changes. */
export interface CampaignOffer {
  /** In milliseconds since the epoch. */
  at: number;
  /** Who asked them. `userId`: undefined for a person without a user. */
  by: { personId: string; userId: string | undefined };
  to: { personId: string; userId: string };
}

/** So long, an offer can be accepted. */
export const offerOpenMs = 7 * 24 * 60 * 60_000;

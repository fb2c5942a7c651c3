import type { QuizResponse } from '../../quiz-api/responses.ts';
import type {
  Batch,
  BatchApproval,
  BatchEvent,
  BatchPlan,
  BatchProgress,
  BatchRow,
  RowOutcome,
  TakenOver,
} from '../../domain/batch.ts';
import type { Plan } from '../../domain/plan.ts';
import type { User } from '../../quiz-api/records.ts';
import type { ClosedReason } from './platform.ts';
import type { Subscription, SubscriptionSpec } from '../../domain/subscription.ts';
import type { Language } from '../../words/languages.ts';
import type { Campaign, CampaignEvent, CampaignOffer, CampaignSummary, RuleChange } from '../../domain/campaign.ts';
import type { CampaignPlan } from '../../domain/campaign-plan.ts';
import type { CallOptions } from '../../quiz-api/transport.ts';

/** Planned rows after they were judged. `things`: the quizzes and groups that they name. */
export interface JudgedRows {
  rows: readonly BatchRow[];
  things: NonNullable<BatchPlan['things']>;
}

/**
 * What became of what a row changes since it was shown. `changed`: the user’s type, rights, suspension or address. `refused`: its
 * operation does not take it any more; `message` says why.
 */
export type RowNow =
  | { kind: 'as shown' | 'gone' | 'done' }
  | { kind: 'changed'; user: User }
  | { kind: 'refused'; message: string };

/** The batches of one workspace, as operations work with them. */
export interface BatchService {
  /** @param by the person who starts it, and is its owner */
  start(plan: BatchPlan, by: string, approval?: BatchApproval): Promise<Batch>;
  /**
   * Stores a change that is about to be made by itself. If the bot ends in the middle, a batch makes what is left of it; if it is
   * made, or the person knows why not, it is called off.
   */
  hold(plan: BatchPlan, by: string, takesOver: TakenOver): Promise<{ callOff: () => Promise<void> }>;
  /** Undefined for an unknown batch. */
  progress(id: string): Promise<BatchProgress | undefined>;
  /** The rows are empty where they are too old. */
  result(id: string): Promise<BatchResult | undefined>;
  /** Has an event applied to a batch. What is stored survives a crash. */
  put(id: string, event: Exclude<BatchEvent, { kind: 'start' | 'call off' }>): Promise<void>;
}

/** What became of each row of a batch. */
export interface BatchResult extends Pick<BatchPlan, 'operation' | 'source'>, Pick<Batch, 'ownerId' | 'state'> {
  rows: readonly BatchRow[];
  outcomes: readonly RowOutcome[];
}

/** Plans of one workspace. They are kept for some days, longer than a request for approval. */
export interface Plans {
  /** @returns the plan’s id */
  add(plan: Pick<Plan, 'personId' | 'content' | 'entered'>): Promise<string>;
  /** Those that the person made and can still start, the latest first; a few. */
  latest(personId: string): Promise<readonly Plan[]>;
  /** Undefined where it is too old, or was started. */
  byId(id: string): Promise<Plan | undefined>;
  /** Whether the person had the plan made, and it was started; false where that is long ago. */
  wasStarted(id: string, personId: string): Promise<boolean>;
  /** Takes a plan out, so that it is started once. False where another did so before. */
  take(id: string): Promise<boolean>;
}

export interface SubscriptionState {
  subscription: Subscription;
  /** Submissions that are stored and not posted yet. */
  waiting: number;
}

interface ClosedChannel {
  closed: string;
}

/** The alerts of one workspace, as operations work with them. */
export interface SubscriptionService {
  /** In the order in which they were made. */
  all(): Promise<SubscriptionState[]>;
  /** Subscribes the channel and posts a message there that says so. Keeps nothing when the bot cannot post there. */
  subscribe(spec: SubscriptionSpec, ownerId: string): Promise<{ subscription: Subscription } | ClosedChannel>;
  /** Drops what waits. False when the subscription is gone. */
  unsubscribe(id: string): Promise<boolean>;
  /** `until`: milliseconds since the epoch; null: until a person resumes it. False when the subscription is gone. */
  pause(id: string, by: string, until: number | null): Promise<boolean>;
  /** Posts what waits. False when the subscription is gone. */
  resume(id: string): Promise<boolean>;
  /** Why the bot cannot post in a channel; undefined where it can, and where the platform does not say. */
  whyClosed(channelId: string): Promise<ClosedReason | undefined>;
  /** Posts an example of an alert, marked as a test. */
  test(subscription: Subscription): Promise<ClosedChannel | undefined>;
}

/** A language that a person chose, or `default`: the one that the configuration of the bot says. */
export type LanguageChoice = Language | 'default';

/** The languages in which the bot posts in the channels of a workspace. */
export interface ChannelLanguages {
  /** Of channels for which nobody chose one. */
  defaultLanguage: Language;
  /** The language of a channel, as it was within a minute; while the store is away, as it was known last. */
  of(channelId: string): Promise<Language>;
  /** What is chosen now. */
  chosen(channelId: string): Promise<LanguageChoice>;
  /** @returns what was chosen before */
  choose(channelId: string, language: LanguageChoice): Promise<LanguageChoice>;
}

/** A campaign with the results that the service has. `asOf` is in milliseconds since the epoch. */
interface CampaignNow {
  campaign: Campaign;
  asOf: number;
  /** The quiz is deleted: the results are those that were known before. */
  isGone: boolean;
}

/** The campaigns of one workspace, as operations work with them. */
export interface CampaignService {
  /** The latest first; those that ended, too, as long as they are kept. */
  all(): Promise<readonly CampaignSummary[]>;
  byId(id: string): Promise<Campaign | undefined>;
  /**
   * @param by the person who starts it, and is its owner
   * @param approvedBy null where that needed nobody
   * @returns `isNew`: false where the plan asks for the only one, and another stands already
   */
  start(plan: CampaignPlan, by: string, approvedBy: string | null): Promise<{ id: string; isNew: boolean }>;
  /**
   * Takes people into a campaign that runs, and assigns its quiz to those who lack it.
   *
   * @param who.areNamed somebody named them: where the campaign stands, they are in its audience from then on
   * @param by the person by whose rights it is assigned
   */
  takeIn(
    campaign: Campaign,
    who: Pick<CampaignPlan, 'members' | 'assign'> & { areNamed: boolean },
    by: string,
  ): Promise<void>;
  /**
   * Reads the results from the service, also after the end. A campaign that runs gets to know them.
   *
   * @throws a `QuizApiError` where the service cannot be asked
   */
  readNow(campaign: Campaign, call: CallOptions): Promise<CampaignNow>;
  /**
   * Gives a campaign that runs what a command has read of its quiz.
   *
   * @param read.since when it was asked for, in milliseconds since the epoch
   */
  putRead(
    campaign: Campaign,
    read: { responses: readonly QuizResponse[]; users: readonly User[]; since: number },
  ): Promise<void>;
  /** Asks somebody to answer for a campaign, in a message with a button; null takes that back. @returns whether it changed something */
  offer(campaign: Campaign, offer: CampaignOffer | null): Promise<boolean>;
  /** Hands a campaign over to somebody who accepts that. @param offeredAt only while this offer is open; @returns whether it did */
  handOver(
    campaign: Campaign,
    to: Pick<Campaign, 'ownerId' | 'leads' | 'timeZone'>,
    offeredAt?: number,
  ): Promise<boolean>;
  /** Has an event applied to a campaign. What is stored survives a crash. */
  put(id: string, event: CampaignEvent): Promise<void>;
  /** Has the boards in a channel drawn again, in the language that it has now. */
  redrawBoards(channelId: string): Promise<void>;
  /** How a campaign would be with another rule from now on, and whose next message would come sooner. */
  withRule(
    campaign: Campaign,
    change: RuleChange,
  ): { campaign: Campaign; sooner: readonly { userId: string; at: number }[] };
  /** When campaigns wrote to these users last, by user ID, in milliseconds since the epoch: that is posted, or about to be. */
  noticedAt(userIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

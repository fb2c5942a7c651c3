import type { Campaign, CampaignEvent, CampaignOffer, CampaignSummary, RuleChange } from '../../domain/campaign.ts';
import type { CampaignPlan } from '../../domain/campaign-plan.ts';
import type { CallOptions } from '../../quiz-api/transport.ts';
import type { QuizResponse } from '../../quiz-api/responses.ts';
import type { User } from '../../quiz-api/users.ts';

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
  /** How a campaign would be with another rule from now on, and whose next message would come sooner. */
  withRule(
    campaign: Campaign,
    change: RuleChange,
  ): { campaign: Campaign; sooner: readonly { userId: string; at: number }[] };
  /** When campaigns wrote to these users last, by user ID, in milliseconds since the epoch: that is posted, or about to be. */
  noticedAt(userIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

import type { AuditEntry } from '../../domain/audit-chain.ts';
import type { TakenIn } from './audience-change.ts';

/** What the bot keeps of a campaign, besides what people see. Times are milliseconds since the epoch, and 0 before. */
export interface CampaignProgress {
  /** When the responses were read. */
  askedAt: number;
  /** Not before this time, since that one: the service did not answer. */
  askAgainAt: number;
  restsFrom?: number | undefined;
  /** When the batch that assigns the quiz was read. */
  assignmentsReadAt: number;
  /** When the audience was last compared with the members whatever had changed; undefined before. */
  comparedAt?: number | undefined;
  /** What has changed in the audience since. `parts`: as in `CampaignSummary`. */
  audienceChanged?: { since: number; latestAt: number; parts: readonly string[] } | undefined;
  /** Not compared before this time, since that one: a list could not be read. */
  compareAgainAt?: number;
  compareRestsFrom?: number;
  /** Whom the bot has taken in by itself lately. */
  takenIn?: readonly TakenIn[];
  /** What is not on the record yet. */
  unrecorded?: readonly AuditEntry[] | undefined;
  /** When the board was last brought up to date. */
  refreshedAt: number;
  /** No person ended it. */
  endedByItself: boolean;
  /** The end is on the record. */
  isClosed: boolean;
}

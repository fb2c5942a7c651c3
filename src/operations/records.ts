import type { ApprovalRequest } from '../domain/approval-request.ts';
import type { ChainHead, ChainLink } from '../domain/audit-chain.ts';

/** What the bot itself keeps of one workspace, and how it is doing. */
export interface Records {
  /** The requests for approval that nobody has decided on, oldest first. */
  openRequests(): Promise<ApprovalRequest[]>;
  /** The last links of the audit trail before a position, the latest first. */
  latestLinks(limit: number, before?: number): Promise<ChainLink[]>;
  /** The links after a position, the oldest first. */
  linksSince(after: number, limit: number): Promise<ChainLink[]>;
  auditHead(): Promise<ChainHead>;
  status(): Promise<BotStatus>;
}

export interface BotStatus {
  /** Undefined before the first call. */
  isServiceWell: boolean | undefined;
  /** Requests the service still takes: this minute, this hour. */
  requestsLeft: readonly { windowMs: number; left: number; limit: number }[];
  alerts: AlertsStatus;
}

/** Times are milliseconds since the epoch; undefined where it never happened. */
export interface AlertsStatus {
  webhooks: WebhooksStatus;
  /** Taken, and not yet handed to who wants to hear of them. */
  events: number;
  /** What waits to be posted, and in how many channels. */
  waiting: number;
  channels: number;
  oldestAt: number | undefined;
  subscriptions: number;
  paused: number;
}

export interface WebhooksStatus {
  /** When counting began. */
  since: number | undefined;
  lastAt: number | undefined;
  taken: number;
  /** They never came: the bot found out what they would have told. */
  missed: number;
  /** The most frequent reason first. */
  refused: readonly { reason: string; count: number }[];
  lastRefusedAt: number | undefined;
}

import type { AlertsStatus } from '../domain/alerts-status.ts';
import type { ApprovalRequest } from '../domain/approval-request.ts';
import type { ChainHead, ChainLink } from '../domain/audit-chain.ts';

/** What the bot itself keeps for one workspace, and how it is doing. */
export interface Records {
  /** Approval requests without a decision, the oldest first. */
  openRequests(): Promise<ApprovalRequest[]>;
  /** Links of the audit trail before a position, the latest first. */
  latestLinks(limit: number, before?: number): Promise<ChainLink[]>;
  /** Links after a position, the oldest first. */
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

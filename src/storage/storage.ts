import type { Keyv } from 'keyv';
import type { ApprovalRequest } from './approval-request.ts';
import type { AuditEntry, ChainHead, ChainLink } from './audit-chain.ts';

/** A webhook event that was taken; `trusted` when its signature covered the body. */
export interface TakenEvent {
  id: string;
  type: string;
  body: string;
  trusted: boolean;
}

/** Events between the quiz service and Slack. What `remember` has answered survives a crash. */
export interface Inbox {
  /** Keeps the event for delivery. False when its id is known already, delivered or not. */
  remember(event: TakenEvent): Promise<boolean>;
  /** The oldest events that still wait, in the order they came. */
  waiting(limit: number): Promise<TakenEvent[]>;
  countWaiting(): Promise<number>;
  /** The event is dealt with; its id stays known, its body is forgotten. */
  settle(eventId: string): Promise<void>;
}

export interface KeptRequest {
  request: ApprovalRequest;
  version: number;
}

/** Requests for approval of every workspace. */
export interface Approvals {
  add(request: ApprovalRequest): Promise<void>;
  byId(teamId: string, id: string): Promise<KeptRequest | undefined>;
  /**
   * Replaces a request if it is still the version that was read: of any number who try at the same time,
   * on any instance, one succeeds and the others get false.
   */
  replace(request: ApprovalRequest, version: number): Promise<boolean>;
  /** Those that are not history yet, oldest first. */
  pending(teamId: string): Promise<ApprovalRequest[]>;
}

/** What happened, each entry chained to the one before it by a hash. A chain for each workspace. */
export interface AuditTrail {
  append(teamId: string, entry: AuditEntry): Promise<ChainLink>;
  /** The links with a position below `before`, the latest first. */
  latest(teamId: string, limit: number, before?: number): Promise<ChainLink[]>;
  /** The links with a position above `after`, the oldest first. */
  since(teamId: string, after: number, limit: number): Promise<ChainLink[]>;
  head(teamId: string): Promise<ChainHead>;
}

/** Leave to be the only one who does something for a while, over all instances. */
export interface Leases {
  /** False while somebody has it. It ends by itself after `forMs`, and with its process where there is only one. */
  take(name: string, forMs: number): Promise<boolean>;
  release(name: string): Promise<void>;
}

export interface Storage {
  /** Keyed values with an optional time to live. Throws when the store fails: a lost store must not look like an empty one. */
  keyed<Value>(namespace: string): Keyv<Value>;
  inbox: Inbox;
  approvals: Approvals;
  audit: AuditTrail;
  leases: Leases;
  /** Resolves when the store can be used, or when it turns out that it cannot be used yet. */
  open(): Promise<void>;
  /** Rejects when the store cannot be read. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

import type { Keyv } from 'keyv';
import type { ApprovalRequest } from '../domain/approval-request.ts';
import type { AuditEntry, ChainHead, ChainLink } from '../domain/audit-chain.ts';
import type { LaneEntry, NewLaneEntry } from '../domain/queue-entry.ts';
import type { Pause, Subscription } from '../domain/subscription.ts';

/** A webhook event that was taken; `trusted` when its signature covered the body. */
export interface TakenEvent {
  id: string;
  type: string;
  /** What it tells of, such as `<quiz id>/<response id>`; empty where that is not known. */
  subject: string;
  body: string;
  trusted: boolean;
  /** Milliseconds since the epoch. */
  takenAt: number;
}

/** Events between the quiz service and the lanes. What `remember` has answered survives a crash. */
export interface Inbox {
  /** Keeps the event. False when its id is known already, dealt with or not. */
  remember(event: TakenEvent): Promise<boolean>;
  /** The oldest events that still wait, in the order they came. */
  waiting(limit: number): Promise<TakenEvent[]>;
  countWaiting(): Promise<number>;
  /** Of these subjects, those of which an event is known: with the id of the first that was taken. */
  firstOf(subjects: readonly string[]): Promise<Map<string, string>>;
  /** Forgets the events taken before a time that are dealt with: they would be taken again. */
  forgetBefore(time: number): Promise<void>;
}

/** An event and what it means for the lanes; no entries where nobody wants to hear of it. */
export interface Distribution {
  eventId: string;
  entries: readonly NewLaneEntry[];
}

/** The state of a lane as its owner keeps it; `version` 0 where none was ever kept. */
export interface LaneState<State> {
  version: number;
  state: State | undefined;
}

/** What waits to be posted, in lanes: a lane keeps its order. */
export interface Outbox {
  /**
   * Deals with events, in one step: their entries stand in the lanes in this order, and the events wait no more,
   * their bodies are forgotten. What is dealt with already stays as it is.
   */
  distribute(distributions: readonly Distribution[]): Promise<void>;
  /** The first entries of a lane, but those of some subscriptions. */
  waiting(lane: string, options: { limit: number; exceptSubscriptions?: readonly string[] }): Promise<LaneEntry[]>;
  stateOf<State>(lane: string): Promise<LaneState<State>>;
  /**
   * Replaces a lane's state, takes the entries at `remove` out of it and puts `put` into other lanes, in one step.
   * `isBusy`: the lane has something to do even where nothing waits in it.
   * False, and nothing is done, where the state is not the version any more: somebody else runs the lane. The next version is one higher.
   */
  commit(lane: string, change: { version: number; state: unknown; isBusy: boolean; remove?: readonly number[]; put?: readonly NewLaneEntry[] }): Promise<boolean>;
  /** The lanes in which something waits, or that are busy, with the number of what waits and when the oldest was put there. */
  lanes(): Promise<{ lane: string; waiting: number; oldestAt: number | undefined }[]>;
  /** Drops the entries of a subscription put there before a time. @returns how many */
  drop(subscriptionId: string, before: number): Promise<number>;
}

/** Who wants to hear of what, in every workspace. */
export interface Subscriptions {
  /** One whose id is there already stays as it is: instances that start together may add the same. */
  add(subscription: Subscription): Promise<void>;
  /** In the order they were made. */
  all(teamId: string): Promise<Subscription[]>;
  /** Replaces the pause, and nothing else. False where the subscription is not there any more. */
  setPause(teamId: string, id: string, pause: Pause | null): Promise<boolean>;
  /** False where it is not there any more. */
  remove(teamId: string, id: string): Promise<boolean>;
}

/** Numbers that only grow, over all instances and restarts. */
export interface Tallies {
  add(name: string, counts: Readonly<Record<string, number>>): Promise<void>;
  /** Replaces a number where it is smaller. */
  raise(name: string, field: string, value: number): Promise<void>;
  of(name: string): Promise<Record<string, number>>;
}

/**
 * Runs lanes, each one at a time over all instances. What was woken runs, also where the instance that was to run
 * it dies; without a durable store, whoever starts wakes the lanes that have something to do. A lane is named in
 * letters, digits and `/-_.`: `channel/T1/C1`.
 */
export interface Lanes {
  /** Has the lane run at a time (milliseconds since the epoch; default: at once). The earliest time counts. One that is running runs once more. */
  wake(lane: string, at?: number): Promise<void>;
  /** `run` gives the time at which the lane is to run again; undefined: when it is woken. One that fails is run again after a pause. */
  start(run: (lane: string) => Promise<number | undefined>): Promise<void>;
  /** Ends after the lanes that are running. */
  stop(): Promise<void>;
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
  outbox: Outbox;
  lanes: Lanes;
  subscriptions: Subscriptions;
  tallies: Tallies;
  approvals: Approvals;
  audit: AuditTrail;
  leases: Leases;
  /** Resolves when the store can be used, or when it turns out that it cannot be used yet. */
  open(): Promise<void>;
  /** Rejects when the store cannot be read. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

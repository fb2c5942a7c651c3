import type { ChainHead, ChainLink } from '../domain/audit-chain.ts';
import type { StoredText } from '../domain/erasure.ts';
import { InvigilatorError } from '../domain/errors.ts';
import type { NewEvent, NewQueueEntry, QueueEntry } from '../domain/queues.ts';
import type { SealedEntry } from '../domain/sealed-entry.ts';

/** The subscriptions of a workspace, as they were when something was matched with them. */
export interface SubscriptionsVersion {
  teamId: string;
  version: number;
}

/**
 * `taken`: it is known, and its entries are in their queues. `known`: it, or for a backfilled event its subject, was known before;
 * nothing is done. `outdated`: the subscriptions have changed, nothing is done. `knownResult`: another event told this of its
 * subject, and the event does not say that it replaces it; nothing is done.
 */
export type TakeResult = 'taken' | 'known' | 'outdated' | { knownResult: string };

/** The events that are known. What `take` has answered survives a crash. */
export interface Inbox {
  /**
   * Takes an event in one step: it is known, and its entries are in their queues. The entries are left out where the
   * response was announced when the bot found it, unless the event replaces what was known.
   *
   * @param matched the subscriptions with which the entries were matched, where they were
   */
  take(event: NewEvent, entries?: readonly NewQueueEntry[], matched?: SubscriptionsVersion): Promise<TakeResult>;
  /** Of these ids, those of known events. */
  knownIds(ids: readonly string[]): Promise<Set<string>>;
  /** Of these subjects, those that a known event reports. */
  knownSubjects(subjects: readonly string[]): Promise<Set<string>>;
  /**
   * Forgets events taken before a time, which would be taken again.
   *
   * @returns false where it leaves some for the next call
   */
  forgetBefore(time: number): Promise<boolean>;
}

/** The state of a queue as its owner keeps it; `version` 0 where none was ever kept. */
export interface QueueState<State> {
  version: number;
  state: State | undefined;
}

/** What a large state has beside it, so that a commit need not write all of it again. */
export interface ChangedParts {
  /** How many there are from now on: they are numbered from 0. */
  count: number;
  /** Those that are written. The others stay as they are. */
  changed: ReadonlyMap<number, unknown>;
}

/** What becomes of a queue in one step. */
export interface QueueChange {
  version: number;
  state: unknown;
  /** Undefined leaves them as they are. */
  parts?: ChangedParts;
  /** The queue has something to do even where nothing waits in it. */
  isBusy: boolean;
  remove?: readonly number[];
  put?: readonly NewQueueEntry[];
  /** The state of a queue at rest that changes in the same step, from its own version. */
  beside?: { queue: string; version: number; state: unknown } | undefined;
  /** A full store refuses it, as it does what has something to put. */
  isRefusedWhenFull?: boolean;
}

/** States with versions, and what waits in queues that keep their order: what changes together, changes in one step. */
export interface Outbox {
  /** The first entries of a queue, without those of some subscriptions. */
  waiting(queue: string, options: { limit: number; exceptSubscriptions?: readonly string[] }): Promise<QueueEntry[]>;
  stateOf<State>(queue: string): Promise<QueueState<State>>;
  /** The same with its parts by number. One that cannot be read is missing. */
  stateWithParts(queue: string): Promise<QueueState<unknown> & { parts: ReadonlyMap<number, unknown> }>;
  /** The version that `stateOf` gives, without the state. */
  versionOf(queue: string): Promise<number>;
  /**
   * Replaces a queue's state, takes the entries at `remove` out of it and puts `put` into other queues, in one step.
   * False, and nothing is done, where the version has changed, because another process runs the queue. The next version is one higher.
   */
  commit(queue: string, change: QueueChange): Promise<boolean>;
  /** Puts entries into queues in one step. */
  put(entries: readonly NewQueueEntry[]): Promise<void>;
  /** The queues in which something waits, or that are busy, with the number of what waits and when the oldest was put there. */
  queues(): Promise<{ queue: string; waiting: number; oldestAt: number | undefined }[]>;
  /** Drops the entries of a subscription put there before a time. @returns how many */
  drop(subscriptionId: string, before: number): Promise<number>;
  /**
   * Forgets the states of queues at rest (not busy, and nothing waits in them) that have not changed since a time (milliseconds
   * since the epoch, by the kind of queue). A queue whose state is forgotten begins with version 0 again.
   */
  forgetStates(unchangedSince: Readonly<Record<string, number>>): Promise<void>;
}

/**
 * Runs queues, each one at a time over all instances. A queue that was woken runs, also when the instance that would have run
 * it crashes; without Redis, the bot wakes the queues that have something to do when it starts. The sweep runs on each instance
 * by itself. Names are of letters, digits and `/-_.`: `channel/T1/C1`.
 */
export interface Queues {
  /** Has the queue run at a time (milliseconds since the epoch; default: at once). The earliest time counts. A running queue runs once more. */
  wake(queue: string, at?: number): Promise<void>;
  /** `run` gives the time at which the queue is to run again; undefined: when it is woken. A failed run is repeated after a pause. */
  start(run: (queue: string) => Promise<number | undefined>): Promise<void>;
  /** Ends after the queues that are running. */
  stop(): Promise<void>;
}

/** The chain of the audit trail: one per workspace. Its texts have seals in them (`domain/sealed-entry.ts`). */
export interface SealedTrail {
  append(teamId: string, entry: SealedEntry): Promise<ChainLink>;
  /** The links with a position below `before`, the latest first. */
  latest(teamId: string, limit: number, before?: number): Promise<ChainLink[]>;
  /** The links with a position above `after`, the oldest first. */
  since(teamId: string, after: number, limit: number): Promise<ChainLink[]>;
  head(teamId: string): Promise<ChainHead>;
}

/** @returns the same text where nothing changes; undefined for a keyed value that is deleted */
export type Rewrite = (place: StoredText, text: string) => string | undefined;

/** Takes out of the store what is not to be in it. */
export interface Cleansing {
  /**
   * Replaces every text that is stored by what `rewrite` makes of it, one after the other, while others read and write; but the audit
   * trail. A keyed value without a text is deleted. What is written meanwhile may be missed.
   *
   * @returns how many texts were replaced
   */
  rewrite(rewrite: Rewrite): Promise<number>;
  /**
   * Removes from the files of the store what was replaced or deleted in it. Writes wait meanwhile.
   *
   * @returns false where the store does not let the bot do that, and the person who runs it has to
   */
  compact(): Promise<boolean>;
}

/** The store does not answer. The command may or may not have been run. It works again when the store is back. */
export class StoreAwayError extends InvigilatorError {
  readonly code: string = 'store_away';

  constructor(cause: unknown) {
    super(`the store is away: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** The store has no room for more. It can be read, and what frees room goes on. */
export class StoreFullError extends StoreAwayError {
  override readonly code = 'store_full';
}

/** The versions of what this bot stores. */
export const schemaVersions = { sqlite: 12, redis: 11 } as const;

/** Those of 1.7, which this bot upgrades. */
const upgradedVersions = { sqlite: 9, redis: 8 } as const;

/** The store is for another version of the bot. */
export class SchemaVersionError extends InvigilatorError {
  readonly code: 'newer_schema' | 'older_schema';

  constructor(code: SchemaVersionError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * @param name the store as a message names it
 * @throws {SchemaVersionError} where this bot can neither use nor upgrade the version
 */
export function assertUsableVersion(store: keyof typeof schemaVersions, name: string, version: number): void {
  if (version > schemaVersions[store])
    throw new SchemaVersionError(
      'newer_schema',
      `${name} was written by a newer version of the bot: start that version`,
    );
  if (version < upgradedVersions[store])
    throw new SchemaVersionError(
      'older_schema',
      `${name} was written by version 1.6 of the bot or an older one: start version 1.7 with it once, then this version`,
    );
}

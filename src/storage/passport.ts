import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ChainHead } from '../domain/audit-chain.ts';
import { later, type SetTimer, type SteadyClock } from '../time/clock.ts';

/*
 * By what a store is known. Outside it, in a file, the bot keeps which content the store had at the last look: an id that copies
 * share, a generation that every look raises, and the last entry of each audit trail. A store that is empty, another one or an
 * earlier state of itself does not fit what the file says. In the store are hashes of the workspace and the users it belongs to.
 */

/** In `DATA_DIR`, for SQLite. */
export const knownStoreFileName = 'known-store.json';

/** Which content a store has. Copies of a store share the id; every look at the store makes the generation greater. */
export interface StoreIdentity {
  id: string;
  generation: number;
}

/** What the bot knows of its store outside the store. Times are milliseconds since the epoch. */
interface KnownContent extends StoreIdentity {
  /** The last look that found this content. */
  at: number;
  /** What the bot took before this was posted, as far as the bot knew. */
  settledUntil: number;
  /** The last known entry of each workspace's audit trail. */
  heads?: Readonly<Record<string, ChainHead>>;
}

/** The store does not have the content that the bot knew. */
export interface ContentLoss {
  /** `replaced`: the store was emptied or is another store. `older`: it is an earlier state of itself. */
  kind: 'replaced' | 'older';
  /** The identity that was found, if there was one. */
  found: StoreIdentity | undefined;
  known: StoreIdentity;
  knownAt: number;
  settledUntil: number;
}

/** @returns undefined where nothing was kept yet */
export function readKnownContent(path: string): KnownContent | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as KnownContent;
  } catch (error) {
    if (Object(error).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Compares the content of a store with what was known.
 * @param found before a look makes its generation greater
 */
export function contentLoss(known: KnownContent, found: StoreIdentity | undefined): ContentLoss | undefined {
  const isSame = found?.id === known.id;
  if (isSame && found.generation >= known.generation) return undefined;
  const { id, generation, at: knownAt, settledUntil } = known;
  return { kind: isSame ? 'older' : 'replaced', found, known: { id, generation }, knownAt, settledUntil };
}

/** Of webhooks that waited to be stored, and of submissions without a webhook, the bot does not know until then. */
const graceMs = 15 * 60_000;

/** A killed bot forgets the last entries that it appended to the audit trail within this time. */
const headsKeptAfterMs = 1_000;

export type ContentWatch = ReturnType<typeof createContentWatch>;

/**
 * Notices a store that lost its content: while the bot runs, and at its start, since the last look is also kept in a file.
 *
 * @param options.path undefined: nothing is kept
 * @param options.settledUntil what the bot took before this time is posted; Infinity where nothing waits
 * @param options.onError called once where the file cannot be read or written
 */
export function createContentWatch(options: {
  path: string | undefined;
  settledUntil: () => Promise<number>;
  now: () => number;
  /** Continues from the last look. */
  steady?: Pick<SteadyClock, 'resumeFrom'> | undefined;
  onError: (error: unknown) => void;
  setTimer?: SetTimer | undefined;
}) {
  const { path, now, setTimer = later } = options;
  // Instances may share the folder.
  const newPath = `${path}.${randomUUID().slice(0, 8)}.new`;
  const listeners = new Set<(loss: ContentLoss) => void>();
  let hasFailed = false;
  let cancelWrite: (() => void) | undefined;
  let known = path === undefined ? undefined : orFail(() => readKnownContent(path));
  let loss: ContentLoss | undefined;
  if (known) options.steady?.resumeFrom(known.at);
  const heads = new Map(Object.entries(known?.heads ?? {}));

  function orFail<Answer>(useFile: () => Answer): Answer | undefined {
    try {
      return useFile();
    } catch (cause) {
      const problem = `${path} cannot be used: a store that loses its content while the bot is stopped goes unnoticed`;
      if (!hasFailed) options.onError(new Error(problem, { cause }));
      hasFailed = true;
      return undefined;
    }
  }

  function write(): void {
    cancelWrite?.();
    cancelWrite = undefined;
    if (path === undefined || known === undefined) return;
    orFail(() => {
      writeFileSync(newPath, JSON.stringify({ ...known, heads: Object.fromEntries(heads) }), { mode: 0o600 });
      renameSync(newPath, path);
    });
  }

  return {
    /** The last known entry of each workspace's audit trail. Kept within a second, and when the watch is closed. */
    heads: {
      get: (teamId: string) => heads.get(teamId),
      set(teamId: string, head: ChainHead): void {
        heads.set(teamId, head);
        cancelWrite ??= setTimer(write, headsKeptAfterMs);
      },
    },
    /** Undefined while the store has the content that the bot knew. A loss remains until the bot restarts. */
    loss: () => loss,
    /** Calls back with a loss that was found, and with each that is found. */
    onLoss(listener: (loss: ContentLoss) => void): void {
      listeners.add(listener);
      if (loss) listener(loss);
    },
    /** Compares the identity that the store has now, after a look made its generation greater, with the known one, and keeps it. */
    async look(found: StoreIdentity): Promise<void> {
      const before = { id: found.id, generation: found.generation - 1 };
      const lost = known && contentLoss(known, before);
      const settledUntil =
        lost === undefined ? Math.min(now(), await options.settledUntil()) - graceMs : now() - graceMs;
      known = { id: found.id, generation: found.generation, at: now(), settledUntil };
      if (lost) {
        loss = { ...lost, found };
        for (const listener of listeners) listener(loss);
      }
      write();
    },
    /** Keeps what waits to be kept. */
    close(): void {
      if (cancelWrite) write();
    },
  };
}

/** Where the store keeps its owner. */
export const [ownerNamespace, ownerKey] = ['store-owner', 'owner'] as const;
/** Users by which an account is known. Some of them remain for as long as the store is used. */
const usersKept = 200;
const hashedInSlice = 1_000;

/** To whom the content of a store belongs, as hashes. */
export interface StoreOwner {
  workspace: string;
  /** Users of the quiz account. Its API names no account, and its key changes when it is rotated. */
  users: readonly string[];
}

export function storeOwner(workspace: string, userIds: readonly string[]): StoreOwner {
  return { workspace: hashOf(workspace), users: userIds.slice(0, usersKept).map(hashOf) };
}

export function isOwnedBy({ workspace }: StoreOwner, teamId: string): boolean {
  return workspace === hashOf(teamId);
}

/** Whether one of the users is among those of the owner, where either has any. Hashes in slices: an account may have 100,000 users. */
export async function sharesUsers({ users }: StoreOwner, userIds: readonly string[]): Promise<boolean> {
  if (users.length === 0 || userIds.length === 0) return true;
  const hashes = new Set(users);
  for (const [index, userId] of userIds.entries()) {
    if (hashes.has(hashOf(userId))) return true;
    if (index % hashedInSlice === hashedInSlice - 1) await nextTurn();
  }
  return false;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

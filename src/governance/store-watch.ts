import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { InvigilatorError } from '../domain/errors.ts';
import type { Log } from '../observability/log.ts';
import type { ContentLoss } from '../storage/content-watch.ts';
import type { Storage } from '../storage/storage.ts';
import { createRepeating } from '../time/repeating.ts';

const everyMs = 30_000;
const leaseMs = 60_000;
/** Instances tell administrators once about the same loss. */
const toldForMs = 30 * 24 * 3_600_000;
/** Users by which an account is known. Some of them remain for as long as the store is used. */
const usersKept = 200;
const hashedInSlice = 1_000;

/** To whom the content of the store belongs, as hashes. */
export interface StoreOwner {
  workspace: string;
  /** Users of the quiz account. Its API names no account, and its key changes when it is rotated. */
  users: readonly string[];
}

/** The store has the content of another workspace or of another quiz account. */
export class OtherOwnerError extends InvigilatorError {
  readonly code = 'store_of_another_account';
}

/** Tells administrators about a store that lost its content, and notices a store that belongs to another workspace or quiz account. */
export function createStoreWatch(deps: {
  storage: Pick<Storage, 'content' | 'leases' | 'kv' | 'ping'>;
  teamId: () => Promise<string>;
  /** Every user of the quiz account. */
  userIds: () => Promise<readonly string[]>;
  tellAdministrators: (loss: ContentLoss) => Promise<void>;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  log: Log;
}) {
  const { storage: { content, leases, kv, ping }, log } = deps;
  const told = kv<true>('store-notices');
  const owners = kv<StoreOwner>('store-owner');
  let isTold = true;
  let isOwnerKnown = false;
  let otherOwner: OtherOwnerError | undefined;

  content.onLoss((loss) => {
    isTold = false;
    isOwnerKnown = false;
    log.error({ ...loss }, loss.kind === 'older' ? 'the store went back to an earlier state: restore a backup, or check what changed since, and restart the bot' : 'the store lost its content: restore a backup, or subscribe the channels again, and restart the bot');
  });

  async function tell(): Promise<void> {
    const loss = content.loss();
    if (isTold || loss === undefined) return;
    const key = `${loss.kind}:${loss.kind === 'older' ? loss.known.id : loss.found.id}`;
    const { held } = await leases.withLease('store-notice', leaseMs, async () => {
      if (await told.get(key)) return;
      await deps.tellAdministrators(loss);
      await told.set(key, true, toldForMs);
    });
    isTold = held;
  }

  async function compareOwner(): Promise<void> {
    if (isOwnerKnown) return;
    const [workspace, userIds] = await Promise.all([deps.teamId(), deps.userIds()]);
    const now: StoreOwner = { workspace: hashOf(workspace), users: userIds.slice(0, usersKept).map(hashOf) };
    const before = await owners.get('owner');
    isOwnerKnown = true;
    otherOwner = before && (await reasonAgainst(before, now, userIds));
    if (otherOwner) log.error({ error: otherOwner }, 'the store belongs to another account');
    else if (now.users.length > 0) await owners.set('owner', now);
  }

  const repeating = createRepeating({
    async work() {
      await tell();
      await compareOwner();
    },
    everyMs,
    sleep: deps.sleep,
    onError: (error) => log.debug({ error }, 'the store is compared later'),
  });

  return {
    ...repeating,
    /** Rejects while the store cannot be used, has lost its content, or belongs to another workspace or quiz account. */
    async ask(): Promise<void> {
      await ping();
      if (otherOwner) throw otherOwner;
    },
  };
}

async function reasonAgainst(before: StoreOwner, now: StoreOwner, userIds: readonly string[]): Promise<OtherOwnerError | undefined> {
  const remedy = 'or set DATA_DIR or REDIS_URL to an empty store';
  if (before.workspace !== now.workspace) return new OtherOwnerError(`the store belongs to another workspace: set the bot token of that workspace, ${remedy}`);
  if (before.users.length === 0 || userIds.length === 0 || (await hasOneOf(userIds, new Set(before.users)))) return undefined;
  return new OtherOwnerError(`the store belongs to another quiz account: set the QUIZ_API_URL and QUIZ_API_KEY of that account, ${remedy}`);
}

/** Hashes in slices, since an account may have 100,000 users. */
async function hasOneOf(userIds: readonly string[], hashes: ReadonlySet<string>): Promise<boolean> {
  for (const [index, userId] of userIds.entries()) {
    if (hashes.has(hashOf(userId))) return true;
    if (index % hashedInSlice === hashedInSlice - 1) await nextTurn();
  }
  return false;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

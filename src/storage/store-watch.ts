import type { Log } from '../observability/log.ts';
import type { ContentLoss } from './content-watch.ts';
import type { Storage } from './storage.ts';
import { createRepeating } from '../time/repeating.ts';
import {
  ownerKey,
  ownerNamespace,
  reasonAgainst,
  storeOwner,
  type OtherOwnerError,
  type StoreOwner,
} from './store-owner.ts';

const everyMs = 30_000;
const leaseMs = 60_000;
/** Instances tell administrators once about the same loss. */
const toldForMs = 30 * 24 * 3_600_000;
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
  const {
    storage: { content, leases, kv, ping },
    log,
  } = deps;
  const told = kv<true>('store-notices');
  const owners = kv<StoreOwner>(ownerNamespace);
  let isTold = true;
  let isOwnerKnown = false;
  let otherOwner: OtherOwnerError | undefined;

  content.onLoss((loss) => {
    isTold = false;
    isOwnerKnown = false;
    log.error(
      { ...loss },
      loss.kind === 'older'
        ? 'the store went back to an earlier state: restore a backup, or check what changed since, and restart the bot'
        : 'the store lost its content: restore a backup, or subscribe the channels again, and restart the bot',
    );
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
    const before = await owners.get(ownerKey);
    isOwnerKnown = true;
    otherOwner = before && (await reasonAgainst(before, workspace, userIds));
    if (otherOwner) log.error({ error: otherOwner }, 'the store belongs to another account');
    else if (userIds.length > 0) await owners.set(ownerKey, storeOwner(workspace, userIds));
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

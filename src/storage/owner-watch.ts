import type { Check, Finding } from '../domain/finding.ts';
import type { Log } from '../observability/log.ts';
import { createRepeating, type Repeating } from '../time/repeating.ts';
import { ownerMeaning } from './check-meanings.ts';
import type { Storage } from './storage.ts';
import {
  notCompared,
  ownerFinding,
  ownerKey,
  ownerNamespace,
  storeOwner,
  unclearOwner,
  type StoreOwner,
} from './store-owner.ts';

const everyMs = 30_000;

/**
 * Ties the store to the workspace and the quiz account, and compares it with them: once, since neither changes while the bot
 * runs, and again after the store lost its content. Its check says what was found, and asks nobody.
 */
export function createOwnerWatch(deps: {
  storage: Pick<Storage, 'content' | 'kv'>;
  teamId: () => Promise<string>;
  /** Every user of the quiz account. */
  userIds: () => Promise<readonly string[]>;
  /** Called after each comparison. */
  onCompared: () => void;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  log: Log;
}): Repeating & { check: Check } {
  const owners = deps.storage.kv<StoreOwner>(ownerNamespace);
  let isCompared = false;
  let finding: Finding | undefined = unclearOwner(notCompared);

  deps.storage.content.onLoss(() => {
    isCompared = false;
  });

  async function compare(): Promise<void> {
    if (isCompared) return;
    const [workspace, userIds] = await Promise.all([deps.teamId(), deps.userIds()]);
    const kept = await owners.get(ownerKey);
    isCompared = true;
    finding = kept && (await ownerFinding(kept, { workspace, userIds }));
    if (finding === undefined && userIds.length > 0) await owners.set(ownerKey, storeOwner(workspace, userIds));
    deps.onCompared();
  }

  const repeating = createRepeating({
    work: compare,
    everyMs,
    sleep: deps.sleep,
    onError: (error) => deps.log.debug({ error }, 'the owner of the store is compared later'),
  });

  return { ...repeating, check: { ...ownerMeaning, look: async () => finding } };
}

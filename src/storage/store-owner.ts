import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Finding } from '../domain/finding.ts';
import { say } from '../domain/said.ts';

/** Where the store keeps its owner. */
export const [ownerNamespace, ownerKey] = ['store-owner', 'owner'] as const;
/** Users by which an account is known. Some of them remain for as long as the store is used. */
const usersKept = 200;
const hashedInSlice = 1_000;

export const notCompared = 'whether the store belongs to this workspace and quiz account was not checked';

/** To whom the content of the store belongs, as hashes. */
export interface StoreOwner {
  workspace: string;
  /** Users of the quiz account. Its API names no account, and its key changes when it is rotated. */
  users: readonly string[];
}

export function storeOwner(workspace: string, userIds: readonly string[]): StoreOwner {
  return { workspace: hashOf(workspace), users: userIds.slice(0, usersKept).map(hashOf) };
}

/**
 * Compares the owner of a store with the workspace and the quiz account of the configuration.
 *
 * @param kept undefined where the store has none
 * @param account undefined: what the platform, or the quiz service, does not tell
 */
export async function ownerFinding(
  kept: StoreOwner | undefined,
  { workspace, userIds }: { workspace: string | undefined; userIds: readonly string[] | undefined },
): Promise<Finding | undefined> {
  if (kept === undefined)
    return unclearOwner('the store belongs to no workspace and quiz account yet: the bot ties it to them at the start');
  if (workspace === undefined) return unclearOwner(notCompared);
  if (kept.workspace !== hashOf(workspace)) return otherOwner('workspace', 'set the bot token of that workspace');
  if (userIds === undefined)
    return unclearOwner('the store belongs to this workspace; whether it belongs to this quiz account was not checked');
  if (kept.users.length === 0 || userIds.length === 0 || (await hasOneOf(userIds, new Set(kept.users))))
    return undefined;
  return otherOwner('quiz account', 'set the QUIZ_API_URL and QUIZ_API_KEY of that account');
}

function otherOwner(whose: 'workspace' | 'quiz account', remedy: string): Finding {
  const problem = `the store belongs to another ${whose}`;
  return {
    code: 'store_of_another_account',
    effect: 'stops',
    problem,
    forOperator: `${problem}: ${remedy}, or set DATA_DIR or REDIS_URL to an empty store`,
    forAdministrators: {
      headline:
        whose === 'workspace'
          ? say`The bot’s database belongs to another workspace`
          : say`The bot’s database belongs to another quiz account`,
      advice: say`Ask the person who runs the bot to connect it with its own database.`,
    },
    occurrence: `owner:${whose}`,
  };
}

/** @param forOperator why it is not known to whom the store belongs */
export function unclearOwner(forOperator: string): Finding {
  return {
    code: 'store_owner_unknown',
    effect: 'unknown',
    problem: 'the owner of the store is not known yet',
    forOperator,
    forAdministrators: {
      headline: say`Whom the bot’s database belongs to isn’t known yet`,
      advice: say`The bot looks again every minute.`,
    },
  };
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

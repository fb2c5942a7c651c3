import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { InvigilatorError } from '../domain/errors.ts';
import { fault, right, unknown, type Finding } from '../domain/finding.ts';

/** Where the store keeps its owner. */
export const [ownerNamespace, ownerKey] = ['store-owner', 'owner'] as const;
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
): Promise<Finding> {
  if (kept === undefined)
    return unknown('the store belongs to no workspace and quiz account yet: the bot ties it to them at the start');
  if (workspace === undefined)
    return unknown('whether the store belongs to this workspace and quiz account was not checked');
  const reason = await reasonAgainst(kept, workspace, userIds ?? []);
  if (reason) return fault(reason.message);
  return userIds === undefined
    ? unknown('the store belongs to this workspace; whether it belongs to this quiz account was not checked')
    : right('the store belongs to this workspace and quiz account');
}

/** Why a store with this owner is not that of the workspace and the quiz account that the bot has now; undefined where it is. */
export async function reasonAgainst(
  before: StoreOwner,
  workspace: string,
  userIds: readonly string[],
): Promise<OtherOwnerError | undefined> {
  const remedy = 'or set DATA_DIR or REDIS_URL to an empty store';
  if (before.workspace !== hashOf(workspace))
    return new OtherOwnerError(
      `the store belongs to another workspace: set the bot token of that workspace, ${remedy}`,
    );
  if (before.users.length === 0 || userIds.length === 0 || (await hasOneOf(userIds, new Set(before.users))))
    return undefined;
  return new OtherOwnerError(
    `the store belongs to another quiz account: set the QUIZ_API_URL and QUIZ_API_KEY of that account, ${remedy}`,
  );
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

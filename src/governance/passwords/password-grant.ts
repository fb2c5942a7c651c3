import type { User } from '../../quiz-api/users.ts';
import { flagsOf } from '../rights/rights.ts';

/**
 * What an offer permits beyond the policy, as long as the user keeps type and rights: to see the password of a user
 * whom the person created but does not manage, or that an administrator approved.
 */
export interface PasswordGrant {
  isNew: boolean;
  type: string;
  flags: readonly string[];
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

/** Where the store has the grant of a new user to set their own password. No person of the platform has the id `own`. */
export function ownPasswordKey(teamId: string, userId: string): string {
  return `${teamId}:own:${userId}`;
}

/** Whether a user has no more rights than when the password was granted. */
export function keepsRights(user: User, granted: PasswordGrant): boolean {
  return granted.type === user.user_type && flagsOf(user).every((flag) => granted.flags.includes(flag));
}

import { flagsOf, type User } from '../../quiz-api/records.ts';
import type { Keyv } from 'keyv';
import { personQueue, type NewQueueEntry } from '../../domain/queues.ts';
import { randomInt } from 'node:crypto';

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

/** Messages are sentences of `domain/said.ts`. */
export type ShownPassword =
  | {
      kind: 'shown';
      name: string;
      userName: string;
      password: string;
      /** The approval was for this one: another one needs another approval. */
      isOnce?: true;
    }
  | { kind: 'refused' | 'failed'; message: string };

/** How long a new user can set their own password: long enough for people who start after the weekend. */
export const ownTtlMs = 14 * 24 * 3_600_000;

/** What the messages have in place of a subscription. They are not for respondents alone, so `NOTIFY_RESPONDENTS` leaves them. */
const ownPasswords = 'own-passwords';

/** A user whom an import created. `by`: the person who had them created. */
interface Created {
  teamId: string;
  user: User;
  by: string;
  of: { batchId: string; row: number };
}

export type AfterCreate = ReturnType<typeof createAfterCreate>;

/**
 * Lets a user whom an import created set their own password. Nobody knows the first one, unless the service mailed it.
 *
 * @returns the message with the button, to be put into the user’s queue in one step with the outcome of the row
 */
export function createAfterCreate({ grants, now }: { grants: Pick<Keyv<PasswordGrant>, 'set'>; now: () => number }) {
  return async ({ teamId, user, by, of }: Created): Promise<NewQueueEntry[]> => {
    const { user_id: userId, user_type: type } = user;
    const at = now();
    const grant = { isNew: true, type, flags: flagsOf(user), expiresAt: at + ownTtlMs };
    await grants.set(ownPasswordKey(teamId, userId), grant, ownTtlMs);
    const content = { kind: 'own-password', by, of } as const;
    return [{ queue: personQueue(teamId, userId), subscriptionId: ownPasswords, at, content }];
  };
}

/** No characters that look alike when read aloud or typed off a screen, and none that formats a message. */
const passwordAlphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';
const passwordLength = 16;

/** Makes a password for a new user: 16 characters, some 92 bits, from the system’s secure source. */
export function makePassword(): string {
  return Array.from({ length: passwordLength }, () => passwordAlphabet[randomInt(passwordAlphabet.length)]).join('');
}

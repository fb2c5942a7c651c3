import type { Keyv } from 'keyv';
import type { NewQueueEntry } from '../../domain/queue-entry.ts';
import { personQueue } from '../../domain/queue-names.ts';
import type { User } from '../../quiz-api/users.ts';
import { ownPasswordKey, type PasswordGrant } from './password-grant.ts';
import { flagsOf } from '../rights/rights.ts';

/** Long enough for people who start after the weekend. */
const ownTtlMs = 14 * 24 * 3_600_000;

/** What the messages have in place of a subscription. They are not for respondents alone, so `NOTIFY_RESPONDENTS` leaves them. */
const ownPasswords = 'own-passwords';

/**
 * Lets a user whom an import created set their own password. Nobody knows the first one, unless the service mailed it.
 *
 * @param by the person who had the user created
 * @returns the message with the button, to be put into the user’s queue in one step with the outcome of the row
 */
export type AfterCreate = (created: {
  teamId: string;
  user: User;
  by: string;
  of: { batchId: string; row: number };
}) => Promise<NewQueueEntry[]>;

export function createAfterCreate({
  grants,
  now,
}: {
  grants: Pick<Keyv<PasswordGrant>, 'set'>;
  now: () => number;
}): AfterCreate {
  return async ({ teamId, user, by, of }) => {
    const { user_id: userId, user_type: type } = user;
    const at = now();
    const grant = { isNew: true, type, flags: flagsOf(user), expiresAt: at + ownTtlMs };
    await grants.set(ownPasswordKey(teamId, userId), grant, ownTtlMs);
    const content = { kind: 'own-password', by, of } as const;
    return [{ queue: personQueue(teamId, userId), subscriptionId: ownPasswords, at, content }];
  };
}

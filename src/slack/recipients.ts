import type { FindRecipient } from '../alerts/direct-messages/person-queue.ts';
import { createPace } from '../alerts/direct-messages/pace.ts';
import type { NamedList } from '../directory/directory.ts';
import type { Identity } from '../directory/identity.ts';
import { isFullAddress } from '../domain/address.ts';
import { NotFoundError } from '../quiz-api/errors.ts';
import type { User, Users } from '../quiz-api/users.ts';
import type { FindColleague } from './people.ts';

/** Below the 50 a minute of `users.lookupByEmail` and `conversations.open`: https://docs.slack.dev/apis/web-api/rate-limits */
const lookupPace = { everyMs: 1_500, burst: 10 };

/**
 * Finds the person in Slack who is a user of the quiz account: a colleague with an address of the user whom the bot takes
 * for that user, too. So a result never goes to somebody who merely shares an address.
 */
export function createFindRecipient(deps: {
  users: Pick<NamedList<User>, 'names' | 'put'>;
  api: Pick<Users, 'get'>;
  identity: Pick<Identity, 'userWithAddress'>;
  findColleague: FindColleague;
  now: () => number;
}): FindRecipient {
  const pace = createPace({ ...lookupPace, now: deps.now });
  const call = { priority: 'background' } as const;

  return async (userId) => {
    const user = (await deps.users.names(call)).byId(userId) ?? (await newcomer(userId));
    if (user === undefined) return { kind: 'nobody', reason: 'no_user' };
    if (user.suspended) return { kind: 'nobody', reason: 'suspended' };
    const addresses = [...new Set([user.user_name, user.email_address])].filter(isFullAddress);
    for (const address of addresses) {
      if (!(await deps.findColleague.knows(address))) {
        const at = pace.turn(address);
        if (at !== undefined) return { kind: 'later', at };
      }
      const personId = await deps.findColleague(address);
      if (personId === undefined) continue;
      const theirs = await deps.identity.userWithAddress(address, call);
      return theirs?.user_id === userId ? { kind: 'found', personId } : { kind: 'nobody', reason: 'another_user' };
    }
    return { kind: 'nobody', reason: 'no_person' };
  };

  /** A user who was created after the list was loaded. */
  async function newcomer(userId: string): Promise<User | undefined> {
    try {
      const user = await deps.api.get(userId, call);
      deps.users.put(user);
      return user;
    } catch (error) {
      if (error instanceof NotFoundError && error.isFromService) return undefined;
      throw error;
    }
  }
}

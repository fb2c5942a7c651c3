import type { Reach, ReachedPerson } from '../operations/context.ts';
import type { Identity } from '../directory/identity.ts';
import { isFullAddress } from '../domain/address.ts';
import type { FindColleague } from './people.ts';

/** Finds the people in Slack who are users of the account, by the addresses of the users. */
export function createReach(deps: { findColleague: FindColleague; identity: Pick<Identity, 'actorOf'> }): Reach {
  return async (users, { call }) => {
    const reached = new Map<string, ReachedPerson>();
    for (const user of users) {
      for (const address of [...new Set([user.user_name, user.email_address])].filter(isFullAddress)) {
        const personId = await deps.findColleague(address);
        if (personId === undefined) continue;
        const actor = await deps.identity.actorOf(personId, { fresh: false, isListed: true, call });
        if (actor.user?.user_id === user.user_id) reached.set(user.user_id, { personId, timeZone: actor.timeZone ?? 'UTC' });
        break;
      }
    }
    return reached;
  };
}

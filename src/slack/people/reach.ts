import type { Identity } from '../../directory/identity.ts';
import type { Reach, ReachedPerson } from '../../operations/services/people.ts';
import type { User } from '../../quiz-api/users.ts';
import type { CallOptions } from '../../quiz-api/transport.ts';
import { knownTimeZone } from '../../time/wall-clock.ts';
import type { FindColleague } from './colleagues.ts';
import { addressesOf } from './recipients.ts';

/** With more unknown addresses, the list of the workspace's people costs fewer calls than a lookup of each. */
const lookedUpAtMost = 20;

/**
 * Finds the people in Slack who are users of the account, by the addresses of the users.
 *
 * @param deps.timeZone of people whose zone Slack does not tell
 */
export function createReach(deps: {
  findColleague: FindColleague;
  identity: Pick<Identity, 'userWithAddress'>;
  timeZone: string;
}): Reach {
  const { findColleague, identity } = deps;

  return async (users, { call }) => {
    const unknown: string[] = [];
    for (const address of users.flatMap(addressesOf)) if (!(await findColleague.knows(address))) unknown.push(address);
    if (unknown.length > lookedUpAtMost) await findColleague.learn(unknown);
    const reached = new Map<string, ReachedPerson>();
    for (const user of users) {
      const person = await reachedAs(user, call);
      if (person) reached.set(user.user_id, person);
    }
    return reached;
  };

  /** The first colleague with an address of the user counts; where it is another user's, the user has no person. */
  async function reachedAs(user: User, call: CallOptions): Promise<ReachedPerson | undefined> {
    for (const address of addressesOf(user)) {
      const colleague = await findColleague(address);
      if (colleague === undefined) continue;
      const theirs = await identity.userWithAddress(address, call);
      return theirs?.user_id === user.user_id
        ? { personId: colleague.personId, timeZone: knownTimeZone(colleague.timeZone) ?? deps.timeZone }
        : undefined;
    }
    return undefined;
  }
}

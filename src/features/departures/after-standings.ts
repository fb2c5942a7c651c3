import type { User } from '../../quiz-api/users.ts';
import type { DeparturesState, KnownPerson } from './departures-state.ts';
import type { Standings, UserStanding } from './standing.ts';

/**
 * The state after the platform said who is active. A user of whom it said nothing stays as they were.
 *
 * @param read.users all of the account; those who are gone are forgotten
 * @param read.isWhole everybody was read, and not just some
 */
export function afterStandings(
  state: DeparturesState,
  { users, standings, isWhole }: { users: readonly User[]; standings: Standings; isWhole: boolean },
  now: number,
): DeparturesState {
  const known = new Map(state.people.map((person) => [person.userId, person]));
  const returned = [...state.returned];
  const people = users.flatMap((user): KnownPerson[] => {
    const before = known.get(user.user_id);
    const standing = standings.get(user.user_id);
    const after = standing === undefined ? before : personAfter(user.user_id, before, standing, state.readAt, now);
    const isBack = before?.left?.isSuspended === true && standing !== undefined && standing.kind !== 'left';
    if (isBack && user.suspended && !returned.some(({ userId }) => userId === user.user_id))
      returned.push({ userId: user.user_id, at: now });
    return after === undefined ? [] : [after];
  });
  return {
    ...state,
    people,
    // Who leaves again is not back.
    returned: returned.filter(({ userId }) => standings.get(userId)?.kind !== 'left'),
    ...(isWhole && { readAt: now }),
  };
}

function personAfter(
  userId: string,
  before: KnownPerson | undefined,
  standing: UserStanding,
  readAt: number,
  now: number,
): KnownPerson | undefined {
  if (standing.kind === 'nobody') return undefined;
  const { personId } = standing;
  if (standing.kind === 'here') return { userId, personId };
  if (before?.left !== undefined) return before;
  const isPlausible = standing.at !== undefined && standing.at >= readAt && standing.at <= now;
  const at = isPlausible ? standing.at! : now;
  return { userId, personId, left: { at, ...(before === undefined && { isEarlier: true }) } };
}

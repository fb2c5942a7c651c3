import { publicName } from '../../directory/names.ts';
import type { DepartureNotice, DepartureReader, NoticedPerson } from '../../domain/departure.ts';
import type { User } from '../../quiz-api/users.ts';
import { leftSinceKnown, newlyLeft, type DeparturesState, type KnownPerson } from './departures-state.ts';
import { massDeparture } from './mass.ts';

/** What a notice is made of besides the state. */
export interface Setting {
  /** All of the account. */
  users: readonly User[];
  /** Empty where nobody can be asked: people are then proposed another day. */
  readers: readonly DepartureReader[];
  /** People who are administrators in any case. */
  owners: ReadonlySet<string>;
  newId: () => string;
}

/** The state in which people who newly left are proposed, or named as a mass deactivation. */
export function afterProposing(state: DeparturesState, setting: Setting, now: number): DeparturesState {
  const { readers, newId } = setting;
  if (readers.length === 0) return { ...state, proposedAt: now };
  const watched = state.people.filter(({ left }) => left?.isEarlier === undefined).length;
  const leavers = leftSinceKnown(state).map(({ userId, left: { at } }) => ({ userId, at }));
  const mass = new Set([...massDeparture(leavers, watched)].map(({ userId }) => userId));
  const left = newlyLeft(state);
  const isMass = ({ userId }: KnownPerson) => mass.has(userId);
  const proposed = proposable(
    left.filter((person) => !isMass(person)),
    setting,
  );
  const count = left.filter(isMass).length;
  const notices: DepartureNotice[] = [
    ...(proposed.length > 0
      ? [{ id: newId(), kind: 'proposal' as const, postedAt: now, readers, people: proposed }]
      : []),
    ...(count > 0
      ? [{ id: newId(), kind: 'mass' as const, postedAt: now, readers, count: mass.size, of: watched }]
      : []),
  ];
  const handled = new Set(left.map(({ userId }) => userId));
  return {
    ...state,
    people: state.people.map((person) =>
      person.left && handled.has(person.userId) ? { ...person, left: { ...person.left, isHandled: true } } : person,
    ),
    proposedAt: now,
    notices: [...state.notices, ...notices],
  };
}

/** Those who are still active in the account, and whom it can do without. */
function proposable(
  left: readonly (KnownPerson & { left: { at: number } })[],
  { users, owners }: Pick<Setting, 'users' | 'owners'>,
): NoticedPerson[] {
  const byId = new Map(users.map((user) => [user.user_id, user]));
  const leaving = new Set(left.map(({ userId }) => userId));
  const isAdministrator = (user: User) => user.user_type === 'administrator' && user.manage_users && !user.suspended;
  const isOneLeft = users.some((user) => isAdministrator(user) && !leaving.has(user.user_id));
  return left.flatMap(({ userId, personId, left: { at } }) => {
    const user = byId.get(userId);
    if (user === undefined || user.suspended || owners.has(personId) || (isAdministrator(user) && !isOneLeft))
      return [];
    return [{ userId, name: publicName(user), at }];
  });
}

/** The state with a notice about people who are back and still suspended. */
export function afterTellingReturns(
  state: DeparturesState,
  { users, readers, newId }: Pick<Setting, 'users' | 'readers' | 'newId'>,
  now: number,
): DeparturesState {
  const byId = new Map(users.map((user) => [user.user_id, user]));
  const people = state.returned.flatMap(({ userId, at }) => {
    const user = byId.get(userId);
    return user?.suspended ? [{ userId, name: publicName(user), at }] : [];
  });
  const isNotified = people.length > 0 && readers.length > 0;
  return {
    ...state,
    returned: [],
    notices: isNotified
      ? [...state.notices, { id: newId(), kind: 'return', postedAt: now, readers, people }]
      : state.notices,
  };
}

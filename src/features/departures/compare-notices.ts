import { isNoticeOver, type DepartureEnd, type DepartureNotice, type NoticedPerson } from '../../domain/departure.ts';
import type { User } from '../../quiz-api/users.ts';
import type { DeparturesState, KnownPerson } from './departures-state.ts';

const dayMs = 24 * 3_600_000;
/** A proposal on which nobody acts is over then. */
const openForMs = 30 * dayMs;
/** Longer than the platform can be away before a message shows how it ended. */
const keptForMs = 60 * dayMs;

/** The state with the notices as the account and the platform are now: who is back, suspended or gone is taken out. */
export function withNoticesCompared(state: DeparturesState, users: readonly User[], now: number): DeparturesState {
  const byId = new Map(users.map((user) => [user.user_id, user]));
  const known = new Map(state.people.map((person) => [person.userId, person]));
  const suspended = new Set<string>();
  const notices = state.notices
    .filter((notice) => now - notice.postedAt < keptForMs || !isNoticeOver(notice))
    .map((notice): DepartureNotice => {
      if (notice.kind === 'mass' || isNoticeOver(notice)) return notice;
      const endOf = notice.kind === 'proposal' ? endOfProposed : endOfReturned;
      return withEnds(notice, (person) => {
        const end = endOf(byId.get(person.userId), known.get(person.userId));
        if (end?.kind === 'suspended') suspended.add(person.userId);
        return end ?? (now - notice.postedAt >= openForMs ? { kind: 'expired' } : undefined);
      });
    });
  return {
    ...state,
    comparedAt: now,
    changedAt: undefined,
    notices,
    people:
      suspended.size === 0
        ? state.people
        : state.people.map((person) =>
            person.left && suspended.has(person.userId)
              ? { ...person, left: { ...person.left, isSuspended: true } }
              : person,
          ),
  };
}

function endOfProposed(user: User | undefined, known: KnownPerson | undefined): DepartureEnd | undefined {
  if (user === undefined) return { kind: 'deleted' };
  if (known?.left === undefined) return { kind: 'back' };
  return user.suspended ? { kind: 'suspended' } : undefined;
}

function endOfReturned(user: User | undefined, known: KnownPerson | undefined): DepartureEnd | undefined {
  if (user === undefined) return { kind: 'deleted' };
  if (!user.suspended) return { kind: 'reinstated' };
  return known?.left === undefined ? undefined : { kind: 'left again' };
}

/** Dismisses people of a proposal. They are proposed again when they come back and leave again. */
export function afterDismissal(
  state: DeparturesState,
  { noticeId, userIds, by }: { noticeId: string; userIds: readonly string[]; by: string },
): DeparturesState {
  const dismissed = new Set(userIds);
  return {
    ...state,
    notices: state.notices.map((notice) =>
      notice.id === noticeId && notice.kind === 'proposal'
        ? withEnds(notice, ({ userId }) => (dismissed.has(userId) ? { kind: 'dismissed', by } : undefined))
        : notice,
    ),
  };
}

/** The same notice where nothing ends. */
function withEnds<Notice extends DepartureNotice & { people: readonly NoticedPerson[] }>(
  notice: Notice,
  endOf: (person: NoticedPerson) => DepartureEnd | undefined,
): Notice {
  let isChanged = false;
  const people = notice.people.map((person) => {
    const end = person.end ?? endOf(person);
    if (end === person.end || end === undefined) return person;
    isChanged = true;
    return { ...person, end };
  });
  return isChanged ? { ...notice, people } : notice;
}

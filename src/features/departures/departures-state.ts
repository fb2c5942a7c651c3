import { hourMs, dayMs } from '../../domain/durations.ts';
import { publicName } from '../../directory/names.ts';
import type { DepartureList, DepartureReader } from '../../domain/queues.ts';
import type { Rest } from '../../durable/machine.ts';
import type { User } from '../../quiz-api/records.ts';
import { startOfDay, wallClock } from '../../time/wall-clock.ts';
import { nextWorkingMoment, startOfNextDay, type Holidays } from '../../time/working-hours.ts';

/** Whether the person of a user of the account is active on the platform. */
export type UserStanding =
  | { kind: 'here'; personId: string }
  /** `at`: when the platform changed them last, in milliseconds since the epoch; undefined where it does not tell. */
  | { kind: 'left'; personId: string; at: number | undefined }
  /** The person who they were is a guest now, or has another address: nobody who is watched. */
  | { kind: 'nobody' };

/** By user ID. A user of whom the platform says nothing clear is left out. */
export type Standings = ReadonlyMap<string, UserStanding>;

/** The person of a user of the account, as the bot knew them last. Times are milliseconds since the epoch. */
interface KnownPerson {
  userId: string;
  personId: string;
  /**
   * Undefined while they are active on the platform. `isEarlier`: they had left before the bot knew them, and are never listed.
   * `isListed`: a list had them, or none is to.
   */
  left?: { at: number; isEarlier?: true; isListed?: true };
}

/** What is kept of a workspace. */
export interface DeparturesState extends Rest {
  /** As many as the account has users with a person on the platform. */
  people: readonly KnownPerson[];
  /** When everybody was read last; 0: never. */
  readAt: number;
  /** When people were listed last; 0: never. */
  listedAt: number;
  /** Of the last 30 days. */
  lists: readonly DepartureList[];
}

export const freshDepartures: DeparturesState = { people: [], readAt: 0, listedAt: 0, lists: [], notBefore: 0 };

/** The clock and the days of the bot: a list goes to several people. */
export interface OfficeHours {
  timeZone: string;
  holidays: Holidays;
}

/** Working hours begin then. On other days, people are read at the same time. */
const readsAtMs = 9 * hourMs;
const decidedWithinMs = 30 * dayMs;

/** When everybody is read next, in milliseconds since the epoch: each morning, right before people are listed. */
export function nextReadingAt({ readAt }: Pick<DeparturesState, 'readAt'>, timeZone: string): number {
  if (readAt === 0) return 0;
  const clock = wallClock(timeZone);
  const shown = clock.shownAt(readAt);
  const thatDay = startOfDay(shown) + readsAtMs;
  return clock.firstMomentOf(shown < thatDay ? thatDay : thatDay + dayMs);
}

/**
 * When people are listed who left, at most once a day: at 9 on the working day after the first of them left; undefined where
 * nobody did.
 */
export function listDueAt(state: DeparturesState, { timeZone, holidays }: OfficeHours): number | undefined {
  const left = newlyLeft(state);
  if (left.length === 0) return undefined;
  const since = Math.max(state.listedAt, Math.min(...left.map(({ leftAt }) => leftAt)));
  return nextWorkingMoment(startOfNextDay(since, timeZone), timeZone, holidays);
}

function newlyLeft({
  people,
}: Pick<DeparturesState, 'people'>): { userId: string; personId: string; leftAt: number }[] {
  return people.flatMap(({ userId, personId, left }) =>
    left === undefined || left.isEarlier || left.isListed ? [] : [{ userId, personId, leftAt: left.at }],
  );
}

/** The person of each user. */
export function personIds({ people }: Pick<DeparturesState, 'people'>): Map<string, string> {
  return new Map(people.map(({ userId, personId }) => [userId, personId]));
}

/** Whom of a list somebody still has to decide on: the users who are gone from the platform and could sign in to the account. */
export function openIn({ people }: Pick<DeparturesState, 'people'>, list: DepartureList, users: readonly User[]) {
  const gone = new Set(people.flatMap(({ userId, left }) => (left === undefined ? [] : userId)));
  const active = new Set(users.flatMap(({ user_id: userId, suspended }) => (suspended ? [] : userId)));
  return list.people.filter(({ userId }) => gone.has(userId) && active.has(userId));
}

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
  return {
    ...state,
    people: users.flatMap(({ user_id: userId }) => {
      const [before, standing] = [known.get(userId), standings.get(userId)];
      return (standing === undefined ? before : personAfter(userId, before, standing, state.readAt, now)) ?? [];
    }),
    lists: state.lists.filter(({ postedAt }) => now - postedAt < decidedWithinMs),
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
  return { userId, personId, left: { at, isEarlier: before === undefined || undefined } };
}

/** More than this share of the people who are watched is a migration, and not so many leavers. */
const massShare = 0.1;
/** Of a small account, a tenth is one person, and two people do leave on the same day. */
const massFrom = 3;

/**
 * The state in which those who newly left are on a list, or counted where they are many.
 *
 * @param setting.readers where nobody can be asked, people are listed another day
 * @param setting.owners people who are administrators in any case
 */
export function afterListing(
  state: DeparturesState,
  setting: {
    users: readonly User[];
    readers: readonly DepartureReader[];
    owners: ReadonlySet<string>;
    newId: () => string;
  },
  now: number,
): DeparturesState {
  const { readers } = setting;
  if (readers.length === 0) return { ...state, listedAt: now };
  const left = new Map(newlyLeft(state).map((person) => [person.userId, person]));
  const people = dispensable([...left.values()], setting);
  const of = state.people.filter((person) => person.left?.isEarlier === undefined).length;
  const isMass = people.length >= massFrom && people.length > of * massShare;
  const list: DepartureList = {
    id: setting.newId(),
    postedAt: now,
    readers,
    people: isMass ? [] : people,
    mass: isMass ? { count: people.length, of } : null,
  };
  return {
    ...state,
    people: state.people.map((person) =>
      person.left && left.has(person.userId) ? { ...person, left: { ...person.left, isListed: true } } : person,
    ),
    listedAt: now,
    lists: people.length === 0 ? state.lists : [...state.lists, list],
  };
}

/** Those who are still active in the account, and whom it can do without. */
function dispensable(
  left: ReturnType<typeof newlyLeft>,
  { users, owners }: { users: readonly User[]; owners: ReadonlySet<string> },
): DepartureList['people'] {
  const byId = new Map(users.map((user) => [user.user_id, user]));
  const leaving = new Set(left.map(({ userId }) => userId));
  const isAdministrator = (user: User) => user.user_type === 'administrator' && user.manage_users && !user.suspended;
  const isOneLeft = users.some((user) => isAdministrator(user) && !leaving.has(user.user_id));
  return left.flatMap(({ userId, personId, leftAt }) => {
    const user = byId.get(userId);
    if (user === undefined || user.suspended || owners.has(personId) || (isAdministrator(user) && !isOneLeft))
      return [];
    return [{ userId, name: publicName(user), leftAt }];
  });
}

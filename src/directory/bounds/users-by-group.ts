import { setImmediate as nextTurn } from 'node:timers/promises';
import type { User } from '../../quiz-api/users.ts';

/** The users of an account by what decides to whom they belong, for all bots that are for some of its groups. */
export interface UsersByGroup {
  /** Those who are in one of the groups, or train one, in the order of the list. */
  of(groupIds: ReadonlySet<string>): User[];
  /** Those who are in no group and train none. */
  ungrouped: readonly User[];
  /** Those to whom the quiz is assigned. */
  having(quizId: string): readonly User[];
}

const usersInSlice = 10_000;

/** @returns sorts a list once, however many bots ask, in slices of a few milliseconds */
export function createUsersByGroup(): (users: readonly User[]) => Promise<UsersByGroup> {
  let last: { users: readonly User[]; sorted: Promise<UsersByGroup> } | undefined;
  return async (users) => {
    if (last?.users !== users) last = { users, sorted: sort(users) };
    return last.sorted;
  };
}

async function sort(users: readonly User[]): Promise<UsersByGroup> {
  const places = new Map<string, number[]>();
  const holders = new Map<string, User[]>();
  const ungrouped: User[] = [];
  for (const [place, user] of users.entries()) {
    if (place % usersInSlice === usersInSlice - 1) await nextTurn();
    for (const { quiz_id } of user.quizzes) push(holders, quiz_id, user);
    if (user.groups.length === 0 && user.trainergroups.length === 0) ungrouped.push(user);
    for (const { group_id } of user.groups) push(places, group_id, place);
    for (const { group_id } of user.trainergroups) push(places, group_id, place);
  }
  return {
    of(groupIds) {
      const found = new Set([...groupIds].flatMap((id) => places.get(id) ?? []));
      return [...found].toSorted((a, b) => a - b).map((place) => users[place]!);
    },
    ungrouped,
    having: (quizId) => holders.get(quizId) ?? [],
  };
}

function push<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

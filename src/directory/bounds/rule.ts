import { foldAddress, isFullAddress } from '../../domain/address.ts';
import type { QuizResponse } from '../../quiz-api/responses.ts';
import type { Group, User } from '../../quiz-api/users.ts';
import { plainName } from '../names.ts';

/**
 * What belongs to a bot that is for some groups of the account: `own`, and to nobody else; `shared`, and to others as well;
 * or to `others` alone, so that it does not exist for the bot. docs/groups.md has the rule in words.
 */
export type Belonging = 'own' | 'shared' | 'others';

export interface BoundGroups {
  ids: ReadonlySet<string>;
  /** The names that name no group, or not one alone. */
  unresolved: readonly { name: string; why: 'unknown' | 'several' }[];
}

/** Finds the groups with these names or IDs. An ID comes before a name, and a name counts in any case and with or without accents. */
export function findGroups(names: readonly string[], groups: readonly Group[]): BoundGroups {
  const ids = new Set<string>();
  const unresolved: BoundGroups['unresolved'][number][] = [];
  for (const name of names) {
    const found = groups.filter(({ group_id }) => group_id === name);
    const [group, ...others] =
      found.length > 0 ? found : groups.filter(({ group_name }) => plainName(group_name) === plainName(name));
    if (group !== undefined && others.length === 0) ids.add(group.group_id);
    else unresolved.push({ name, why: group === undefined ? 'unknown' : 'several' });
  }
  return { ids, unresolved };
}

type Grouped = Pick<User, 'groups' | 'trainergroups'>;

/** What the rule looks at, besides the record itself. */
export interface BoundFacts {
  groupIds: ReadonlySet<string>;
  /** Whether this bot made the user, or took them out of their last group. Counts for users in no group. */
  isMade: (user: User) => boolean;
}

/** To whom a user belongs, by the groups that they are in or train. */
export function personBelonging(user: User, { groupIds, isMade }: BoundFacts): Belonging {
  const ids = idsOf(user);
  if (ids.some((id) => groupIds.has(id))) return ids.every((id) => groupIds.has(id)) ? 'own' : 'shared';
  return ids.length === 0 && isMade(user) ? 'own' : 'others';
}

/** Whether the quizzes assigned to a user belong to the bot for that reason. Those of trainers do not: they may work for others. */
export function bringsQuizzes(user: User, facts: BoundFacts): boolean {
  return isIn(user, facts.groupIds) || (idsOf(user).length === 0 && facts.isMade(user));
}

/** Whether a quiz is assigned to a user who brings it to the bot, and to one who does not belong to it. */
export interface Assigned {
  inside: boolean;
  outside: boolean;
}

/** The quizzes that belong to the bot because these users have them. */
export function broughtQuizzes(users: readonly User[], facts: BoundFacts): ReadonlySet<string> {
  const bringing = users.filter((user) => bringsQuizzes(user, facts));
  return new Set(bringing.flatMap(({ quizzes }) => quizzes.map(({ quiz_id }) => quiz_id)));
}

/** @param users those to whom a quiz is assigned */
export function isWithOthers(users: readonly User[], facts: BoundFacts): boolean {
  return users.some((user) => personBelonging(user, facts) === 'others');
}

/**
 * To whom a quiz belongs.
 *
 * @param quiz.groupIds the groups that it is assigned to; undefined where they are not known
 * @param quiz.isMade whether this bot made it, or unassigned it last
 */
export function quizBelonging(
  { groupIds, assigned, isMade }: { groupIds: ReadonlySet<string> | undefined; assigned: Assigned; isMade: boolean },
  bound: ReadonlySet<string>,
): Belonging {
  const ids = [...(groupIds ?? [])];
  const isOurs = isMade || assigned.inside || ids.some((id) => bound.has(id));
  const isOthers = groupIds === undefined || assigned.outside || ids.some((id) => !bound.has(id));
  return isOurs ? (isOthers ? 'shared' : 'own') : 'others';
}

/** Users of the whole account. */
export interface EveryUser {
  byId: (userId: string) => User | undefined;
  /** Those who have the address as user name or e-mail address. */
  withAddress: (address: string) => readonly User[];
}

/** Whether a response to a quiz that belongs so to the bot belongs to it, too. */
export function responseBelongs(
  response: Pick<QuizResponse, 'user_id' | 'user_name' | 'email_address'>,
  quiz: Belonging,
  users: EveryUser,
  facts: BoundFacts,
): boolean {
  if (quiz === 'others') return false;
  const { user_id: userId, user_name: userName } = response;
  if (userId !== null && userId !== '') {
    const user = users.byId(userId);
    return user !== undefined && personBelonging(user, facts) !== 'others';
  }
  const addresses = [userName ?? '', response.email_address].filter(isFullAddress);
  const people = addresses.flatMap((address) => users.withAddress(foldAddress(address)));
  return people.length === 0 ? quiz === 'own' : people.every((user) => personBelonging(user, facts) !== 'others');
}

/** The record without what does not belong to the bot. A trainer of other quizzes alone still does not train every quiz. */
export function shownUser<Shown extends User>(
  user: Shown,
  facts: BoundFacts,
  isShown: (quizId: string) => boolean,
): Shown {
  const ofBound = <Item extends { group_id: string }>(items: readonly Item[]) =>
    kept(items, ({ group_id }) => facts.groupIds.has(group_id));
  const groups = ofBound(user.groups);
  const trainergroups = ofBound(user.trainergroups);
  const quizzes = bringsQuizzes(user, facts)
    ? user.quizzes
    : kept(user.quizzes as readonly Shown['quizzes'][number][], ({ quiz_id }) => isShown(quiz_id));
  const trained = kept(user.trainerquizzes, ({ quiz_id }) => isShown(quiz_id));
  const trainerquizzes = trained.length === 0 && user.trainerquizzes.length > 0 ? [unknownQuiz] : trained;
  const isSame =
    groups === user.groups &&
    trainergroups === user.trainergroups &&
    quizzes === user.quizzes &&
    trainerquizzes === user.trainerquizzes;
  return isSame ? user : { ...user, groups, trainergroups, quizzes, trainerquizzes };
}

const unknownQuiz = { quiz_id: '', name: '' };

/** The items that are kept; the array itself where these are all. */
function kept<Item>(items: readonly Item[], keeps: (item: Item) => boolean): Item[] {
  return items.every(keeps) ? (items as Item[]) : items.filter(keeps);
}

function idsOf({ groups, trainergroups }: Grouped): string[] {
  return [...groups, ...trainergroups].map(({ group_id }) => group_id);
}

function isIn({ groups }: Pick<User, 'groups'>, ids: ReadonlySet<string>): boolean {
  return groups.some(({ group_id }) => ids.has(group_id));
}

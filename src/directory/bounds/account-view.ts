import type { Group, User } from '../../quiz-api/users.ts';
import type { QuizResponse } from '../../quiz-api/responses.ts';
import { hasAddress } from '../identity.ts';
import type { NameIndex } from '../name-index.ts';
import type { QuizGroups } from '../quiz-groups.ts';
import type { MadeHere } from './made-here.ts';
import type { UsersByGroup } from './users-by-group.ts';
import {
  broughtQuizzes,
  bringsQuizzes,
  findGroups,
  isWithOthers,
  personBelonging,
  quizBelonging,
  responseBelongs,
  shownUser,
  type Belonging,
  type BoundFacts,
  type BoundGroups,
} from './rule.ts';

/** The account as a bot for some groups sees it, by the lists as they were read last. */
export interface AccountView {
  facts: BoundFacts;
  /** The groups that the bot is for. */
  groups: readonly Group[];
  unresolved: BoundGroups['unresolved'];
  quiz(quizId: string): Belonging;
  person(user: User): Belonging;
  shown<Shown extends User>(user: Shown): Shown;
  response(response: Pick<QuizResponse, 'user_id' | 'user_name' | 'email_address'>, quiz: Belonging): boolean;
  /** The users who belong to the bot, as they are shown; undefined for another list than that of the view. */
  people(users: readonly User[]): readonly User[] | undefined;
  /** Any user of the account. */
  userById(userId: string): User | undefined;
}

export function accountView(
  names: readonly string[],
  {
    groups,
    users,
    byGroup,
    index,
    quizGroups,
    made,
  }: {
    groups: readonly Group[];
    users: readonly User[];
    byGroup: UsersByGroup;
    index: NameIndex<User>;
    quizGroups: Pick<QuizGroups, 'known'>;
    made: Pick<MadeHere, 'hasQuiz' | 'hasUser'>;
  },
): AccountView {
  const { ids, unresolved } = findGroups(names, groups);
  const facts: BoundFacts = { groupIds: ids, isMade: made.hasUser };
  const shownAlike = new WeakMap<User, User>();
  let whole: readonly User[] | undefined;
  let people: readonly User[] | undefined;
  let brought: ReadonlySet<string> | undefined;

  /** The users who belong to the bot, with what others have of them. */
  function wholePeople(): readonly User[] {
    whole ??= [...byGroup.of(ids), ...byGroup.ungrouped.filter(made.hasUser)];
    return whole;
  }

  function quiz(quizId: string): Belonging {
    brought ??= broughtQuizzes(wholePeople(), facts);
    const assigned = { inside: brought.has(quizId), outside: isWithOthers(byGroup.having(quizId), facts) };
    return quizBelonging({ groupIds: quizGroups.known(quizId), assigned, isMade: made.hasQuiz(quizId) }, ids);
  }

  function shown<Shown extends User>(user: Shown): Shown {
    const known = shownAlike.get(user);
    if (known !== undefined) return known as Shown;
    const next = shownUser(user, facts, (quizId) => quiz(quizId) !== 'others');
    // What shows of others depends on quizzes, of which more may be known the next time.
    if (user.trainerquizzes.length === 0 && bringsQuizzes(user, facts)) shownAlike.set(user, next);
    return next;
  }

  const everyUser = {
    byId: index.byId,
    withAddress: (address: string) => index.named(address).filter((user) => hasAddress(user, address)),
  };

  return {
    facts,
    groups: groups.filter(({ group_id }) => ids.has(group_id)),
    unresolved,
    quiz,
    person: (user) => personBelonging(user, facts),
    shown,
    people(list) {
      if (list !== users) return undefined;
      people ??= wholePeople().map(shown);
      return people;
    },
    response: (response, belonging) => responseBelongs(response, belonging, everyUser, facts),
    userById: index.byId,
  };
}

import type { Group, User } from '../../quiz-api/users.ts';
import type { QuizResponse } from '../../quiz-api/responses.ts';
import { hasAddress } from '../identity.ts';
import type { NameIndex } from '../name-index.ts';
import type { QuizGroups } from '../quiz-groups.ts';
import type { MadeHere } from './made-here.ts';
import {
  assignedQuizzes,
  bringsQuizzes,
  findGroups,
  personBelonging,
  quizBelonging,
  responseBelongs,
  shownUser,
  type Assigned,
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
  /** Any user of the account. */
  userById(userId: string): User | undefined;
}

export function accountView(
  names: readonly string[],
  {
    groups,
    users,
    index,
    quizGroups,
    made,
  }: {
    groups: readonly Group[];
    users: readonly User[];
    index: NameIndex<User>;
    quizGroups: Pick<QuizGroups, 'known'>;
    made: Pick<MadeHere, 'hasQuiz' | 'hasUser'>;
  },
): AccountView {
  const { ids, unresolved } = findGroups(names, groups);
  const facts: BoundFacts = { groupIds: ids, isMade: made.hasUser };
  const shownAlike = new WeakMap<User, User>();
  let assigned: ReadonlyMap<string, Assigned> | undefined;

  function quiz(quizId: string): Belonging {
    assigned ??= assignedQuizzes(users, facts);
    const groupIds = quizGroups.known(quizId);
    return quizBelonging({ groupIds, assigned: assigned.get(quizId), isMade: made.hasQuiz(quizId) }, ids);
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
    shown<Shown extends User>(user: Shown): Shown {
      const known = shownAlike.get(user);
      if (known !== undefined) return known as Shown;
      const shown = shownUser(user, facts, (quizId) => quiz(quizId) !== 'others');
      // What shows of others depends on quizzes, of which more may be known the next time.
      if (user.trainerquizzes.length === 0 && bringsQuizzes(user, facts)) shownAlike.set(user, shown);
      return shown;
    },
    response: (response, belonging) => responseBelongs(response, belonging, everyUser, facts),
    userById: index.byId,
  };
}

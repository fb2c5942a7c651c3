import type { Group } from '../quiz-api/groups.ts';
import type { User } from '../quiz-api/users.ts';
import { nameFor } from './fields/user.ts';
import { defineOperation } from './operation.ts';
import { progressOf } from './results/progress.ts';

export const showMissing = defineOperation({
  name: 'show-missing',
  command: '/quiz missing <quiz> in [group]',
  summary: 'List who has not taken a quiz yet',
  access: 'read',
  right: 'edit_quizzes',
  submit: 'List people',
  fields: {
    quiz: { kind: 'quiz', label: 'Quiz' },
    group: { kind: 'group', label: 'Group', hint: 'Only people in this group', byName: true, optional: true },
  },
  async run({ api, directory, visibility, takeLink, call }, { quiz, group }) {
    const [users, groups, responses] = await Promise.all([
      directory.users.fresh(call),
      api.quizzes.groups(quiz.quiz_id, call),
      api.responses.list(quiz.quiz_id, call),
    ]);
    directory.quizGroups.put(quiz.quiz_id, groups);
    const assigned = users.filter((user) => hasQuiz(user, quiz.quiz_id, groups) && (group === undefined || isIn(user, [group])) && visibility.userByName(user));
    const active = assigned.filter(({ suspended }) => !suspended);
    const progress = progressOf(active, responses);
    const isMissing = (user: User) => progress.get(user.user_id) === 'not taken' || progress.get(user.user_id) === 'begun';
    return {
      kind: 'missing',
      quiz,
      group,
      assigned: active.length,
      suspended: assigned.length - active.length,
      missing: active
        .filter(isMissing)
        .map((user) => ({ name: nameFor(user, visibility), hasBegun: progress.get(user.user_id) === 'begun' }))
        .toSorted((a, b) => a.name.localeCompare(b.name)),
      takeLink: takeLink(quiz.quiz_id),
    };
  },
});

/** Whether the quiz is assigned to the user, directly or through one of these groups. */
export function hasQuiz(user: User, quizId: string, groups: readonly Pick<Group, 'group_id'>[]): boolean {
  return user.quizzes.some(({ quiz_id }) => quiz_id === quizId) || isIn(user, groups);
}

function isIn(user: User, groups: readonly Pick<Group, 'group_id'>[]): boolean {
  return user.groups.some((own) => groups.some(({ group_id }) => group_id !== '' && group_id === own.group_id));
}

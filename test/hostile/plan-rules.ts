import {
  managesGroup,
  managesUser,
  namesGroup,
  namesUser,
  seesQuiz,
  standingOf,
  trains,
  type Decision,
} from './rules.ts';
import type { RowChange, State } from './state.ts';

/** Whether a person may have a row of many changes carried out (README.md, “Approvals”). */
export function decisionOnRow(state: State, personId: string, { table, before, after }: RowChange): Decision {
  const standing = standingOf(state, personId);
  const row = { ...before, ...after };
  const user = state.users.get(String(row['user_id']));
  if (!standing.isStaff) return 'no';
  switch (table) {
    case 'users': {
      if (user === undefined || !managesUser(standing, user)) return 'no';
      return after?.['suspended'] === 1 || user.user_type !== 'respondent' ? 'asks' : 'at once';
    }
    case 'user_groups':
      return managesGroup(standing, String(row['group_id'])) ? 'at once' : 'no';
    case 'user_quizzes':
    case 'group_quizzes': {
      const isNamed =
        table === 'group_quizzes'
          ? namesGroup(standing, String(row['group_id']))
          : user !== undefined && namesUser(standing, user);
      if (!standing.edits || !isNamed || !seesQuiz(state, standing, String(row['quiz_id']))) return 'no';
      const taking =
        table === 'user_quizzes'
          ? [user!]
          : [...state.users.values()].filter(({ groups }) => groups.has(String(row['group_id'])));
      return taking.every((someone) => trains(standing, someone)) ? 'at once' : 'asks';
    }
    default:
      return 'no';
  }
}

/** Whether a person may decide on another person’s request to start a plan. */
export function mayDecideOnPlan(state: State, reviewerId: string, requesterId: string): boolean {
  const [reviewer, requester] = [standingOf(state, reviewerId), standingOf(state, requesterId)];
  const isSame =
    reviewerId === requesterId || (reviewer.user !== undefined && reviewer.user.user_id === requester.user?.user_id);
  return !isSame && reviewer.isAdministrator;
}

import {
  managesGroup,
  managesUser,
  namesGroup,
  namesUser,
  policyFor,
  seesQuiz,
  standingOf,
  trains,
  type Decision,
  type Intent,
} from './rules.ts';
import type { RowChange, State } from './state.ts';

/** The single change that a row of a batch or campaign stands for; undefined for rows that stand for none. */
function singleOf({ table, before, after }: RowChange): Intent | undefined {
  const row = { ...before, ...after };
  const [user, group, quiz] = [String(row['user_id']), String(row['group_id']), String(row['quiz_id'])];
  switch (table) {
    case 'users': {
      if (after === null) return undefined;
      if (before === null) {
        const flags = ['edit_quizzes', 'manage_users', 'manage_groups'].filter((flag) => after[flag] === 1);
        return { operation: 'create-user', values: { user_type: [String(after['user_type'])], flags } };
      }
      if (before['suspended'] === after['suspended']) return { operation: 'update-user', user };
      return { operation: after['suspended'] === 1 ? 'suspend-user' : 'reinstate-user', user };
    }
    case 'user_groups':
      return { operation: after === null ? 'remove-from-group' : 'add-to-group', user, group };
    case 'campaign_members':
      return { operation: 'assign-quiz', quiz, assignees: [user] };
    case 'user_quizzes':
    case 'group_quizzes':
      return {
        operation: after === null ? 'unassign-quiz' : 'assign-quiz',
        quiz,
        assignees: [table === 'user_quizzes' ? user : group],
      };
    default:
      return undefined;
  }
}

/** What the table says of a row for its owner and its target as they are, alone or as a part of a campaign. */
export function decisionNow(state: State, ownerId: string, change: RowChange, isOfCampaign: boolean): Decision {
  const intent = singleOf(change);
  const decision = intent === undefined ? 'no' : policyFor(state, ownerId, intent);
  if (!isOfCampaign) return decision;
  const standing = standingOf(state, ownerId);
  if (decision === 'no' || !standing.edits) return 'no';
  const taking = (intent?.assignees ?? []).flatMap((id) => {
    const user = state.users.get(id);
    return user ? [user] : [...state.users.values()].filter(({ groups }) => groups.has(id));
  });
  return taking.every((user) => trains(standing, user)) ? 'at once' : 'asks';
}

/** What an approval was given for: a row runs while its target looks like this. */
export function shownOf(state: State, { table, before }: RowChange): string {
  const target = table === 'users' && before !== null ? state.users.get(String(before['user_id'])) : undefined;
  if (target === undefined) return '';
  const { user_type, edit_quizzes, manage_users, manage_groups, suspended, user_name, email_address } = target;
  return JSON.stringify([user_type, edit_quizzes, manage_users, manage_groups, suspended, user_name, email_address]);
}

/** Whether a plan with this row has to be asked for when it is started (docs/permissions-and-approvals.md). */
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

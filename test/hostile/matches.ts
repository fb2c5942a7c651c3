import type { Intent } from './rules.ts';
import type { RowChange, State } from './state.ts';

type Column = RowChange['after'];

const text = (row: Column, column: string) => String(row?.[column] ?? '');

/** The columns that a change of a row changes. */
export function changedColumns({ before, after }: RowChange): string[] {
  return Object.keys({ ...before, ...after }).filter((column) => before?.[column] !== after?.[column]);
}

/** A name for what a change does: two changes with the same name do the same. */
export function keyOf(change: RowChange): string {
  const { table, before, after } = change;
  const row = { ...before, ...after };
  if (before === null && ['users', 'quizzes', 'subscriptions'].includes(table)) return `${table} +`;
  const ids = ['subscription_id', 'user_id', 'quiz_id', 'group_id', 'response_id'].flatMap((column) =>
    row[column] ? [String(row[column])] : [],
  );
  const direction = before === null ? '+' : after === null ? '-' : changedColumns(change).join();
  return `${table} ${direction} ${ids.join(' ')}`;
}

/** Whether the change follows from the deletion of a user or quiz, which takes its assignments and attempts along. */
export function followsFrom(change: RowChange, deletions: readonly RowChange[]): boolean {
  const { table, before } = change;
  if (before === null || table === 'users' || table === 'quizzes') return false;
  return deletions.some((deletion) =>
    (['user_id', 'quiz_id'] as const).some(
      (column) => deletion.before?.[column] && deletion.before[column] === before[column],
    ),
  );
}

const deletions = new Set(['delete-user', 'erase-person']);

/** Whether an intent, carried out, makes this change. */
export function makes(intent: Intent, change: RowChange, before: State): boolean {
  const { operation, values = {}, assignees = [] } = intent;
  const { table, after } = change;
  const row = after ?? change.before;
  const isAdded = change.before === null;
  const isRemoved = after === null;
  switch (table) {
    case 'users':
      if (isAdded) return operation === 'create-user' && isNewUser(values, after);
      if (isRemoved)
        return (
          (deletions.has(operation) || (operation === 'take-back-user' && text(row, 'user_name').startsWith('new.'))) &&
          intent.user === text(row, 'user_id')
        );
      return intent.user === text(row, 'user_id') && isUpdate(intent, change);
    case 'quizzes':
      if (isAdded)
        return operation === 'create-quiz'
          ? values['name']?.[0] === text(after, 'name')
          : operation === 'copy-quiz' && isCopy(intent, after, before);
      if (intent.quiz !== text(row, 'quiz_id')) return false;
      if (isRemoved)
        return operation === 'delete-quiz' || (operation === 'take-back-quiz' && text(row, 'name').startsWith('New '));
      if (changedColumns(change).join() === 'name')
        return operation === 'rename-quiz' && values['name']?.[0] === text(after, 'name');
      return (
        changedColumns(change).join() === 'status' &&
        operation === (text(after, 'status') === 'open' ? 'open-quiz' : 'close-quiz')
      );
    case 'user_quizzes':
      return (
        operation === (isAdded ? 'assign-quiz' : 'unassign-quiz') &&
        intent.quiz === text(row, 'quiz_id') &&
        assignees.includes(text(row, 'user_id'))
      );
    case 'group_quizzes':
      if (intent.quiz !== text(row, 'quiz_id')) return false;
      if (operation === (isAdded ? 'assign-to-group' : 'unassign-from-group'))
        return intent.group === text(row, 'group_id');
      return operation === (isAdded ? 'assign-quiz' : 'unassign-quiz') && assignees.includes(text(row, 'group_id'));
    case 'user_groups':
      return (
        operation === (isAdded ? 'add-to-group' : 'remove-from-group') &&
        intent.user === text(row, 'user_id') &&
        intent.group === text(row, 'group_id')
      );
    case 'subscriptions':
      return isChangeOfAlerts(intent, change);
    case 'responses':
      return (
        isRemoved &&
        operation === 'delete-response' &&
        intent.response === text(row, 'response_id') &&
        intent.quiz === text(row, 'quiz_id')
      );
    default:
      return false;
  }
}

/** Whether an operation starts a plan. */
export function isStart({ operation }: Intent): boolean {
  return operation === 'run-batch' || operation === 'run-campaign';
}

/**
 * Whether the preview that an intent makes has the change of a row.
 *
 * @param then the states that the preview may show: a campaign writes to the members of a group as they were then
 */
export function isPlanned(
  { operation, group, quiz, values = {}, assignees = [] }: Intent,
  change: RowChange,
  then: readonly State[],
): boolean {
  const { table, before, after } = change;
  const isOfAssignee = assignees.some(
    (id) => id === text(after ?? before, 'user_id') || id === text(after ?? before, 'group_id'),
  );
  switch (operation) {
    case 'import-users':
      return table === 'users' && after !== null && isInFile(values['file']?.[0] ?? '', change);
    case 'assign-quiz':
    case 'unassign-quiz':
      return (
        (table === 'user_quizzes' || table === 'group_quizzes') &&
        (before === null) === (operation === 'assign-quiz') &&
        text(after ?? before, 'quiz_id') === quiz &&
        isOfAssignee
      );
    case 'add-to-group':
    case 'remove-from-group':
      return (
        table === 'user_groups' &&
        (before === null) === (operation === 'add-to-group') &&
        text(after ?? before, 'group_id') === group &&
        isOfAssignee
      );
    case 'suspend-group':
    case 'suspend-departed':
    case 'reinstate-group':
      return (
        table === 'users' &&
        before !== null &&
        after !== null &&
        changedColumns(change).join() === 'suspended' &&
        (after['suspended'] === 1) === (operation !== 'reinstate-group')
      );
    case 'empty-group':
      return table === 'user_groups' && after === null && text(before, 'group_id') === group;
    case 'start-campaign':
    case 'require-quiz':
      return before === null && text(after, 'quiz_id') === quiz && isForCampaign(change, assignees, then);
    default:
      return false;
  }
}

/** Whether people or groups have the change as those who are named for a campaign. */
export function isForCampaign(
  { table, after }: RowChange,
  assignees: readonly string[],
  then: readonly State[],
): boolean {
  const user = text(after, 'user_id');
  switch (table) {
    case 'user_quizzes':
    case 'campaign_members':
      return (
        assignees.includes(user) ||
        then.some(({ users }) => assignees.some((id) => users.get(user)?.groups.has(id) === true))
      );
    case 'group_quizzes':
      return assignees.includes(text(after, 'group_id'));
    default:
      return false;
  }
}

/** Whether a file to import has a line for a user: the columns are those of `many-flow.ts`. */
function isInFile(file: string, { before, after }: RowChange): boolean {
  const lines = file.split('\n').map((line) => line.split(','));
  const line = lines.find(([userName = '']) => userName.toLowerCase() === text(after, 'user_name').toLowerCase());
  if (line === undefined) return false;
  const [, address, , , type] = line;
  if (before === null) return type === text(after, 'user_type');
  const columns = changedColumns({ table: 'users', before, after });
  return columns.every((column) => column === 'email_address' && text(after, column) === address);
}

function isChangeOfAlerts(
  { operation, quiz = '', channel, subscription, at = '' }: Intent,
  change: RowChange,
): boolean {
  const { before, after } = change;
  if (before === null)
    return (
      operation === 'subscribe-channel' &&
      text(after, 'channel_id') === (channel ?? at) &&
      text(after, 'quiz_id') === quiz
    );
  // Where nothing is typed, it is the only subscription of the channel.
  const isMeant =
    subscription === undefined ? text(before, 'channel_id') === at : text(before, 'subscription_id') === subscription;
  if (!isMeant) return false;
  if (after === null) return operation === 'unsubscribe-channel';
  return (
    changedColumns(change).join() === 'pause' &&
    operation === (after['pause'] === null ? 'resume-alerts' : 'pause-alerts')
  );
}

function isCopy(intent: Intent, after: Column, before: State): boolean {
  const name = intent.values?.['name']?.[0];
  const original = before.quizzes.get(intent.quiz ?? '')?.name;
  return name === undefined
    ? original !== undefined && text(after, 'name').includes(original)
    : name === text(after, 'name');
}

const flagColumns = ['edit_quizzes', 'manage_users', 'manage_groups'];

function isNewUser(values: NonNullable<Intent['values']>, row: Column): boolean {
  const given = (field: string) => values[field]?.[0]?.trim() ?? '';
  return (
    given('user_name') === text(row, 'user_name') &&
    (given('user_type') || 'respondent') === text(row, 'user_type') &&
    flagColumns.every((flag) => (values['flags']?.includes(flag) ?? false) === (row?.[flag] === 1)) &&
    given('email_address') === text(row, 'email_address') &&
    (values['suspended']?.length ?? 0) > 0 === (row?.['suspended'] === 1)
  );
}

function isUpdate({ operation, values = {} }: Intent, change: RowChange): boolean {
  const columns = changedColumns(change);
  switch (operation) {
    case 'suspend-user':
    case 'reinstate-user':
      return columns.join() === 'suspended' && (change.after?.['suspended'] === 1) === (operation === 'suspend-user');
    case 'reset-password':
      return columns.join() === 'password_hash';
    case 'update-user':
      return columns.every((column) => {
        const given = values[column]?.[0]?.trim();
        // The service takes the rights of a user who becomes a respondent, also those that the same change gives: they apply to no such
        // user (specification, section 2.4).
        if (flagColumns.includes(column) && change.after?.['user_type'] === 'respondent' && change.after[column] === 0)
          return true;
        if (flagColumns.includes(column)) return given === (change.after?.[column] === 1 ? 'true' : 'false');
        return (
          given === text(change.after, column) ||
          (text(change.after, column) === '' && (values['empty']?.includes(column) ?? false))
        );
      });
    default:
      return false;
  }
}

const shownColumns = [
  'first_name',
  'last_name',
  'user_name',
  'email_address',
  'user_type',
  'suspended',
  'edit_quizzes',
  'manage_users',
  'manage_groups',
] as const;

/** What a reviewer has to see of the targets: an approval holds for targets that look like this. */
export function fingerprint({ operation, user, quiz }: Intent, state: State): string {
  const target = user === undefined ? undefined : state.users.get(user);
  const shown = shownColumns.map((column) => target?.[column]);
  const lost = operation === 'delete-quiz' ? [...state.responses.values()].filter((of) => of === quiz).length : 0;
  return JSON.stringify([
    shown,
    deletions.has(operation) ? target?.quizzes.size : 0,
    quiz === undefined ? null : state.quizzes.get(quiz),
    lost,
  ]);
}

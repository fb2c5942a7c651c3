import { say } from '../../../domain/said.ts';
import { publicName } from '../../../directory/names.ts';
import type { BatchPlan, BatchRow, ChangeRow } from '../../../domain/batch.ts';
import type { Group, User } from '../../../quiz-api/users.ts';
import type { OperationContext } from '../../../operations/context.ts';
import type { Operation } from '../../../operations/operation.ts';
import { judgedPlan, rowOf, sameRow } from '../../../operations/planned-rows.ts';
import type { TextInput } from '../../../operations/text-input.ts';
import { batchWords } from './batch-words.ts';

type RowChange = NonNullable<ChangeRow['undo']>;
/** Adding to a group or removing from it, and what takes it back. */
export interface MemberChange {
  change: RowChange;
  undo: RowChange;
  isAdded: boolean;
}

type Named = Pick<Operation, 'name'>;

export const joins = ({ name }: Named): RowChange => ({ operation: name, words: say`joins the group` });
export const leaves = ({ name }: Named): RowChange => ({ operation: name, words: say`leaves the group` });

/** Works out how many users are added to a group, or removed from it. Reads the list of users. */
export async function planMembers(
  context: OperationContext,
  { user: chosen, group }: { user: readonly User[]; group: Group },
  { change, undo, isAdded }: MemberChange,
): Promise<{ plan: BatchPlan; entered: TextInput }> {
  const { directory, call } = context;
  await directory.users.fresh(call);
  const users = await directory.users.names(call);
  const rows = chosen.map((known): BatchRow => {
    const user = users.byId(known.user_id) ?? known;
    return isMember(user, group) === isAdded ? sameRow(user) : userRow(user, change, undo, group);
  });
  const changed = rows.filter(({ kind }) => kind !== 'none').length;
  const plan = await judgedPlan(context, {
    operation: change.operation,
    ...(isAdded ? batchWords.fillGroup : batchWords.emptyGroup)(changed, group.group_name),
    rows,
  });
  return { plan, entered: { user: chosen.map(({ user_id }) => user_id), group: [group.group_id] } };
}

/** The rows of a change of few members, by what the bot knows of them: each is made, whatever that is. */
export function memberRows(
  { user: users, group }: { user: readonly User[]; group: Group },
  { change, undo, isAdded }: MemberChange,
): ChangeRow[] {
  return users.map((user) => {
    const { undo: taken, ...row } = userRow(user, change, undo, group);
    return isMember(user, group) === isAdded || taken === undefined ? row : { ...row, undo: taken };
  });
}

function isMember({ groups }: User, { group_id: id }: Group): boolean {
  return groups.some(({ group_id }) => group_id === id);
}

/** The row that changes a user. */
export function userRow(user: User, { operation, words }: RowChange, undo: RowChange, group?: Group): ChangeRow {
  const { user_id: userId } = user;
  const input = { user: [userId], ...(group && { group: [group.group_id] }) };
  return rowOf(operation, input, { name: publicName(user), words, undo, userId });
}

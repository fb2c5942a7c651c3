import { publicName } from '../../../directory/names.ts';
import type { BatchPlan, BatchRow, ChangeRow } from '../../../domain/batch.ts';
import type { Group, User } from '../../../quiz-api/users.ts';
import type { OperationContext } from '../../../operations/context.ts';
import type { Operation } from '../../../operations/operation.ts';
import { judgedPlan, rowOf, sameRow } from '../../../operations/planned-rows.ts';
import type { TextInput } from '../../../operations/text-input.ts';
import { batchWords } from './batch-words.ts';

type RowChange = NonNullable<ChangeRow['undo']>;
type Named = Pick<Operation, 'name'>;

export const joins = ({ name }: Named): RowChange => ({ operation: name, words: 'joins the group' });
export const leaves = ({ name }: Named): RowChange => ({ operation: name, words: 'leaves the group' });

/** Works out how many users are added to a group, or removed from it. Reads the list of users. */
export async function planMembers(
  context: OperationContext<'judge'>,
  { user: chosen, group }: { user: readonly User[]; group: Group },
  { change, undo, isAdded }: { change: RowChange; undo: RowChange; isAdded: boolean },
): Promise<{ plan: BatchPlan; entered: TextInput }> {
  const { directory, call } = context;
  await directory.users.fresh(call);
  const users = await directory.users.names(call);
  const rows = chosen.map((known): BatchRow => {
    const user = users.byId(known.user_id) ?? known;
    const isMember = user.groups.some(({ group_id }) => group_id === group.group_id);
    return isMember === isAdded ? sameRow(user) : userRow(user, change, undo, group);
  });
  const changed = rows.filter(({ kind }) => kind !== 'none').length;
  const plan = await judgedPlan(context, {
    operation: change.operation,
    action: isAdded
      ? batchWords.fillGroup(changed, group.group_name)
      : batchWords.emptyGroup(changed, group.group_name),
    rows,
  });
  return { plan, entered: { user: chosen.map(({ user_id }) => user_id), group: [group.group_id] } };
}

/** The row that changes a user. */
export function userRow(user: User, { operation, words }: RowChange, undo: RowChange, group?: Group): BatchRow {
  const { user_id: userId } = user;
  const input = { user: [userId], ...(group && { group: [group.group_id] }) };
  return rowOf(operation, input, { name: publicName(user), words, undo, userId });
}

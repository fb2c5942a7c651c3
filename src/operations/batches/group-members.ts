import { publicName } from '../../directory/names.ts';
import type { BatchPlan, BatchRow } from '../../domain/batch.ts';
import type { Group } from '../../quiz-api/groups.ts';
import type { User } from '../../quiz-api/users.ts';
import type { OperationContext } from '../context.ts';
import { InvalidInputError } from '../errors.ts';
import { defineOperation } from '../operation.ts';
import type { OperationResult } from '../operation-result.ts';
import type { TextInput } from '../text-input.ts';
import { batchWords } from '../wording/batches.ts';
import { batchPreview } from './batch-preview.ts';

const fields = { group: { kind: 'group', label: 'Group' } } as const;

export const suspendGroup = defineOperation({
  name: 'suspend-group',
  command: '/quiz-user suspend-group <group>',
  summary: 'Suspend everyone in a group, with approval; shows what would happen first',
  access: 'read',
  right: 'manage_users',
  submit: 'Preview',
  fields,
  run: (context, { group }) =>
    planFor(context, group, {
      operation: 'suspend-group',
      action: batchWords.suspendGroup,
      row: (user) =>
        user.suspended
          ? same(user)
          : user.user_id === context.actor.user?.user_id
            ? skipped(user, batchWords.ownSuspension)
            : ownUser(context, user, 'suspend'),
      approval: () => 'privileged',
    }),
});

export const reinstateGroup = defineOperation({
  name: 'reinstate-group',
  command: '/quiz-user reinstate-group <group>',
  summary: 'Let everyone in a group sign in again; shows what would happen first',
  access: 'read',
  right: 'manage_users',
  submit: 'Preview',
  fields,
  run: (context, { group }) =>
    planFor(context, group, {
      operation: 'reinstate-group',
      action: batchWords.reinstateGroup,
      row: (user) => (user.suspended ? ownUser(context, user, 'reinstate') : same(user)),
      // As for a single user.
      approval: (staff) => (staff.length > 0 ? 'privileged' : null),
    }),
});

export const emptyGroup = defineOperation({
  name: 'empty-group',
  command: '/quiz-group empty <group>',
  summary: 'Remove everyone from a group; shows what would happen first',
  access: 'read',
  right: 'manage_groups',
  submit: 'Preview',
  fields,
  run: (context, { group }) =>
    planFor(context, group, {
      operation: 'empty-group',
      action: batchWords.emptyGroup,
      row: (user) => ({ kind: 'leave-group', userId: user.user_id, groupId: group.group_id, name: publicName(user) }),
      approval: () => null,
    }),
});

interface Change {
  operation: string;
  action: (count: number, group: string) => string;
  row: (user: User) => BatchRow;
  /** @param staff the names of trainers and administrators who change */
  approval: (staff: readonly string[]) => BatchPlan['approval'];
}

async function planFor(
  context: OperationContext,
  group: Group,
  { operation, action, row, approval }: Change,
): Promise<OperationResult> {
  const users = await context.directory.users.fresh(context.call);
  const members = users.filter(({ groups }) => groups.some(({ group_id }) => group_id === group.group_id));
  if (members.length === 0) throw new InvalidInputError('group', 'Nobody is in this group.');
  const rows = members.map(row);
  const changed = rows.filter(({ kind }) => kind !== 'none').length;
  const privileged = members
    .filter((user, index) => user.user_type !== 'respondent' && rows[index]?.kind !== 'none')
    .map(publicName);
  const plan: BatchPlan = {
    kind: 'batch',
    operation,
    action: action(changed, group.group_name),
    rows,
    approval: approval(privileged),
    privileged,
  };
  return batchPreview(context, plan, { entered: { group: [group.group_id] } });
}

/** Works out how many users are added to a group, or removed from it. Reads the list of users. */
export async function planMembers(
  { directory, rights, call }: OperationContext,
  { user: chosen, group }: { user: readonly User[]; group: Group },
  change: 'join-group' | 'leave-group',
): Promise<{ plan: BatchPlan; entered: TextInput }> {
  await directory.users.fresh(call);
  const users = await directory.users.names(call);
  const isMember = (user: User) => user.groups.some(({ group_id }) => group_id === group.group_id);
  const rows = chosen.map(({ user_id }, at): BatchRow => {
    const user = users.byId(user_id) ?? chosen[at]!;
    return isMember(user) === (change === 'join-group')
      ? same(user)
      : { kind: change, userId: user_id, groupId: group.group_id, name: publicName(user) };
  });
  const changed = rows.filter(({ kind }) => kind !== 'none').length;
  const isAdded = change === 'join-group';
  const action = isAdded
    ? batchWords.fillGroup(changed, group.group_name)
    : batchWords.emptyGroup(changed, group.group_name);
  const plan: BatchPlan = {
    kind: 'batch',
    operation: isAdded ? 'add-to-group' : 'remove-from-group',
    action,
    rows,
    approval: rights.has('manage_groups') ? null : 'privileged',
  };
  return { plan, entered: { user: chosen.map(({ user_id }) => user_id), group: [group.group_id] } };
}

function ownUser({ visibility }: OperationContext, user: User, kind: 'suspend' | 'reinstate'): BatchRow {
  return visibility.user(user)
    ? { kind, userId: user.user_id, name: publicName(user) }
    : skipped(user, batchWords.notManaged);
}

function same(user: User): BatchRow {
  return { kind: 'none', outcome: { kind: 'same', userId: user.user_id }, name: publicName(user) };
}

function skipped(user: User, error: string): BatchRow {
  return { kind: 'none', outcome: { kind: 'skipped', error }, name: publicName(user) };
}

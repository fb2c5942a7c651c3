import { say } from '../../../domain/said.ts';
import { markedName, publicName } from '../../../directory/names.ts';
import type { BatchPlan, BatchRow } from '../../../domain/batch.ts';
import type { Group, User } from '../../../quiz-api/records.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { InvalidInputError } from '../../../operations/text-input.ts';
import { defineOperation, ofPreview } from '../../../operations/operation.ts';
import type { OperationResult } from '../../../operations/page.ts';
import { batchWords } from './batch-words.ts';
import { addToGroup, removeFromGroup } from '../../groups/groups.ts';
import { judgedPlan, sameRow, skippedRow, previewOf } from '../../../operations/define-plan.ts';
import { reinstateUser, suspendUser } from '../../users/state.ts';
import { joins, leaves, userRow } from './plan-many.ts';

const suspending = { operation: suspendUser.name, words: say`suspended` };
const reinstating = { operation: reinstateUser.name, words: say`reinstated` };

const ofGroup = { ...ofPreview, fields: { group: { kind: 'group', label: 'Group' } } } as const;

export const suspendGroup = defineOperation({
  name: 'suspend-group',
  opposite: 'reinstate-group',
  command: '/quiz-user suspend-group <group>',
  synonyms: ['deactivate-group', 'disable-group', 'block-group', 'unreinstate-group'],
  summary: 'Suspend everyone in a group, with approval; shows what would happen first',
  ...ofGroup,
  right: 'manage_users',
  run: (context, { group }) =>
    planFor(context, group, {
      operation: 'suspend-group',
      words: batchWords.suspendGroup,
      row: (user) =>
        user.suspended
          ? sameRow(user)
          : user.user_id === context.actor.user?.user_id
            ? skippedRow(publicName(user), batchWords.ownSuspension)
            : userRow(user, suspending, reinstating),
      // More is lost by it than by a single suspension, so administrators ask, too.
      needsApproval: true,
    }),
});

export const reinstateGroup = defineOperation({
  name: 'reinstate-group',
  opposite: 'suspend-group',
  command: '/quiz-user reinstate-group <group>',
  synonyms: ['unsuspend-group', 'activate-group', 'reactivate-group', 'enable-group', 'unblock-group', 'restore-group'],
  summary: 'Let everyone in a group sign in again; shows what would happen first',
  ...ofGroup,
  right: 'manage_users',
  run: (context, { group }) =>
    planFor(context, group, {
      operation: 'reinstate-group',
      words: batchWords.reinstateGroup,
      row: (user) => (user.suspended ? userRow(user, reinstating, suspending) : sameRow(user)),
    }),
});

export const emptyGroup = defineOperation({
  name: 'empty-group',
  command: '/quiz-group empty <group>',
  synonyms: ['clear'],
  summary: 'Remove everyone from a group; shows what would happen first',
  ...ofGroup,
  right: 'manage_groups',
  run: (context, { group }) =>
    planFor(context, group, {
      operation: 'empty-group',
      words: batchWords.emptyGroup,
      row: (user) => userRow(user, leaves(removeFromGroup), joins(addToGroup), group),
    }),
});

interface Change {
  operation: string;
  words: (count: number, group: string) => Pick<BatchPlan, 'action' | 'done'>;
  row: (user: User) => BatchRow;
  /** Whoever starts it. */
  needsApproval?: true;
}

async function planFor(
  context: OperationContext,
  group: Group,
  { words, row, ...draft }: Change,
): Promise<OperationResult> {
  const users = await context.directory.users.fresh(context.call);
  const members = users.filter(({ groups }) => groups.some(({ group_id }) => group_id === group.group_id));
  if (members.length === 0) throw new InvalidInputError('group', say`Nobody is in this group.`);
  const rows = members.map(row);
  const changed = rows.filter(({ kind }) => kind !== 'none').length;
  const privileged = members
    .filter((user, index) => user.user_type !== 'respondent' && rows[index]?.kind !== 'none')
    .map(markedName);
  const plan = await judgedPlan(context, { ...draft, ...words(changed, group.group_name), rows, privileged });
  return previewOf(context, plan, { operation: draft.operation, input: { group: [group.group_id] } });
}

import { amount, say } from '../../../domain/said.ts';
import type { BatchPlan } from '../../../domain/batch.ts';
import { importUsers } from '../../imports/import-users.ts';
import type { DoneResult } from '../../../operations/operation-result.ts';
import { startOperation, viewOperation } from '../../../operations/plans/start-plan.ts';
import { changesSince, privilegedRows } from './review-rows.ts';

export const runBatch = startOperation<BatchPlan, 'batches' | 'rowsNow'>({
  name: 'run-batch',
  command: '/quiz-admin run <plan>',
  summary: 'Start many changes as their preview shows them',
  title: say`Start changes`,
  right: 'staff',
  uses: ['batches', 'rowsNow'],
  of: 'batch',
  label: 'Change',
  action: ({ action }) => action,
  effect(content) {
    const count = content.rows.filter(({ kind }) => kind !== 'none').length;
    const privileged = content.rows.filter((row) => row.kind === 'change' && row.needsApproval).length;
    const about =
      content.operation === importUsers.name
        ? amongThem(privileged, rightsGiven)
        : amongThem(content.privileged?.length ?? 0, ofStaff);
    const changes =
      count === 1
        ? say`The bot would make one change.`
        : say`The bot would make ${amount(count)} changes, one after the other.`;
    return [changes, ...about].join(' ');
  },
  done: started,
  now: async (context, content) => ({
    privileged: privilegedRows(content),
    changes: await changesSince(content, context),
  }),
  async start({ batches, approval }, content, by) {
    await batches.start(content, by, approval);
    return started(content);
  },
});

function started({ action }: BatchPlan): DoneResult {
  const message = say`Started to ${action}. A direct message from the bot shows the progress.`;
  return { kind: 'done', message, isStarted: true };
}

const rightsGiven = (count: number) =>
  count === 1
    ? say`1 of them gives someone rights or changes an existing user.`
    : say`${amount(count)} of them give someone rights or change an existing user.`;
const ofStaff = (count: number) =>
  count === 1
    ? say`1 of the people is a trainer or administrator.`
    : say`${amount(count)} of the people are trainers or administrators.`;

function amongThem(count: number, sentence: (count: number) => string): string[] {
  return count === 0 ? [] : [sentence(count)];
}

export const showRows = viewOperation({
  name: 'show-rows',
  command: '/quiz-admin preview <plan>',
  summary: 'Show every row in the preview of many changes',
  title: say`Preview`,
  right: 'staff',
  of: 'batch',
  label: 'Change',
});

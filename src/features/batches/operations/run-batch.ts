import { amount, say } from '../../../domain/said.ts';
import type { BatchPlan, BatchRow } from '../../../domain/batch.ts';
import { shortName } from '../../../domain/short-name.ts';
import { pagedPart } from '../../../operations/next-step.ts';
import type { Page } from '../../../operations/page.ts';
import { listedName } from '../../../operations/wording/shown-name.ts';
import { capitalized } from '../../../operations/wording/words.ts';
import { importUsers } from '../../imports/import-users.ts';
import type { DoneResult } from '../../../operations/operation-result.ts';
import { startOperation, viewOperation } from '../../../operations/plans/start-plan.ts';
import { rowChange } from './batch-words.ts';
import { changesSince, privilegedFirst, privilegedRows } from './review-rows.ts';

export const runBatch = startOperation<BatchPlan>({
  name: 'run-batch',
  command: '/quiz-admin run <plan>',
  summary: 'Start many changes as their preview shows them',
  title: say`Start changes`,
  right: 'staff',
  rules: [
    { name: 'many changes at once, where one of them needs approval', when: ({ approval }) => approval !== null },
  ],
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

export const showRows = viewOperation<BatchPlan>({
  name: 'show-rows',
  command: '/quiz-admin preview <plan>',
  summary: 'Show every row in the preview of many changes',
  title: say`Preview`,
  right: 'staff',
  of: 'batch',
  label: 'Change',
  page: plannedRowsPage,
});

/** Every row of a preview, page by page. For the person who made it and for those who decide: it holds addresses. */
export function plannedRowsPage(id: string, plan: BatchPlan, wanted: number): Page {
  return {
    heading: say`📋 ${capitalized(plan.action)}`,
    parts: [
      pagedPart(
        { name: 'show-rows' },
        { plan: [id] },
        {
          items: privilegedFirst(plan),
          wanted,
          line: (row) => say`• ${listedName(row.name, true)}${addressOf(row)} · ${rowChange(row)}`,
        },
      ),
    ],
  };
}

/** The address that a row gives a user. */
function addressOf(row: BatchRow): string {
  if (row.kind === 'none') return '';
  const [{ input }] = row.changes;
  const address = input['email_address']?.[0] ?? input['user_name']?.[0];
  return address === undefined ? '' : say` (${shortName(address, 60)})`;
}

import { amount, say, shortName, capitalized } from '../../../domain/said.ts';
import type { BatchPlan, BatchRow } from '../../../domain/batch.ts';
import { listedName } from '../../../operations/wording/shown-name.ts';
import { importUsers } from '../../imports/import-users.ts';
import type { DoneResult } from '../../../operations/page.ts';
import { definePlan } from '../../../operations/define-plan.ts';
import { goneMessage } from '../../../operations/fields/kept.ts';
import { invalid, valueOf } from '../../../operations/fields/field-kind.ts';
import { batchPlanPage } from '../pages/batches.ts';
import { rowChange } from './batch-words.ts';
import { changesSince, privilegedFirst, privilegedRows } from './control-batch.ts';

export const runBatch = definePlan<BatchPlan>({
  kind: 'batch',
  name: 'run-batch',
  command: '/quiz-admin run <plan>',
  summary: 'Start many changes as their preview shows them',
  title: say`Start changes`,
  right: 'staff',
  rules: [
    { name: 'many changes at once, where one of them needs approval', when: ({ approval }) => approval !== null },
  ],
  label: 'Change',
  isEmpty: ({ rows }) => rows.every(({ kind }) => kind === 'none'),
  describe: ({ action }) => action,
  targets: () => [],
  async judge(content, { judge }) {
    const now = await judge(content.rows);
    const refused = now.rows.find((row, at) => row.kind === 'none' && content.rows[at]?.kind === 'change');
    if (refused?.kind === 'none' && now.rows.every(({ kind }) => kind === 'none'))
      return invalid(refused.outcome.error ?? goneMessage);
    // A person who has changed since the preview is left out when their turn comes: the others need no approval.
    const asksNow = content.rows.some((row, at) => asksAsShown(row, now.rows[at]!));
    return valueOf(asksNow ? { ...content, approval: 'privileged' } : content);
  },
  page: batchPlanPage,
  whole: plannedRows,
  startedMessage: say`This was started already. Your direct messages with the bot show how far it is.`,
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

function asksAsShown(before: BatchRow, now: BatchRow): boolean {
  return before.kind === 'change' && now.kind === 'change' && now.needsApproval === true && now.shown === before.shown;
}

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

/** Every row of a preview. For the person who made it and for those who decide: it holds addresses. */
function plannedRows(plan: BatchPlan): { heading: string; lines: string[] } {
  return {
    heading: say`📋 ${capitalized(plan.action)}`,
    lines: privilegedFirst(plan).map(
      (row) => say`• ${listedName(row.name, true)}${addressOf(row)} · ${rowChange(row)}`,
    ),
  };
}

/** The address that a row gives a user. */
function addressOf(row: BatchRow): string {
  if (row.kind === 'none') return '';
  const [{ input }] = row.changes;
  const address = input['email_address']?.[0] ?? input['user_name']?.[0];
  return address === undefined ? '' : say` (${shortName(address, 60)})`;
}

import type { Button, ContextBlock } from '@slack/types';
import { operationNamed } from '../../operations/catalog.ts';
import { runBatch } from '../../operations/batches/run-batch.ts';
import { durationOf } from '../../operations/row-cost.ts';
import { roughDuration } from '../../operations/wording/rough-duration.ts';
import { showRows } from '../../operations/batches/show-rows.ts';
import { rowChange } from '../../operations/wording/batches.ts';
import type { TextInput } from '../../operations/text-input.ts';
import { capitalized } from '../../operations/wording/words.ts';
import type { BatchRow } from '../../domain/batch.ts';
import type { OperationResult } from '../../operations/operation-result.ts';
import { namedList } from '../../domain/sentence.ts';
import { countOf } from './amounts.ts';
import { operationButton } from './buttons.ts';
import { pageButtons, pageOf } from './pages.ts';
import { listedName } from './shown-name.ts';
import { buttonRow } from './item-actions.ts';
import type { Message } from './message.ts';
import { context, md, section, sections, sentenceMrkdwn, shortText, type Mrkdwn } from './mrkdwn.ts';

type Same = (count: number) => Mrkdwn;
const staying: Same = (count) => md`${countOf(count, 'person stays as they are', 'people stay as they are')}`;

/** About those for whom nothing changes, by operation. */
const sameLines: Readonly<Record<string, Same>> = {
  'assign-quiz': (count) => md`${count.toLocaleString('en')} ${count === 1 ? 'has' : 'have'} the quiz already`,
  'unassign-quiz': (count) => md`${count.toLocaleString('en')} ${count === 1 ? 'doesn’t' : 'don’t'} have the quiz`,
  'add-to-group': (count) => md`${count.toLocaleString('en')} ${count === 1 ? 'is' : 'are'} in the group already`,
  'remove-from-group': (count) => md`${count.toLocaleString('en')} ${count === 1 ? 'isn’t' : 'aren’t'} in the group`,
  'suspend-group': (count) => md`${count.toLocaleString('en')} ${count === 1 ? 'is' : 'are'} suspended already`,
  'reinstate-group': (count) => md`${count.toLocaleString('en')} ${count === 1 ? 'isn’t' : 'aren’t'} suspended`,
};

/** What many changes would do, with a button that starts them. */
export function batchPlanMessage({
  id,
  plan,
  entered,
  warning,
}: Extract<OperationResult, { kind: 'batch-plan' }>): Message {
  const { rows, action, approval, privileged = [] } = plan;
  const leftOut = rows.filter((row) => row.kind === 'none' && row.outcome.kind === 'skipped');
  const same = rows.filter((row) => row.kind === 'none' && row.outcome.kind === 'same');
  const reasons = Map.groupBy(leftOut, (row) => (row.kind === 'none' ? (row.outcome.error ?? '') : ''));
  const heading =
    id === undefined
      ? md`ℹ️ Nothing would change.`
      : md`📋 ${sentenceMrkdwn(`${capitalized(action)}.`)} Nothing happens until you start it.`;
  const lines = [
    ...(privileged.length > 0
      ? [md`• Trainers and administrators among them: ${sentenceMrkdwn(namedList(privileged, 20))}`]
      : []),
    ...(same.length > 0 ? [md`• ${(sameLines[plan.operation] ?? staying)(same.length)}`] : []),
    ...[...reasons].map(
      ([reason, left]) =>
        md`• Left out: ${sentenceMrkdwn(
          namedList(
            left.map(({ name }) => name),
            10,
          ),
        )}. ${sentenceMrkdwn(reason)}`,
    ),
    ...(warning === undefined ? [] : [md`⚠️ ${sentenceMrkdwn(warning)}`]),
  ];
  const footer = id === undefined ? [] : footerOf(durationOf(rows), approval !== null);
  const button = { operation: runBatch, raw: { plan: [id ?? ''] }, style: 'primary' } as const;
  const start =
    approval === null
      ? operationButton('start', { ...button, text: 'Start', doing: 'replace' })
      : operationButton('start', { ...button, text: 'Request approval…', doing: 'form' });
  return {
    text: heading.mrkdwn,
    blocks: [
      section(heading),
      ...sections(lines),
      ...footer,
      ...buttonRow([...(id === undefined ? [] : [...start, ...viewAll(id)]), ...changeButton(plan.operation, entered)]),
    ],
  };
}

/** What a preview says below: how long it takes, and whether another person decides. */
export function footerOf(durationMs: number, needsApproval: boolean): ContextBlock[] {
  return [
    context(md`It takes ${roughDuration(durationMs)}.${needsApproval ? ' Someone else has to approve this.' : ''}`),
  ];
}

/** Opens the form with what was entered, where a button can hold it. */
function changeButton(name: string, entered: TextInput | undefined): Button[] {
  const operation = operationNamed(name);
  return operation && entered
    ? operationButton('change', { text: 'Change…', doing: 'form', operation, raw: entered })
    : [];
}

/** Opens every row of a preview. */
function viewAll(plan: string): Button[] {
  return operationButton('all', { text: 'View all', doing: 'modal', operation: showRows, raw: { plan: [plan] } });
}

/** Every row of a preview, page by page. For the person who made it and for those who decide: it holds addresses. */
export function plannedRowsMessage({
  id,
  action,
  rows,
  page: wanted,
}: Extract<OperationResult, { kind: 'planned-rows' }>): Message {
  const { shown, page, pages } = pageOf(rows, wanted);
  const heading = md`📋 ${sentenceMrkdwn(capitalized(action))}`;
  const lines = shown.map(
    (row) => md`• ${listedName(row.name, true)}${addressOf(row)} · ${sentenceMrkdwn(rowChange(row), 200)}`,
  );
  return {
    text: heading.mrkdwn,
    blocks: [
      section(heading),
      ...sections(lines),
      ...(pages > 1 ? [context(md`Page ${page} of ${pages}`)] : []),
      ...buttonRow(pageButtons(showRows, { plan: [id] }, { page, pages })),
    ],
  };
}

/** The address by which a row makes or changes a user. */
function addressOf(row: BatchRow): Mrkdwn {
  if (row.kind !== 'create' && row.kind !== 'update') return md``;
  const { userName, emailAddress } = row.user;
  const isShown = row.kind === 'create' || row.changes.includes('userName') || row.changes.includes('emailAddress');
  return isShown ? md` (${shortText(emailAddress || userName, 60)})` : md``;
}

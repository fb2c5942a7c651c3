import { runBatch } from '../../operations/batches/run-batch.ts';
import type { OperationResult } from '../../operations/operation-result.ts';
import { namedList } from '../../domain/sentence.ts';
import { countOf } from './amounts.ts';
import { operationButton } from './buttons.ts';
import { buttonRow } from './item-actions.ts';
import type { Message } from './message.ts';
import { context, md, section, sections, sentenceMrkdwn } from './mrkdwn.ts';

/** What many changes would do, with a button that starts them. */
export function batchPlanMessage({ id, plan }: Extract<OperationResult, { kind: 'batch-plan' }>): Message {
  const { rows, action, approval, privileged = [] } = plan;
  const leftOut = rows.filter((row) => row.kind === 'none' && row.outcome.kind === 'skipped');
  const same = rows.filter((row) => row.kind === 'none' && row.outcome.kind === 'same');
  const reasons = Map.groupBy(leftOut, (row) => (row.kind === 'none' ? (row.outcome.error ?? '') : ''));
  const heading = id === undefined ? md`ℹ️ Nothing would change.` : md`📋 ${sentenceMrkdwn(`${action.charAt(0).toUpperCase()}${action.slice(1)}.`)} Nothing happens until you start it.`;
  const lines = [
    ...(privileged.length > 0 ? [md`• Trainers and administrators among them: ${sentenceMrkdwn(namedList(privileged, 20))}`] : []),
    ...(same.length > 0 ? [md`• ${countOf(same.length, 'person stays', 'people stay')} as they are.`] : []),
    ...[...reasons].map(([reason, left]) => md`• Left out: ${sentenceMrkdwn(namedList(left.map(({ name }) => name), 10))}. ${sentenceMrkdwn(reason)}`),
  ];
  const button = { operation: runBatch, raw: { plan: [id ?? ''] }, style: 'primary' } as const;
  const start = approval === null ? operationButton('start', { ...button, text: 'Start', doing: 'replace' }) : operationButton('start', { ...button, text: 'Request approval…', doing: 'form' });
  return {
    text: heading.mrkdwn,
    blocks: [section(heading), ...sections(lines), ...(approval === null || id === undefined ? [] : [context(md`Someone else has to approve this.`)]), ...(id === undefined ? [] : buttonRow(start))],
  };
}

import type { ContextBlock } from '@slack/types';
import { operationNamed } from '../../../operations/catalog.ts';
import { durationOf } from '../../../operations/planned-rows.ts';
import { roughDuration } from '../../../operations/wording/rough-duration.ts';
import { capitalized } from '../../../operations/wording/words.ts';
import type { BatchPlan } from '../../../domain/batch.ts';
import type { PlanPreview } from '../../../operations/operation-result.ts';
import { namedList } from '../../../domain/sentence.ts';
import { countOf, say } from '../../../domain/said.ts';
import { planButtons } from './plan-buttons.ts';
import { buttonRow } from '../blocks/item-actions.ts';
import type { Message } from '../blocks/message.ts';
import { context, section, sections } from '../blocks/mrkdwn.ts';

/** About those for whom nothing changes. */
function sameLine(operation: string, count: number): string {
  return (
    operationNamed(operation)?.alreadySo?.(count) ??
    countOf(count, 'person stays as they are', 'people stay as they are')
  );
}

/** What many changes would do, with a button that starts them. */
export function batchPlanMessage(preview: PlanPreview<BatchPlan>): Message {
  const { plan, canStart, warning } = preview;
  const { rows, action, privileged = [] } = plan;
  const leftOut = rows.filter((row) => row.kind === 'none' && row.outcome.kind === 'skipped');
  const same = rows.filter((row) => row.kind === 'none' && row.outcome.kind === 'same');
  const reasons = Map.groupBy(leftOut, (row) => (row.kind === 'none' ? (row.outcome.error ?? '') : ''));
  const heading = canStart
    ? say`📋 ${`${capitalized(action)}.`} Nothing happens until you start it.`
    : say`ℹ️ Nothing would change.`;
  const lines = [
    ...(privileged.length > 0 ? [say`• Trainers and administrators among them: ${namedList(privileged, 20)}`] : []),
    ...(same.length > 0 ? [say`• ${sameLine(plan.operation, same.length)}`] : []),
    ...[...reasons].map(
      ([reason, left]) =>
        say`• Left out: ${namedList(
          left.map(({ name }) => name),
          10,
        )}. ${reason}`,
    ),
    ...(warning === undefined ? [] : [say`⚠️ ${warning}`]),
  ];
  return {
    text: heading,
    blocks: [
      section(heading),
      ...sections(lines),
      ...(canStart ? footerOf(plan) : []),
      ...buttonRow(planButtons(preview)),
    ],
  };
}

/** What a preview says below: how long it takes, and whether another person decides. */
export function footerOf({ rows, approval }: Pick<BatchPlan, 'rows' | 'approval'>): ContextBlock[] {
  const duration = roughDuration(durationOf(rows));
  return [
    context(
      approval === null ? say`It takes ${duration}.` : say`It takes ${duration}. Someone else has to approve this.`,
    ),
  ];
}

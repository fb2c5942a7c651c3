import type { BatchPlan } from '../../../domain/batch.ts';
import type { Plan } from '../../../domain/plan.ts';
import { countOf, say } from '../../../domain/said.ts';
import { namedList } from '../../../domain/sentence.ts';
import { operationNamed } from '../../../operations/catalog.ts';
import { planKind } from '../../../operations/fields/plan.ts';
import { replaceStep } from '../../../operations/next-step.ts';
import type { BatchPreview } from '../../../operations/operation-result.ts';
import type { Item, Page } from '../../../operations/page.ts';
import { durationOf } from '../../../operations/planned-rows.ts';
import { planSteps } from '../../../operations/plans/preview.ts';
import { roughDuration } from '../../../operations/wording/rough-duration.ts';
import { capitalized } from '../../../operations/wording/words.ts';
import { moment } from '../../../time/date-words.ts';
import { importPlanPage } from '../../imports/pages.ts';
import { reopenPreview } from '../operations/reopen-preview.ts';

/** What a plan would do, with the buttons that start and change it. */
export function batchPreviewPage(preview: BatchPreview): Page {
  const { plan, imported, canStart } = preview;
  return {
    ...(imported ? importPlanPage(preview, imported) : batchPlanPage(preview)),
    notes: canStart ? [footerOf(plan)] : [],
  };
}

function batchPlanPage(preview: BatchPreview): Page {
  const { plan, canStart, warning } = preview;
  const { rows, action, operation, privileged = [] } = plan;
  const leftOut = rows.filter((row) => row.kind === 'none' && row.outcome.kind === 'skipped');
  const same = rows.filter((row) => row.kind === 'none' && row.outcome.kind === 'same').length;
  const reasons = Map.groupBy(leftOut, (row) => (row.kind === 'none' ? (row.outcome.error ?? '') : ''));
  return {
    heading: canStart
      ? say`📋 ${`${capitalized(action)}.`} Nothing happens until you start it.`
      : say`ℹ️ Nothing would change.`,
    parts: [
      {
        lines: [
          privileged.length > 0 && say`• Trainers and administrators among them: ${namedList(privileged, 20)}`,
          same > 0 && say`• ${sameWords(operation, same)}`,
          ...[...reasons].map(([reason, left]) => {
            const names = left.map(({ name }) => name);
            return say`• Left out: ${namedList(names, 10)}. ${reason}`;
          }),
          warning !== undefined && say`⚠️ ${warning}`,
        ],
      },
    ],
    steps: planSteps(preview),
  };
}

/** About those for whom nothing changes. */
function sameWords(operation: string, count: number): string {
  return (
    operationNamed(operation)?.alreadySo?.(count) ??
    countOf(count, 'person stays as they are', 'people stay as they are')
  );
}

/** How long it takes, and whether another person decides. */
function footerOf({ rows, approval }: BatchPlan): string {
  const duration = roughDuration(durationOf(rows));
  return approval === null ? say`It takes ${duration}.` : say`It takes ${duration}. Someone else has to approve this.`;
}

/** The previews that a person made and did not start, each with a button that shows it again. */
export function openPreviewItems(plans: readonly Plan[], _timeZone: string): Item[] {
  return plans.map((plan) => {
    const what = capitalized(planKind.describe(plan, { kind: 'plan', of: 'batch', label: '' }));
    return {
      line: say`📋 ${what}\nPreview of ${moment(plan.createdAt)}, not started`,
      steps: [replaceStep(say`Open preview`, reopenPreview, { plan: [plan.id] })],
    };
  });
}

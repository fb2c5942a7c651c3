import type { BatchPlan, BatchProgress, BatchState } from '../../../domain/batch.ts';
import type { Plan } from '../../../domain/plan.ts';
import { amount, countOf, joinSaid, say, namedList, capitalized } from '../../../domain/said.ts';
import { planKind } from '../../../operations/fields/kept.ts';
import { replaceStep, runStep, type Item, type Page } from '../../../operations/page.ts';
import { durationOf, planSteps, type Shown } from '../../../operations/define-plan.ts';
import { roughDuration } from '../../../operations/wording/words.ts';
import { moment } from '../../../time/date-words.ts';
import { importPlanPage } from '../../imports/pages.ts';
import {
  reopenPreview,
  batchResult,
  cancelBatch,
  pauseBatch,
  resumeBatch,
  undoBatch,
} from '../operations/control-batch.ts';
import { progressBar } from '../../../operations/wording/result-words.ts';
import { progressCounts } from '../operations/batch-words.ts';

/** What many changes would do, with the buttons that start and change them. */
export function batchPlanPage(plan: BatchPlan, shown: Shown): Page {
  const { canStart, warning } = shown;
  const notes = canStart ? [footerOf(plan)] : [];
  if (plan.imported) return { ...importPlanPage(plan, plan.imported, shown), notes };
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
          same > 0 &&
            say`• ${sameWords[operation]?.(same) ?? countOf(same, 'person stays as they are', 'people stay as they are')}`,
          ...[...reasons].map(([reason, left]) => {
            const names = left.map(({ name }) => name);
            return say`• Left out: ${namedList(names, 10)}. ${reason}`;
          }),
          warning !== undefined && say`⚠️ ${warning}`,
        ],
      },
    ],
    steps: planSteps(plan, shown),
    notes,
  };
}

/** Those for whom nothing changes, by the operation. */
const sameWords: Readonly<Record<string, (count: number) => string>> = {
  'suspend-group': areSuspended,
  'suspend-departed': areSuspended,
  'reinstate-group': (count) => say`${amount(count)} ${count === 1 ? 'isn’t' : 'aren’t'} suspended`,
  'assign-quiz': (count) => say`${amount(count)} ${count === 1 ? 'has' : 'have'} the quiz already`,
  'unassign-quiz': (count) => say`${amount(count)} ${count === 1 ? 'doesn’t' : 'don’t'} have the quiz`,
  'add-to-group': (count) => say`${amount(count)} ${count === 1 ? 'is' : 'are'} in the group already`,
  'remove-from-group': (count) => say`${amount(count)} ${count === 1 ? 'isn’t' : 'aren’t'} in the group`,
};

function areSuspended(count: number): string {
  return say`${amount(count)} ${count === 1 ? 'is' : 'are'} suspended already`;
}

/** How long it takes, and whether another person decides. */
function footerOf({ rows, approval }: BatchPlan): string {
  const duration = roughDuration(durationOf(rows));
  return approval === null ? say`It takes ${duration}.` : say`It takes ${duration}. Someone else has to approve this.`;
}

/** The previews that a person made and did not start, each with a button that shows it again. */
export function openPreviewItems(plans: readonly Plan[]): Item[] {
  return plans.map((plan) => {
    const what = capitalized(planKind.describe(plan, { kind: 'plan', of: 'batch', label: '' }));
    return {
      line: say`📋 ${what}\nPreview of ${moment(plan.createdAt)}, not started`,
      steps: [replaceStep(say`Open preview`, reopenPreview, { plan: [plan.id] })],
    };
  });
}

const icons: Readonly<Record<BatchState, string>> = {
  running: '⏳',
  paused: '⏸️',
  stopped: '⚠️',
  cancelled: '🚫',
  finished: '✅',
};

const actions = {
  pause: [say`Pause`, pauseBatch],
  resume: [say`Resume`, resumeBatch],
  cancel: [say`Cancel`, cancelBatch],
  result: [say`Get result`, batchResult],
  undo: [say`Undo…`, undoBatch],
} as const;

const offered: Readonly<Record<BatchState, readonly (keyof typeof actions)[]>> = {
  running: ['pause', 'cancel'],
  paused: ['resume', 'cancel'],
  stopped: ['resume', 'cancel', 'result'],
  cancelled: ['result', 'undo'],
  finished: ['result', 'undo'],
};

/** How far many changes are, with buttons for their owner. */
export function batchProgressPage(progress: BatchProgress): Page {
  const {
    batch: { action, done, state, id, endedAt },
    problem,
    withoutPassword = 0,
    needApproval = 0,
    canUndo,
  } = progress;
  const isWhole = state === 'finished' && progress.failed === 0 && progress.skipped === 0;
  const title = say`${icons[state]} ${capitalized((isWhole && done) || action)}`;
  const counts = progressCounts(progress).join(' · ');
  const lines = [
    title,
    say`${progressBar(shareOf(progress))} ${counts}`,
    problem !== undefined && (state === 'stopped' ? say`Stopped: ${problem}` : problem),
    needApproval > 0 && needsApprovalLine(needApproval),
    withoutPassword > 0 &&
      say`⚠️ The bot couldn’t message ${countOf(withoutPassword, 'new user', 'new users')}, so they have no password yet. *Get result* shows who; *Passwords to print* sets theirs.`,
  ];
  const isEnding = state === 'cancelled' && endedAt === null;
  const names = isEnding ? [] : offered[state].filter((name) => name !== 'undo' || canUndo === true);
  return {
    heading: joinSaid(lines, '\n'),
    notification: say`${title}: ${counts}`,
    steps: names.map((name) => runStep(...actions[name], { batch: [id] })),
    notes: [endOf(progress)],
  };
}

function needsApprovalLine(count: number): string {
  return count === 1
    ? say`⚠️ 1 change wasn’t made because it needs approval. *Get result* shows which.`
    : say`⚠️ ${amount(count)} changes weren’t made because they need approval. *Get result* shows which.`;
}

/** What was cancelled stays empty. */
function shareOf({ total, done, failed }: BatchProgress): number {
  return total === 0 ? 1 : (done + failed) / total;
}

function endOf({ readyAt, batch: { state, endedAt } }: BatchProgress): string | undefined {
  if (endedAt !== null) {
    const at = moment(endedAt);
    return state === 'cancelled' ? say`Cancelled ${at}` : say`Finished ${at}`;
  }
  if (state === 'paused') return say`Paused. What is done stays done.`;
  return readyAt === undefined || state === 'stopped' ? undefined : say`Expected to finish ${moment(readyAt)}`;
}

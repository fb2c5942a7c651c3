import type { BatchProgress, BatchState } from '../../../domain/batch.ts';
import { amount, countOf, joinSaid, say } from '../../../domain/said.ts';
import { runStep } from '../../../operations/next-step.ts';
import type { Page } from '../../../operations/page.ts';
import { progressBar } from '../../../operations/wording/result-words.ts';
import { capitalized } from '../../../operations/wording/words.ts';
import { moment } from '../../../time/date-words.ts';
import { progressCounts } from '../operations/batch-words.ts';
import { batchResult, cancelBatch, pauseBatch, resumeBatch, undoBatch } from '../operations/control-batch.ts';

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
    batch: { action, state, id, endedAt },
    problem,
    withoutPassword = 0,
    needApproval = 0,
    canUndo,
  } = progress;
  const title = say`${icons[state]} ${capitalized(action)}`;
  const counts = progressCounts(progress).join(' · ');
  const lines = [
    title,
    say`${progressBar(shareOf(progress))} ${counts}`,
    ...(problem === undefined ? [] : [state === 'stopped' ? say`Stopped: ${problem}` : problem]),
    ...(needApproval > 0 ? [needsApprovalLine(needApproval)] : []),
    ...(withoutPassword > 0
      ? [
          say`⚠️ The bot couldn’t message ${countOf(withoutPassword, 'new user', 'new users')}, so they have no password yet. *Get result* shows who; *Passwords to print* sets theirs.`,
        ]
      : []),
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

import { moment } from '../../../time/date-words.ts';
import type { Button } from '@slack/types';
import type { Announcement } from '../../../domain/announcement.ts';
import type { BatchProgress, BatchState } from '../../../domain/batch.ts';
import {
  batchResult,
  cancelBatch,
  pauseBatch,
  resumeBatch,
  undoBatch,
} from '../../../features/batches/operations/control-batch.ts';
import { progressCounts } from '../../../features/batches/operations/batch-words.ts';
import { amount, countOf, say, joinSaid } from '../../../domain/said.ts';
import { capitalized } from '../../../operations/wording/words.ts';
import { operationButton, type OperationButton } from '../blocks/buttons.ts';
import { buttonRow } from '../blocks/item-actions.ts';
import type { Message } from '../blocks/message.ts';
import { context, section } from '../blocks/mrkdwn.ts';
import { printPasswordsButton } from '../users/password.ts';
import { progressBar } from '../../../operations/wording/result-words.ts';

const icons: Readonly<Record<BatchState, string>> = {
  running: '⏳',
  paused: '⏸️',
  stopped: '⚠️',
  cancelled: '🚫',
  finished: '✅',
};

const actions = {
  pause: { text: say`Pause`, doing: 'beside', operation: pauseBatch },
  resume: { text: say`Resume`, doing: 'beside', operation: resumeBatch },
  cancel: { text: say`Cancel`, doing: 'beside', operation: cancelBatch },
  result: { text: say`Get result`, doing: 'beside', operation: batchResult },
  undo: { text: say`Undo…`, doing: 'beside', operation: undoBatch },
} as const satisfies Record<string, Omit<OperationButton, 'raw'>>;

const offered: Readonly<Record<BatchState, readonly (keyof typeof actions)[]>> = {
  running: ['pause', 'cancel'],
  paused: ['resume', 'cancel'],
  stopped: ['resume', 'cancel', 'result'],
  cancelled: ['result', 'undo'],
  finished: ['result', 'undo'],
};

/** How far many changes are, with buttons for their owner. */
export function batchProgressMessage({ progress }: Extract<Announcement, { kind: 'batch-progress' }>): Message {
  const {
    batch: { action, state },
    problem,
    withoutPassword = 0,
    needApproval = 0,
  } = progress;
  const heading = say`${icons[state]} ${capitalized(action)}`;
  const lines = [
    heading,
    say`${progressBar(shareOf(progress))} ${countsOf(progress)}`,
    ...(problem === undefined ? [] : [state === 'stopped' ? say`Stopped: ${problem}` : problem]),
    ...(needApproval > 0 ? [needsApprovalLine(needApproval)] : []),
    ...(withoutPassword > 0 ? [unreachedLine(withoutPassword)] : []),
  ];
  const end = endOf(progress);
  return {
    text: `${heading}: ${countsOf(progress)}`,
    blocks: [
      section(joinSaid(lines, '\n')),
      ...(end ? [context(end)] : []),
      ...buttonRow([...buttonsFor(progress), ...printButton(progress)]),
    ],
  };
}

function buttonsFor({ batch: { id, state, endedAt }, canUndo }: BatchProgress) {
  const isEnding = state === 'cancelled' && endedAt === null;
  const names = isEnding ? [] : offered[state].filter((name) => name !== 'undo' || canUndo === true);
  return names.flatMap((name) => operationButton(name, { ...actions[name], raw: { batch: [id] } }));
}

/** For new users whom no message reached. The service mails a password only with the creation of a user. */
function printButton({ batch: { id, endedAt }, withoutPassword = 0 }: BatchProgress): Button[] {
  return endedAt !== null && withoutPassword > 0
    ? [printPasswordsButton(say`Passwords to print…`, { batch: id, after: -1 })]
    : [];
}

function needsApprovalLine(count: number): string {
  return count === 1
    ? say`⚠️ 1 change wasn’t made because it needs approval. *Get result* shows which.`
    : say`⚠️ ${amount(count)} changes weren’t made because they need approval. *Get result* shows which.`;
}

function unreachedLine(count: number): string {
  return say`⚠️ The bot couldn’t message ${countOf(count, 'new user', 'new users')}, so they have no password yet. *Get result* shows who; *Passwords to print* sets theirs.`;
}

/** What was cancelled stays empty. */
function shareOf({ total, done, failed }: BatchProgress): number {
  return total === 0 ? 1 : (done + failed) / total;
}

function countsOf(progress: BatchProgress): string {
  return say`${progressCounts(progress).join(' · ')}`;
}

function endOf({ readyAt, batch: { state, endedAt } }: BatchProgress): string | undefined {
  if (endedAt !== null) {
    const at = moment(endedAt, 'UTC');
    return state === 'cancelled' ? say`Cancelled ${at}` : say`Finished ${at}`;
  }
  if (state === 'paused') return say`Paused. What is done stays done.`;
  return readyAt === undefined || state === 'stopped' ? undefined : say`Expected to finish ${moment(readyAt, 'UTC')}`;
}

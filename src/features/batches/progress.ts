import type { BatchProgress, BatchRow, ChangeRow, DoneOf, RowOutcome } from '../../domain/batch.ts';
import { importUsers } from '../imports/import-users.ts';
import { durationOf } from '../../operations/planned-rows.ts';
import { countOf, outcomeOf, presentRow, type StoredBatch } from './stored-batch.ts';

/** How far a batch is. @param now in milliseconds since the epoch */
export function progressOf(state: StoredBatch, rows: readonly BatchRow[], now: number): BatchProgress {
  const {
    batch: { id, action, done, ownerId, state: condition, startedAt, endedAt },
    kinds,
    problem,
    notBefore,
  } = state;
  const planned = (kind: RowOutcome['kind']) =>
    rows.filter((row) => row.kind === 'none' && row.outcome.kind === kind).length;
  const total = rows.filter((row) => row.kind === 'change').length;
  const failed = countOf(state, 'failed');
  const canUndo = rows.some(
    (row, at) => outcomeOf(state, at).kind === 'done' && row.kind === 'change' && row.undo !== undefined,
  );
  const withoutPassword = Object.values(state.details).filter(({ isWithoutPassword }) => isWithoutPassword).length;
  const passwordsShown = Object.values(state.details).filter(({ isPasswordShown }) => isPasswordShown).length;
  const needApproval = Object.values(state.details).filter((detail) => detail.needsApproval).length;
  const present = presentRow(state);
  return {
    batch: { id, action, ...(done !== undefined && { done }), ownerId, state: condition, startedAt, endedAt },
    total: rows.length === 0 ? kinds.length : total,
    // A row that turns out to be as asked is done with.
    done: countOf(state, 'done') + countOf(state, 'same') - planned('same'),
    failed: failed - planned('failed'),
    ...(state.batch.operation === importUsers.name && {
      imported: {
        created: doneOf(state, rows, (row) => row.userId === undefined),
        updated: doneOf(state, rows, (row) => row.userId !== undefined),
        errors: failed,
      },
    }),
    skipped: countOf(state, 'skipped') - planned('skipped'),
    readyAt:
      condition === 'running'
        ? Math.max(now, notBefore) + durationOf(present === undefined ? [] : rows.slice(present))
        : undefined,
    ...(canUndo && { canUndo }),
    ...(needApproval > 0 && { needApproval }),
    ...(withoutPassword > 0 && { withoutPassword }),
    ...(passwordsShown > 0 && { passwordsShown }),
    ...(needsNewApproval(state, rows, now) && { needsNewApproval: true as const }),
    ...(problem !== undefined && { problem }),
  };
}

/** How many of the rows of one kind are done. */
function doneOf(state: StoredBatch, rows: readonly BatchRow[], isOne: (row: ChangeRow) => boolean): DoneOf {
  const some = rows.flatMap((row, at) => (row.kind === 'change' && isOne(row) ? [outcomeOf(state, at).kind] : []));
  return { done: some.filter((kind) => kind === 'done' || kind === 'same').length, total: some.length };
}

/** Whether a row that is left needs approval, and the approval has expired. */
function needsNewApproval(
  { batch: { approval }, kinds }: StoredBatch,
  rows: readonly BatchRow[],
  now: number,
): boolean {
  if (approval === undefined || now < approval.expiresAt) return false;
  return rows.some((row, at) => row.kind === 'change' && row.needsApproval && /[tw]/.test(kinds.charAt(at)));
}

import type { BatchProgress, BatchRow } from '../domain/batch.ts';
import { inverseOf } from '../operations/batches/control-batch.ts';
import { durationOf } from '../operations/row-cost.ts';
import { countOf, outcomeOf, presentRow, type StoredBatch } from './stored-batch.ts';

/** How far a batch is. @param now in milliseconds since the epoch */
export function progressOf(state: StoredBatch, rows: readonly BatchRow[], now: number): BatchProgress {
  const {
    batch: { id, action, ownerId, state: condition, startedAt, endedAt },
    kinds,
    problem,
    notBefore,
  } = state;
  const aside = rows.filter((row) => row.kind === 'none' && row.outcome.kind !== 'failed').length;
  const canUndo = rows.some((row, at) => outcomeOf(state, at).kind === 'done' && inverseOf(row) !== undefined);
  const withoutPassword = Object.values(state.details).filter(({ isWithoutPassword }) => isWithoutPassword).length;
  const present = presentRow(state);
  return {
    batch: { id, action, ownerId, state: condition, startedAt, endedAt },
    total: kinds.length - aside,
    done: countOf(state, 'done'),
    same: countOf(state, 'same'),
    failed: countOf(state, 'failed'),
    skipped: countOf(state, 'skipped'),
    readyAt:
      condition === 'running'
        ? Math.max(now, notBefore) + durationOf(present === undefined ? [] : rows.slice(present))
        : undefined,
    ...(canUndo && { canUndo }),
    ...(withoutPassword > 0 && { withoutPassword }),
    ...(problem !== undefined && { problem }),
  };
}

import type { BatchProgress, BatchRow } from '../domain/batch.ts';
import { backgroundDurationMs } from '../quiz-api/budget/background-duration.ts';
import { countOf, presentRow, type StoredBatch } from './stored-batch.ts';

/** The requests that a row costs where the service answers clearly. */
export function requestsOf(row: BatchRow): number {
  switch (row.kind) {
    case 'none':
      return 0;
    case 'create':
    case 'update':
      return 1 + row.user.groups.length + row.user.quizzes.length;
    default:
      return 1;
  }
}

/** How far a batch is. @param now in milliseconds since the epoch */
export function progressOf(state: StoredBatch, rows: readonly BatchRow[], now: number): BatchProgress {
  const { batch: { id, action, ownerId, state: condition, startedAt, endedAt }, kinds, problem, notBefore } = state;
  const same = countOf(state, 'same');
  const withoutPassword = Object.values(state.details).filter(({ isWithoutPassword }) => isWithoutPassword).length;
  const present = presentRow(state);
  const requests = present === undefined ? 0 : rows.slice(present).reduce((sum, row) => sum + requestsOf(row), 0);
  return {
    batch: { id, action, ownerId, state: condition, startedAt, endedAt },
    total: kinds.length,
    done: countOf(state, 'done') + same,
    same,
    failed: countOf(state, 'failed'),
    skipped: countOf(state, 'skipped'),
    readyAt: condition === 'running' ? Math.max(now, notBefore) + backgroundDurationMs(requests) : undefined,
    ...(withoutPassword > 0 && { withoutPassword }),
    ...(problem !== undefined && { problem }),
  };
}

import type { BatchProgress, BatchRow } from '../domain/batch.ts';
import { limitFor, serviceWindows } from '../quiz-api/budget/rate-windows.ts';
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

/**
 * How long requests take in the background, in milliseconds, while people use all that is reserved for them: 1,900 an hour,
 * and 50 a minute.
 */
export function durationOf(requests: number): number {
  const shares = serviceWindows.map((window) => ({ ...window, limit: limitFor(window, 'background') })).toSorted((a, b) => b.windowMs - a.windowMs);
  let left = Math.max(0, requests - 1);
  let durationMs = 0;
  for (const { limit, windowMs } of shares) {
    durationMs += Math.floor(left / limit) * windowMs;
    left %= limit;
  }
  const shortest = shares.at(-1);
  return durationMs + (shortest ? (left / shortest.limit) * shortest.windowMs : 0);
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
    readyAt: condition === 'running' ? Math.max(now, notBefore) + durationOf(requests) : undefined,
    ...(withoutPassword > 0 && { withoutPassword }),
    ...(problem !== undefined && { problem }),
  };
}

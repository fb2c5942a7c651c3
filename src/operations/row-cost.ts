import type { BatchRow } from '../domain/batch.ts';
import { backgroundDurationMs } from '../quiz-api/budget/background-duration.ts';

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

/** How long the rows take in the background, in milliseconds, while nobody uses the bot. */
export function durationOf(rows: readonly BatchRow[]): number {
  return backgroundDurationMs(rows.reduce((sum, row) => sum + requestsOf(row), 0));
}

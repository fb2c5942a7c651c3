import { publicName } from '../directory/names.ts';
import type { BatchPlan, BatchRow, Change, ChangeRow } from '../domain/batch.ts';
import { backgroundDurationMs } from '../quiz-api/budget/rate-windows.ts';
import type { User } from '../quiz-api/users.ts';
import type { OperationContext } from './context.ts';

/** A row that runs one operation. */
export function rowOf(operation: string, input: Change['input'], row: Omit<ChangeRow, 'kind' | 'changes'>): ChangeRow {
  return { kind: 'change', ...row, changes: [{ operation, input }] };
}

/** The row that takes a change back; undefined where nothing does. */
export function inverseOf(row: BatchRow): ChangeRow | undefined {
  if (row.kind === 'none' || row.undo === undefined) return undefined;
  const [{ operation, input }] = row.changes;
  const undo = { operation, words: row.words };
  const { name, userId } = row;
  return rowOf(row.undo.operation, input, { name, words: row.undo.words, undo, ...(userId && { userId }) });
}

/** A row of a user for whom nothing changes. */
export function sameRow(user: User): BatchRow {
  return { kind: 'none', outcome: { kind: 'same', userId: user.user_id }, name: publicName(user) };
}

/** A row that is left out. `error` says why, as a sentence of `domain/sentence.ts`. */
export function skippedRow(name: string, error: string): BatchRow {
  return { kind: 'none', outcome: { kind: 'skipped', error }, name };
}

/** The requests that a row costs where the service answers clearly. */
function requestsOf(row: BatchRow): number {
  return row.kind === 'none' ? 0 : row.changes.length + (row.reads ?? 0);
}

/** How long the rows take in the background, in milliseconds, while nobody uses the bot. */
export function durationOf(rows: readonly BatchRow[]): number {
  return backgroundDurationMs(rows.reduce((sum, row) => sum + requestsOf(row), 0));
}

/** A plan before its rows are judged. `needsApproval`: whoever starts it. */
type DraftPlan = Omit<BatchPlan, 'kind' | 'approval' | 'things'> & { needsApproval?: boolean };

/** Judges the rows of a plan: what the person may not do is left out, and what needs approval makes the plan need one. */
export async function judgedPlan(
  { judge }: Pick<OperationContext, 'judge'>,
  { needsApproval = false, ...draft }: DraftPlan,
): Promise<BatchPlan> {
  const { rows, things } = await judge(draft.rows);
  const isPrivileged = needsApproval || rows.some((row) => row.kind === 'change' && row.needsApproval);
  return { kind: 'batch', ...draft, rows, things, approval: isPrivileged ? 'privileged' : null };
}

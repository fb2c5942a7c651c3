import { say } from '../../../domain/said.ts';
import type { BatchRow } from '../../../domain/batch.ts';
import { createRow, updateRow, type ImportedUser } from '../../imports/user-rows.ts';
import { rowOf } from '../../../operations/planned-rows.ts';

/** A row as versions 1.4 to 1.6 stored it: a change of its own instead of an operation. */
type EarlierRow = { name: string } & (
  | { kind: 'assign'; quizId: string; quizName?: string; to: Assignee; id: string; members?: readonly string[] }
  | { kind: 'unassign'; quizId: string; from: Assignee; id: string }
  | { kind: 'suspend' | 'reinstate'; userId: string }
  | { kind: 'join-group' | 'leave-group'; userId: string; groupId: string }
  | { kind: 'create'; user: ImportedUser }
  | { kind: 'update'; userId: string; user: ImportedUser; changes: Parameters<typeof updateRow>[3] }
);

type Assignee = 'user' | 'group';

const operations = {
  assign: ['assign-quiz', say`gets the quiz`],
  unassign: ['unassign-quiz', say`loses the quiz`],
  suspend: ['suspend-user', say`suspended`],
  reinstate: ['reinstate-user', say`reinstated`],
  'join-group': ['add-to-group', say`joins the group`],
  'leave-group': ['remove-from-group', say`leaves the group`],
} as const;

/** Reads rows that this version or an earlier one stored. What earlier versions let a person approve has to be approved again. */
export function upgradeRows(rows: readonly (BatchRow | EarlierRow)[]): readonly BatchRow[] {
  return rows.map((row) => (row.kind === 'none' || row.kind === 'change' ? row : upgradeRow(row)));
}

function upgradeRow(row: EarlierRow): BatchRow {
  const { name } = row;
  if (row.kind === 'create') return createRow(name, row.user);
  if (row.kind === 'update') return updateRow(name, row.userId, row.user, row.changes);
  const [operation, words] = operations[row.kind];
  switch (row.kind) {
    case 'assign':
    case 'unassign': {
      const kind = row.kind === 'assign' ? row.to : row.from;
      const userId = kind === 'user' ? { userId: row.id } : {};
      return rowOf(
        operation,
        { quiz: [row.quizId], to: [`${kind}:${row.id}`] },
        { name, words, ...userId, ...noticesOf(row) },
      );
    }
    case 'suspend':
    case 'reinstate':
      return rowOf(operation, { user: [row.userId] }, { name, words, userId: row.userId });
    case 'join-group':
    case 'leave-group':
      return rowOf(operation, { user: [row.userId], group: [row.groupId] }, { name, words, userId: row.userId });
  }
}

function noticesOf(row: Extract<EarlierRow, { kind: 'assign' | 'unassign' }>) {
  if (row.kind === 'unassign' || row.quizName === undefined) return {};
  const { quizId, quizName, to, id, members = [] } = row;
  const users = to === 'user' ? [{ userId: id }] : members.map((userId) => ({ userId, groupId: id }));
  return { notify: [{ quizId, quizName, users }] };
}

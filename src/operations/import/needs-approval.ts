import type { BatchRow } from '../../domain/batch.ts';

/**
 * Whether another person has to decide on the row, unless an administrator starts the import: as the policy says for
 * `create-user` and `update-user`, to which a test holds it.
 */
export function needsApproval(row: BatchRow): boolean {
  return row.kind === 'update' || makesStaff(row);
}

/** Whether the row gives someone more than a respondent has. */
export function makesStaff(row: BatchRow): boolean {
  if (row.kind === 'create') return row.user.userType !== 'respondent' || row.user.flags.length > 0;
  return row.kind === 'update' && (row.changes.includes('userType') || row.changes.includes('flags'));
}

import type { DatabaseSync } from 'node:sqlite';

/** Does all of `work` or nothing of it. When it returns, the changes are on the disk. */
export function inTransaction<Answer>(database: DatabaseSync, work: () => Answer): Answer {
  database.exec('BEGIN IMMEDIATE');
  try {
    const answer = work();
    database.exec('COMMIT');
    return answer;
  } catch (error) {
    // A full disk, for example, has ended the transaction already.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

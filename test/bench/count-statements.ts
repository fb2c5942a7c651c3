import { renameSync, writeFileSync } from 'node:fs';
import { DatabaseSync, StatementSync } from 'node:sqlite';

/*
 * Loaded into a bot with `--import`: counts what SQLite is asked, and on SIGUSR2 writes the counts since the start to the file in
 * `STATEMENTS_FILE`. Statements that begin and end transactions are neither reads nor writes.
 */

const file = process.env['STATEMENTS_FILE'] ?? '';
const counts = { reads: 0, writes: 0 };

function count(sql: string): void {
  if (/^\s*(?:SELECT|WITH|PRAGMA|VALUES)\b/i.test(sql)) counts.reads += 1;
  else if (/^\s*(?:INSERT|REPLACE|UPDATE|DELETE|CREATE|DROP|ALTER)\b/i.test(sql)) counts.writes += 1;
}

for (const name of ['run', 'get', 'all', 'iterate'] as const) {
  const original = StatementSync.prototype[name] as (this: StatementSync, ...values: unknown[]) => unknown;
  Object.defineProperty(StatementSync.prototype, name, {
    value(this: StatementSync, ...values: unknown[]) {
      count(this.sourceSQL);
      return original.apply(this, values);
    },
  });
}
const exec = DatabaseSync.prototype.exec;
Object.defineProperty(DatabaseSync.prototype, 'exec', {
  value(this: DatabaseSync, sql: string) {
    for (const statement of sql.split(';')) count(statement);
    return exec.call(this, sql);
  },
});

/** Replaces the file in one step, so that a reader never sees half of it. */
process.on('SIGUSR2', () => {
  writeFileSync(`${file}.new`, JSON.stringify(counts));
  renameSync(`${file}.new`, file);
});

import type { DatabaseSync } from 'node:sqlite';
import type { GroupCommit } from './group-commit.ts';
import type { Counters } from '../storage.ts';

/** Numbers that only grow, in the bot's own SQLite file. */
export function createSqliteCounters(database: DatabaseSync, { write }: GroupCommit): Counters {
  const add = database.prepare(
    'INSERT INTO counters VALUES (?, ?, ?) ON CONFLICT (name, field) DO UPDATE SET number = number + excluded.number',
  );
  const raise = database.prepare(
    'INSERT INTO counters VALUES (?, ?, ?) ON CONFLICT (name, field) DO UPDATE SET number = max(number, excluded.number)',
  );
  const select = database.prepare('SELECT field, number FROM counters WHERE name = ?');

  return {
    add: (name, counts) =>
      write(() => {
        for (const [field, count] of Object.entries(counts)) add.run(name, field, count);
      }),
    raise: (name, field, value) => write(() => void raise.run(name, field, value)),
    async of(name) {
      return Object.fromEntries(select.all(name).map((row) => [String(row['field']), Number(row['number'])]));
    },
  };
}

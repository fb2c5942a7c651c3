import type { DatabaseSync } from 'node:sqlite';
import type { GroupCommit } from './group-commit.ts';
import type { Inbox, TakenEvent } from '../storage.ts';

/** The inbox in the bot's own SQLite file. */
export function createSqliteInbox(database: DatabaseSync, { write }: GroupCommit): Inbox {
  const insert = database.prepare('INSERT INTO events (event_id, type, subject, body, trusted, taken_at) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (event_id) DO NOTHING');
  const select = database.prepare(
    'SELECT event_id AS id, type, subject, body, trusted, taken_at AS takenAt FROM events WHERE settled = 0 ORDER BY position LIMIT ?',
  );
  const count = database.prepare('SELECT count(*) AS waiting FROM events WHERE settled = 0');
  // Beside min(), a bare column is that of the row with the minimum (https://www.sqlite.org/lang_select.html#bareagg).
  const selectFirst = database.prepare(
    "SELECT subject, event_id AS id, min(position) FROM events WHERE subject <> '' AND subject IN (SELECT value FROM json_each(?)) GROUP BY subject",
  );
  const forget = database.prepare('DELETE FROM events WHERE settled = 1 AND taken_at < ?');

  return {
    remember: ({ id, type, subject, body, trusted, takenAt }) =>
      write(() => insert.run(id, type, subject, body, Number(trusted), takenAt).changes > 0),
    async waiting(limit) {
      return select.all(limit).map((row) => ({ ...row, trusted: row['trusted'] === 1 }) as TakenEvent);
    },
    async countWaiting() {
      return Number(count.get()?.['waiting']);
    },
    async firstOf(subjects) {
      return new Map(selectFirst.all(JSON.stringify(subjects)).map((row) => [String(row['subject']), String(row['id'])]));
    },
    forgetBefore: (time) => write(() => void forget.run(time)),
  };
}

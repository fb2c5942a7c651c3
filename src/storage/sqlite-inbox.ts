import type { DatabaseSync } from 'node:sqlite';
import type { Inbox, TakenEvent } from './storage.ts';

export const eventsTable = `
  CREATE TABLE IF NOT EXISTS events (
    position INTEGER PRIMARY KEY,
    event_id TEXT NOT NULL UNIQUE,
    type TEXT NOT NULL,
    body TEXT NOT NULL,
    trusted INTEGER NOT NULL,
    settled INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX IF NOT EXISTS events_waiting ON events (position) WHERE settled = 0`;

/** The inbox in the bot's own SQLite file. */
export function createSqliteInbox(database: DatabaseSync): Inbox {
  const insert = database.prepare('INSERT OR IGNORE INTO events (event_id, type, body, trusted) VALUES (?, ?, ?, ?)');
  const select = database.prepare(
    'SELECT event_id AS id, type, body, trusted FROM events WHERE settled = 0 ORDER BY position LIMIT ?',
  );
  const count = database.prepare('SELECT count(*) AS waiting FROM events WHERE settled = 0');
  const settle = database.prepare("UPDATE events SET settled = 1, body = '' WHERE event_id = ?");

  return {
    async remember(event) {
      return insert.run(event.id, event.type, event.body, Number(event.trusted)).changes > 0;
    },
    async waiting(limit) {
      return select.all(limit).map((row) => ({ ...row, trusted: row['trusted'] === 1 }) as TakenEvent);
    },
    async countWaiting() {
      return Number(count.get()?.['waiting']);
    },
    async settle(eventId) {
      settle.run(eventId);
    },
  };
}

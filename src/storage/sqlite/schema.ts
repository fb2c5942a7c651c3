import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from './transaction.ts';

/**
 * The steps that make the tables, one a version of the file (`PRAGMA user_version`). A new file takes them all, an
 * older one those it lacks. What a bot has written is never changed here: what comes later is one more step.
 */
const steps: readonly ((database: DatabaseSync, nowMs: number) => void)[] = [
  // The first bots wrote no version: their files have these tables already.
  (database) =>
    database.exec(`
      CREATE TABLE IF NOT EXISTS keyed_values (
        key TEXT PRIMARY KEY,
        value TEXT NOT NULL,
        expires_at INTEGER -- epoch ms; Keyv checks its own copy on reading, this one is for sweeping
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE IF NOT EXISTS events (
        position INTEGER PRIMARY KEY,
        event_id TEXT NOT NULL UNIQUE,
        type TEXT NOT NULL,
        body TEXT NOT NULL,
        trusted INTEGER NOT NULL,
        settled INTEGER NOT NULL DEFAULT 0
      ) STRICT;
      CREATE INDEX IF NOT EXISTS events_waiting ON events (position) WHERE settled = 0;

      CREATE TABLE IF NOT EXISTS approvals (
        team_id TEXT NOT NULL,
        id TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        is_pending INTEGER NOT NULL,
        version INTEGER NOT NULL,
        request TEXT NOT NULL,
        PRIMARY KEY (team_id, id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS approvals_pending ON approvals (team_id, created_at) WHERE is_pending = 1;

      CREATE TABLE IF NOT EXISTS audit (
        team_id TEXT NOT NULL,
        position INTEGER NOT NULL,
        text TEXT NOT NULL,
        hash TEXT NOT NULL,
        PRIMARY KEY (team_id, position)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS audit_heads (
        team_id TEXT PRIMARY KEY,
        position INTEGER NOT NULL,
        hash TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
    `),

  // Subscriptions and lanes; events know what they tell of and when they were taken.
  (database, nowMs) => {
    database.exec(`
      ALTER TABLE events ADD COLUMN subject TEXT NOT NULL DEFAULT '';
      ALTER TABLE events ADD COLUMN taken_at INTEGER NOT NULL DEFAULT 0;
      UPDATE events SET subject = coalesce(body ->> '$.data.quiz_id' || '/' || (body ->> '$.data.response_id'), '')
        WHERE settled = 0 AND json_valid(body);
      CREATE INDEX events_subject ON events (subject, position) WHERE subject <> '';
      CREATE INDEX events_settled ON events (taken_at) WHERE settled = 1;

      CREATE TABLE lane_entries (
        position INTEGER PRIMARY KEY AUTOINCREMENT, -- no place is given twice, also when a lane was empty
        lane TEXT NOT NULL,
        subscription_id TEXT NOT NULL,
        at INTEGER NOT NULL,
        content TEXT NOT NULL
      ) STRICT;
      CREATE INDEX lane_entries_of_lane ON lane_entries (lane, position, subscription_id, at);
      CREATE INDEX lane_entries_of_subscription ON lane_entries (subscription_id, at);
      CREATE TABLE lane_states (
        lane TEXT PRIMARY KEY,
        version INTEGER NOT NULL,
        is_busy INTEGER NOT NULL,
        state TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX lane_states_busy ON lane_states (lane) WHERE is_busy = 1;

      CREATE TABLE subscriptions (
        team_id TEXT NOT NULL,
        id TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        subscription TEXT NOT NULL,
        pause TEXT NOT NULL,
        PRIMARY KEY (team_id, id)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE counters (
        name TEXT NOT NULL,
        field TEXT NOT NULL,
        number INTEGER NOT NULL,
        PRIMARY KEY (name, field)
      ) STRICT, WITHOUT ROWID;
    `);
    database.prepare('UPDATE events SET taken_at = ?').run(nowMs);
  },
];

/** Brings the tables of a file, new or older, to what this bot works with. A newer bot's file is refused. */
export function prepareTables(database: DatabaseSync, nowMs: number): void {
  const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
  if (version > steps.length) throw new Error('the file invigilator.sqlite was written by a newer version of the bot: start that one');
  if (version === steps.length) return;
  inTransaction(database, () => {
    for (const step of steps.slice(version)) step(database, nowMs);
    database.exec(`PRAGMA user_version = ${steps.length}`);
  });
}

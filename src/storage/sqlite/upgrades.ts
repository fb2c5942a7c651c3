import type { DatabaseSync } from 'node:sqlite';
import { sealTrailOf } from './seal-trail.ts';
import type { ChainHead } from '../../domain/audit-chain.ts';
import { assertUsableVersion, schemaVersions } from '../schema-version.ts';
import { inTransaction } from './group-commit.ts';
import { sqliteSchema } from './schema.ts';

const schemaVersion = schemaVersions.sqlite;

/** What makes the next version of a file, by its version. The last one ends at `sqliteSchema`. */
const upgrades: Readonly<Record<number, (database: DatabaseSync, nowMs: number) => void>> = {
  /** States of queues know when they last changed, and both they and keyed values are found by when they are forgotten. */
  4(database, nowMs) {
    database.exec(`
      ALTER TABLE queue_states ADD COLUMN changed_at INTEGER NOT NULL DEFAULT 0;
      CREATE INDEX queue_states_changed ON queue_states (substr(queue, 1, instr(queue, '/')), changed_at) WHERE is_busy = 0;
      CREATE INDEX keyed_values_expiry ON keyed_values (expires_at) WHERE expires_at IS NOT NULL;
    `);
    database.prepare('UPDATE queue_states SET changed_at = ?').run(nowMs);
  },
  /** Events know what they told of their responses. */
  5(database) {
    database.exec('ALTER TABLE known_events ADD COLUMN result TEXT');
  },
  /** What the record tells of people is sealed under keys of their own. */
  6(database, nowMs) {
    for (const head of database.prepare('SELECT team_id, position, hash FROM audit_heads').all())
      sealTrailOf(database, head as unknown as ChainHead & { team_id: string }, nowMs);
  },
  /** A step of a queue writes fewer pages: entries stand in the order in which they came, and states have no index. */
  7(database) {
    database.exec(`
      DROP INDEX queue_states_changed;
      ALTER TABLE queue_entries RENAME TO former_entries;
      ALTER TABLE queue_states RENAME TO former_states;
      CREATE TABLE queue_entries (
        position INTEGER PRIMARY KEY,
        queue TEXT NOT NULL,
        subscription_id TEXT NOT NULL,
        at INTEGER NOT NULL,
        content TEXT NOT NULL
      ) STRICT;
      CREATE TABLE queue_states (
        queue TEXT PRIMARY KEY,
        version INTEGER NOT NULL,
        is_busy INTEGER NOT NULL,
        changed_at INTEGER NOT NULL,
        state TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      INSERT INTO queue_entries SELECT position, queue, subscription_id, at, content FROM former_entries ORDER BY position;
      INSERT INTO queue_states SELECT queue, version, is_busy, changed_at, state FROM former_states;
      DROP TABLE former_entries;
      DROP TABLE former_states;
    `);
  },
  /** Large states have parts. Those that are there are taken apart when they next change. */
  8(database) {
    database.exec(`
      CREATE TABLE queue_state_parts (
        queue TEXT NOT NULL,
        part INTEGER NOT NULL,
        content TEXT NOT NULL,
        PRIMARY KEY (queue, part)
      ) STRICT;
    `);
  },
};

/**
 * Reads the version of a file, in `PRAGMA user_version`; undefined for an empty one. Changes nothing.
 * @param name the file as a message names it
 * @throws {SchemaVersionError} where this bot can neither use nor upgrade it
 */
export function usableVersion(database: DatabaseSync, name: string): number | undefined {
  const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
  // The first bots wrote no version.
  if (version === 0 && database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined) return undefined;
  assertUsableVersion(name, version, schemaVersion);
  return version;
}

/** Makes the tables of an empty file, or upgrades those of an older one, in one transaction. @param version from {@link usableVersion} */
export function prepareTables(database: DatabaseSync, version: number | undefined, nowMs: number): void {
  if (version === schemaVersion) return;
  inTransaction(database, () => {
    if (version === undefined) database.exec(sqliteSchema);
    else for (let from = version; from < schemaVersion; from += 1) upgrades[from]!(database, nowMs);
    database.exec(`PRAGMA user_version = ${schemaVersion}`);
  });
}

import type { NewQueueEntry } from '../../domain/queues.ts';
import type { DatabaseSync } from 'node:sqlite';
import {
  upgradedMail,
  upgradedNamespaces,
  upgradedState,
  upgradedValue,
  type Upgrade,
  type Upgraded,
} from '../from-17.ts';
import { assertUsableVersion, schemaVersions } from '../storage.ts';
import { inTransaction } from './group-commit.ts';

/**
 * The tables of a new file. `prepareTables` makes the same ones of an older file. Times are milliseconds since the epoch, and
 * what is called content or state is JSON. All have rowids: in a table without them, a look for a key reads other rows on its way as a
 * whole, and some have megabytes.
 */
export const sqliteSchema = `
-- Values by key, as Keyv writes them: src/storage/keyed-values.ts lists their namespaces. The key 'store' has no namespace: its
-- value is the identity of the file. Forgotten within a minute of expires_at; NULL is never.
CREATE TABLE keyed_values (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL,
  expires_at INTEGER
) STRICT;
CREATE INDEX keyed_values_expiry ON keyed_values (expires_at) WHERE expires_at IS NOT NULL;

-- Events that were taken, so that none is taken twice. The subject is <quiz>/<response>, NULL for a hint; backfilled ones were
-- found by the bot, without a webhook. result is what the last event told of the subject (src/domain/result.ts), in
-- every row of the subject. Forgotten 30 days after they were taken.
CREATE TABLE known_events (
  id TEXT PRIMARY KEY,
  subject TEXT,
  is_backfilled INTEGER NOT NULL,
  taken_at INTEGER NOT NULL,
  result TEXT
) STRICT;
CREATE INDEX known_events_subject ON known_events (subject, is_backfilled) WHERE subject IS NOT NULL;

-- The outbox: what waits in the queues, which src/domain/queues.ts lists. In the order in which it came, so that what comes
-- together is written to one page; queue-entries.ts knows in memory what waits in which queue. Deleted by the commit that has dealt
-- with it.
CREATE TABLE queue_entries (
  position INTEGER PRIMARY KEY,
  queue TEXT NOT NULL,
  subscription_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  content TEXT NOT NULL
) STRICT;

-- One row: no position up to this one is given again.
CREATE TABLE positions (reserved INTEGER NOT NULL) STRICT;
INSERT INTO positions VALUES (0);

-- What a queue knows between two runs. A busy queue runs at the start even if nothing waits in it. When one of these kinds has
-- been at rest for long, its state is forgotten: direct messages to a person and runs of steps after 30 days, batches after
-- 60 days, campaigns and their messages after RETENTION_YEARS. The others are kept, such as
-- requests for approval, subscriptions and counters (src/storage/records.ts). The state comes last: what is before it is read
-- without it.
CREATE TABLE queue_states (
  queue TEXT PRIMARY KEY,
  version INTEGER NOT NULL,
  is_busy INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  state TEXT NOT NULL
) STRICT;

-- The parts of large states, by number, such as the people of a campaign that runs: a step writes only those that it changes.
-- Forgotten with the state.
CREATE TABLE queue_state_parts (
  queue TEXT NOT NULL,
  part INTEGER NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (queue, part)
) STRICT;

-- The audit trail: a chain of hashes for each workspace. Never deleted.
CREATE TABLE audit (
  team_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  text TEXT NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (team_id, position)
) STRICT;

-- The end of each chain, kept apart so that a missing end shows.
CREATE TABLE audit_heads (
  team_id TEXT PRIMARY KEY,
  position INTEGER NOT NULL,
  hash TEXT NOT NULL
) STRICT;
`;

/**
 * Reads the version of a file, in `PRAGMA user_version`; undefined for an empty one. Changes nothing.
 * @param name the file as a message names it
 * @throws {SchemaVersionError} where this bot can neither use nor upgrade it
 */
export function usableVersion(database: DatabaseSync, name: string): number | undefined {
  const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
  // The first bots wrote no version.
  if (version === 0 && database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined) return undefined;
  assertUsableVersion('sqlite', name, version);
  return version;
}

/** Makes the tables of an empty file, or upgrades those of 1.7, in one transaction. @param version from {@link usableVersion} */
export function prepareTables(database: DatabaseSync, version: number | undefined, nowMs: number): void {
  if (version === schemaVersions.sqlite) return;
  inTransaction(database, () => {
    if (version === undefined) database.exec(sqliteSchema);
    else upgradeFrom17(database, { now: nowMs, notes: new Map() });
    database.exec(`PRAGMA user_version = ${schemaVersions.sqlite}`);
  });
}

type Row = Readonly<Record<string, string | number>>;

/** Of subscriptions, counters and requests for approval, which had tables of their own. What cannot be read waits to be set aside. */
const statesOfTables = `
INSERT INTO queue_states (queue, version, is_busy, changed_at, state)
  SELECT DISTINCT 'subscriptions/' || team_id, 1, 0, 0, '{}' FROM subscriptions;
INSERT INTO queue_state_parts (queue, part, content)
  SELECT 'subscriptions/' || team_id, row_number() OVER (PARTITION BY team_id ORDER BY created_at, id) - 1,
    CASE WHEN json_valid(subscription) AND json_valid(pause) THEN json_set(subscription, '$.pause', json(pause))
      ELSE subscription || pause END
  FROM subscriptions;
INSERT INTO queue_states (queue, version, is_busy, changed_at, state)
  SELECT 'counters/' || name, 1, 0, 0, json_group_object(field, number) FROM counters GROUP BY name;
INSERT INTO queue_states (queue, version, is_busy, changed_at, state)
  SELECT 'request/' || team_id || '/' || id, version, 0, created_at, request FROM approvals;
INSERT INTO queue_states (queue, version, is_busy, changed_at, state)
  SELECT 'requests/' || team_id, 1, 0, 0, json_group_array(json_object('id', id, 'createdAt', created_at) ORDER BY created_at)
  FROM approvals WHERE is_pending = 1 GROUP BY team_id;
DROP TABLE subscriptions;
DROP TABLE counters;
DROP TABLE approvals;
`;

/** Of the inbox, which had a table of its own. A submission was known before it was taken. */
const mailOfInbox = `
INSERT INTO queue_entries (position, queue, subscription_id, at, content)
  SELECT position, 'inbox', 'inbox', waiting_events.taken_at,
    CASE WHEN json_valid(content) THEN json_object('kind', 'inbox-event', 'event', json_patch(
        json_object('id', id, 'subject', ifnull(subject, ''), 'isBackfilled', json(iif(is_backfilled = 1, 'true', 'false')),
          'takenAt', waiting_events.taken_at, 'content', json_remove(content, '$.failures')),
        json_object('result', result)))
      ELSE content END
  FROM waiting_events LEFT JOIN known_events USING (id);
DELETE FROM known_events WHERE id IN (
  SELECT id FROM waiting_events WHERE CASE WHEN json_valid(content) THEN content ->> '$.kind' = 'submission' ELSE FALSE END);
DROP TABLE waiting_events;
`;

/** Those of 1.7 have the same columns, and most of them no rowids. */
function copyToNewTables(database: DatabaseSync): void {
  const names = [...sqliteSchema.matchAll(/^CREATE TABLE (\w+)/gm)].map(([, name]) => name!);
  const indexes = [...sqliteSchema.matchAll(/^CREATE INDEX (\w+)/gm)].map(([, name]) => name!);
  for (const name of indexes) database.exec(`DROP INDEX ${name}`);
  for (const name of names) database.exec(`ALTER TABLE ${name} RENAME TO ${name}_of_17`);
  database.exec(`${sqliteSchema}; DELETE FROM positions`);
  for (const name of names) database.exec(`INSERT INTO ${name} SELECT * FROM ${name}_of_17; DROP TABLE ${name}_of_17`);
}

/** Rewrites what is in the tables, which are those of 1.7. */
function upgradeFrom17(database: DatabaseSync, upgrade: Upgrade): void {
  if (database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'approvals'").get() !== undefined)
    database.exec(statesOfTables);
  if (database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'waiting_events'").get() !== undefined)
    database.exec(mailOfInbox);
  copyToNewTables(database);
  const sent: NewQueueEntry[] = [];

  function each(
    { table, key, column, where = 'TRUE' }: { table: string; key: readonly string[]; column: string; where?: string },
    rewrite: (row: Row, text: string) => Upgraded,
  ): void {
    const columns = key.join(', ');
    const marks = key.map(() => '?').join(', ');
    const rows = `SELECT * FROM ${table} WHERE ${where}`;
    const first = database.prepare(`${rows} ORDER BY ${columns} LIMIT 1`);
    const next = database.prepare(`${rows} AND (${columns}) > (${marks}) ORDER BY ${columns} LIMIT 1`);
    const replace = database.prepare(`UPDATE ${table} SET ${column} = ? WHERE (${columns}) = (${marks})`);
    const remove = database.prepare(`DELETE FROM ${table} WHERE (${columns}) = (${marks})`);
    for (let row = first.get() as Row | undefined; row !== undefined;) {
      const at = key.map((name) => row![name]!);
      const { change, mail } = rewrite(row, String(row[column]));
      if (change === 'dropped') remove.run(...at);
      else if (change !== 'kept') replace.run(change.text, ...at);
      sent.push(...mail);
      row = next.get(...at) as Row | undefined;
    }
  }

  const selectParts = database.prepare('SELECT content FROM queue_state_parts WHERE queue = ? ORDER BY part');
  const removeParts = database.prepare('DELETE FROM queue_state_parts WHERE queue = ?');

  each({ table: 'queue_entries', key: ['position'], column: 'content' }, (row, text) =>
    upgradedMail(String(row['queue']), text, upgrade),
  );
  each({ table: 'queue_states', key: ['queue'], column: 'state' }, (row, text) => {
    const queue = String(row['queue']);
    const parts = selectParts.all(queue).map(({ content }) => String(content));
    const upgraded = upgradedState(queue, text, parts, upgrade);
    if (upgraded.change !== 'kept') removeParts.run(queue);
    return upgraded;
  });
  const namespace = "substr(key, 1, instr(key, ':') - 1)";
  const where = `${namespace} IN (${upgradedNamespaces.map((name) => `'${name}'`).join(', ')})`;
  each({ table: 'keyed_values', key: ['key'], column: 'value', where }, (row, text) => {
    const [, of = '', key = ''] = /^([^:]*):(.*)$/s.exec(String(row['key'])) ?? [];
    return upgradedValue(of, key, text, upgrade);
  });
  let position = Number(database.prepare('SELECT reserved FROM positions').get()?.['reserved']);
  const put = database.prepare(
    'INSERT INTO queue_entries (position, queue, subscription_id, at, content) VALUES (?, ?, ?, ?, ?)',
  );
  for (const { queue, subscriptionId, at, content } of sent)
    put.run((position += 1), queue, subscriptionId, at, JSON.stringify(content));
  database.prepare('UPDATE positions SET reserved = ?').run(position);
}

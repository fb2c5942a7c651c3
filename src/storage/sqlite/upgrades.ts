import type { DatabaseSync } from 'node:sqlite';
import type { NewQueueEntry } from '../../domain/queues.ts';
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
import { sqliteSchema } from './schema.ts';

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

/** Rewrites what is in the tables, which are those of 1.7. */
function upgradeFrom17(database: DatabaseSync, upgrade: Upgrade): void {
  if (database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'approvals'").get() !== undefined)
    database.exec(statesOfTables);
  if (database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'waiting_events'").get() !== undefined)
    database.exec(mailOfInbox);
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

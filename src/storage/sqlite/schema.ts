import type { DatabaseSync } from 'node:sqlite';
import {
  upgradeApprovalRequest,
  upgradeEntryContent,
  upgradeEventId,
  upgradePause,
  upgradeQueueName,
  upgradeQueueState,
  upgradeSubscription,
  upgradeWaitingEvent,
} from '../upgrade-stored.ts';
import { upgradeContentOutcomes, upgradeStateOutcomes } from '../upgrade-outcomes.ts';
import { inTransaction } from './group-commit.ts';

/**
 * The steps that make the tables, one for each version of the file (`PRAGMA user_version`). A new file goes through all of
 * them, an older file through those it lacks. A step that a released bot has run never changes: add another one.
 */
const steps: readonly ((database: DatabaseSync, nowMs: number) => void)[] = [
  // The first bots wrote no version: their files have these tables and version 0.
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

      CREATE TABLE tallies (
        name TEXT NOT NULL,
        field TEXT NOT NULL,
        number INTEGER NOT NULL,
        PRIMARY KEY (name, field)
      ) STRICT, WITHOUT ROWID;
    `);
    database.prepare('UPDATE events SET taken_at = ?').run(nowMs);
  },

  straightToTheQueues,

  // Submissions have one of four outcomes.
  (database) => {
    const updateEntry = database.prepare('UPDATE queue_entries SET content = ? WHERE queue = ? AND position = ?');
    for (const { queue, position, content } of database
      .prepare('SELECT queue, position, content FROM queue_entries')
      .all()) {
      updateEntry.run(JSON.stringify(upgradeContentOutcomes(parse(content))), queue!, position!);
    }
    const updateState = database.prepare('UPDATE queue_states SET state = ? WHERE queue = ?');
    for (const { queue, state } of database.prepare('SELECT queue, state FROM queue_states').all()) {
      updateState.run(JSON.stringify(upgradeStateOutcomes(JSON.parse(String(state)))), queue!);
    }
    const updateEvent = database.prepare('UPDATE waiting_events SET content = ? WHERE is_hint = 0 AND position = ?');
    for (const { position, content } of database
      .prepare('SELECT position, content FROM waiting_events WHERE is_hint = 0')
      .all()) {
      updateEvent.run(JSON.stringify(upgradeContentOutcomes(parse(content))), position!);
    }
  },

  // States of queues know when they last changed, and both they and keyed values are found by when they are forgotten.
  (database, nowMs) => {
    database.exec(`
      ALTER TABLE queue_states ADD COLUMN changed_at INTEGER NOT NULL DEFAULT 0;
      CREATE INDEX queue_states_changed ON queue_states (substr(queue, 1, instr(queue, '/')), changed_at) WHERE is_busy = 0;
      CREATE INDEX keyed_values_expiry ON keyed_values (expires_at) WHERE expires_at IS NOT NULL;
    `);
    database.prepare('UPDATE queue_states SET changed_at = ?').run(nowMs);
  },
];

/**
 * Events go to their queues when they are taken, and bodies are kept no more. Lanes are called queues, tallies counters.
 * A webhook dirties three pages: of `known_events`, of its index, and of `queue_entries`.
 */
function straightToTheQueues(database: DatabaseSync): void {
  database.exec(`
    CREATE TABLE known_events (
      id TEXT PRIMARY KEY,
      subject TEXT,
      is_backfilled INTEGER NOT NULL,
      taken_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE waiting_events (
      is_hint INTEGER NOT NULL,
      position INTEGER NOT NULL,
      id TEXT NOT NULL,
      taken_at INTEGER NOT NULL,
      content TEXT NOT NULL,
      PRIMARY KEY (is_hint, position)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE queue_entries (
      queue TEXT NOT NULL,
      position INTEGER NOT NULL,
      subscription_id TEXT NOT NULL,
      at INTEGER NOT NULL,
      content TEXT NOT NULL,
      PRIMARY KEY (queue, position)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE positions (reserved INTEGER NOT NULL) STRICT;
    INSERT INTO positions VALUES (coalesce((SELECT max(seq) FROM sqlite_sequence WHERE name = 'lane_entries'), 0));

    ALTER TABLE lane_states RENAME TO queue_states;
    ALTER TABLE queue_states RENAME COLUMN lane TO queue;
    DROP INDEX lane_states_busy;
    ALTER TABLE tallies RENAME TO counters;
    UPDATE counters SET field = 'backfilled' WHERE name = 'webhooks' AND field = 'missed';
  `);

  const insertEntry = database.prepare('INSERT INTO queue_entries VALUES (?, ?, ?, ?, ?)');
  for (const row of database.prepare('SELECT * FROM lane_entries').iterate()) {
    insertEntry.run(
      upgradeQueueName(String(row['lane'])),
      row['position']!,
      row['subscription_id']!,
      row['at']!,
      JSON.stringify(upgradeEntryContent(parse(row['content']))),
    );
  }
  const updateState = database.prepare('UPDATE queue_states SET queue = ?, state = ? WHERE queue = ?');
  for (const { queue, state } of database.prepare('SELECT queue, state FROM queue_states').all()) {
    updateState.run(
      upgradeQueueName(String(queue)),
      JSON.stringify(upgradeQueueState(JSON.parse(String(state)))),
      queue!,
    );
  }
  const updateSubscription = database.prepare(
    'UPDATE subscriptions SET subscription = ?, pause = ? WHERE team_id = ? AND id = ?',
  );
  for (const { team_id, id, subscription, pause } of database.prepare('SELECT * FROM subscriptions').all()) {
    updateSubscription.run(
      JSON.stringify(upgradeSubscription(parse(subscription))),
      JSON.stringify(upgradePause(JSON.parse(String(pause)))),
      team_id!,
      id!,
    );
  }
  const updateApproval = database.prepare('UPDATE approvals SET request = ? WHERE team_id = ? AND id = ?');
  for (const { team_id, id, request } of database.prepare('SELECT * FROM approvals').all()) {
    updateApproval.run(JSON.stringify(upgradeApprovalRequest(parse(request))), team_id!, id!);
  }
  upgradeEvents(database);
  database.exec(
    'CREATE INDEX known_events_subject ON known_events (subject, is_backfilled) WHERE subject IS NOT NULL; DROP TABLE lane_entries; DROP TABLE events;',
  );
}

function upgradeEvents(database: DatabaseSync): void {
  const insert = database.prepare('INSERT INTO known_events VALUES (?, ?, ?, ?)');
  const hold = database.prepare('INSERT INTO waiting_events VALUES (?, (SELECT reserved FROM positions), ?, ?, ?)');
  const nextPosition = database.prepare('UPDATE positions SET reserved = reserved + 1');
  /** Of each response, whether the first event of it is one the bot made because no webhook had come. */
  const firstIsBackfilled = new Map<string, boolean>();
  for (const row of database.prepare('SELECT * FROM events ORDER BY position').iterate()) {
    const [oldId, subject] = [String(row['event_id']), String(row['subject'])];
    const id = upgradeEventId(oldId);
    const isBackfilled = id !== oldId;
    const first = subject === '' ? undefined : firstIsBackfilled.get(subject);
    // The response was announced when its webhook came.
    if (isBackfilled && first !== undefined) continue;
    if (subject !== '' && first === undefined) firstIsBackfilled.set(subject, isBackfilled);
    insert.run(id, subject === '' ? null : subject, Number(isBackfilled), row['taken_at']!);
    if (row['settled'] === 1 || first === true) continue;
    const content = upgradeWaitingEvent({
      id: oldId,
      type: String(row['type']),
      body: String(row['body']),
      isTrusted: row['trusted'] === 1,
    });
    if (content === undefined) continue;
    nextPosition.run();
    hold.run(Number(content.kind === 'hint'), id, row['taken_at']!, JSON.stringify(content));
  }
}

function parse(text: unknown): Record<string, unknown> {
  return JSON.parse(String(text)) as Record<string, unknown>;
}

/** The version of the file that this bot works with, in `PRAGMA user_version`. */
export const sqliteSchemaVersion = steps.length;

/**
 * Makes the tables of a new file, and upgrades those of an older one, in one transaction.
 * @throws when a newer version of the bot has written the file
 */
export function prepareTables(database: DatabaseSync, nowMs: number): void {
  const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
  if (version > steps.length)
    throw new Error('the file invigilator.sqlite was written by a newer version of the bot: start that one');
  if (version === steps.length) return;
  const hadEvents = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'events'").get() !== undefined;
  inTransaction(database, () => {
    for (const step of steps.slice(version)) step(database, nowMs);
    database.exec(`PRAGMA user_version = ${steps.length}`);
  });
  // What was dropped stays in free pages: the bodies of webhooks, with addresses of respondents.
  if (hadEvents) database.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
}

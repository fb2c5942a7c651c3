/**
 * The tables of a new file. `upgrades.ts` makes the same ones of an older file. Times are milliseconds since the epoch, and
 * what is called content or state is JSON.
 */
export const sqliteSchema = `
-- Values by key, as Keyv writes them: src/storage/keyed-values.ts lists their namespaces. The key 'store' has no namespace: its
-- value is the identity of the file. Forgotten within a minute of expires_at; NULL is never.
CREATE TABLE keyed_values (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL,
  expires_at INTEGER
) STRICT, WITHOUT ROWID;
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
) STRICT, WITHOUT ROWID;
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
) STRICT, WITHOUT ROWID;

-- The parts of large states, by number, such as the people of a campaign that runs: a step writes only those that it changes. With
-- rowids, so that a part is in one place in its page. Forgotten with the state.
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
) STRICT, WITHOUT ROWID;

-- The end of each chain, kept apart so that a missing end shows.
CREATE TABLE audit_heads (
  team_id TEXT PRIMARY KEY,
  position INTEGER NOT NULL,
  hash TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;

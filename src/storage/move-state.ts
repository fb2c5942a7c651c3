import { readQueue } from '../domain/queues.ts';
import { existsSync, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { lockDataDir } from './sqlite/folder.ts';
import { keyPrefix, withRedis, type RedisConnection } from './redis/connection.ts';
import { fileName, movedFileName, openSqliteFile } from './sqlite/file.ts';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import { Keyv } from 'keyv';
import { verifyChain, emptyChain, type ChainCheck } from '../domain/audit-chain.ts';
import { pagesOf } from './audit.ts';
import { createRedisAudit } from './redis/audit-trail.ts';
import { createRedisInbox, createRedisOutbox } from './redis/outbox.ts';
import { createRedisKv } from './redis/values.ts';
import { redisKey } from './redis/schema.ts';
import { createSqliteAudit, createSqliteKv } from './sqlite/sqlite-storage.ts';
import { createGroupCommit } from './sqlite/group-commit.ts';
import { createSqliteOutbox, entryOf } from './sqlite/outbox.ts';
import {
  createQueueEntryWriter,
  createQueueIndex,
  createUnreadableRows,
  type UnreadableRows,
} from './sqlite/queue-entries.ts';
import { schemaVersions, type Outbox, type SealedTrail } from './storage.ts';

/** What is copied stands here until all of it does. */
const prefix = keyPrefix();
const stagingPrefix = `${prefix}-move`;
/** Stands there once all of it does. */
const completeKey = `${stagingPrefix}:complete`;
const unlinkedAtOnce = 500;

/** KEYS: the key to delete, then the keys to rename. ARGV: their new names. A key may have expired by now. */
const renameAll = `
redis.call('DEL', KEYS[1])
for n = 2, #KEYS do
  if redis.call('EXISTS', KEYS[n]) == 1 then redis.call('RENAME', KEYS[n], ARGV[n - 1]) end
end`;

/**
 * Moves the whole state from SQLite to Redis, or nothing. It copies to temporary keys first and renames them in one
 * step. An interrupted move leaves no keys that a bot would read, and can be repeated.
 *
 * @returns what was copied, undefined where a move that had broken off at its very end was finished; and what the file is called now
 * @throws with a message for the operator; then nothing was moved
 */
export async function moveState({ dataDir, redisUrl, now }: { dataDir: string; redisUrl: string; now: () => number }) {
  const [file, moved] = [join(resolve(dataDir), fileName), join(resolve(dataDir), movedFileName)];
  if (!existsSync(file) && !existsSync(moved))
    throw new Error(`there is no ${fileName} in DATA_DIR ${resolve(dataDir)}`);
  const lock = lockDataDir(dataDir);
  try {
    return await withRedis(redisUrl, async (client) => {
      if (!existsSync(file)) {
        if ((await client.exists(completeKey)) === 0)
          throw new Error(
            `the state in DATA_DIR ${resolve(dataDir)} was moved already: it is kept as ${movedFileName}`,
          );
        await refuseOtherState(client);
        await nameAll(client);
        return { copied: undefined, path: moved };
      }
      if (existsSync(moved)) throw new Error(`${moved} is there from an earlier move: put it somewhere else first`);
      await refuseOtherState(client);
      await forgetStaged(client);
      const copied = await copyFile(client, dataDir, now);
      await refuseOtherState(client);
      renameSync(file, moved);
      try {
        await nameAll(client);
      } catch (error) {
        // Whether it was done after all, who starts next finds out.
        if (await isStaged(client)) renameSync(moved, file);
        throw error;
      }
      return { copied, path: moved };
    });
  } finally {
    lock.release();
  }
}

async function copyFile(client: RedisConnection, dataDir: string, now: () => number) {
  const database = openSqliteFile(dataDir, now);
  try {
    const copied = await copyState(database, client, now);
    await client.set(completeKey, '1');
    // The file is kept under another name: all of it has to stand in it, and nothing in the log beside it.
    const checkpoint = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
    if (checkpoint?.['busy'] !== 0) throw new Error(`another program reads ${fileName}: move when it has ended`);
    return copied;
  } finally {
    database.close();
  }
}

async function keysOf(client: RedisConnection, beginning: string): Promise<string[]> {
  const found = new Set<string>();
  for await (const keys of client.scanIterator({ MATCH: `${beginning}:*`, COUNT: 1_000 }))
    for (const key of keys) found.add(key);
  return [...found];
}

async function refuseOtherState(client: RedisConnection): Promise<void> {
  const { length } = await keysOf(client, prefix);
  if (length > 0)
    throw new Error(
      `Redis has state of a bot already (${length} keys that begin with ${prefix}:): move to an empty Redis, or to another database of it (redis://…/1)`,
    );
}

async function forgetStaged(client: RedisConnection): Promise<void> {
  const keys = await keysOf(client, stagingPrefix);
  for (let n = 0; n < keys.length; n += unlinkedAtOnce) await client.unlink(keys.slice(n, n + unlinkedAtOnce));
}

async function isStaged(client: RedisConnection): Promise<boolean> {
  return client.exists(completeKey).then(
    (count) => count === 1,
    () => false,
  );
}

/** Renames the copied keys to their final names, in one step. */
async function nameAll(client: RedisConnection): Promise<void> {
  const staged = (await keysOf(client, stagingPrefix)).filter((key) => key !== completeKey);
  await client.eval(renameAll, {
    keys: [completeKey, ...staged],
    arguments: staged.map((key) => prefix + key.slice(stagingPrefix.length)),
  });
}

/** What is counted by its own name, by kind of state. */
const namesOfStates: Readonly<Record<string, string>> = {
  key: 'keys of the audit trail',
  subscriptions: 'subscriptions',
  request: 'requests for approval',
  requests: 'requests for approval',
  counters: 'counters',
};

/** Redis serves no other client while it takes a batch. */
const batchSize = 500;

/**
 * Copies the state in a bot's file to the temporary keys, of which none exists yet, and verifies the copy.
 * An audit trail that does not verify is copied as it is. Rows of the file that cannot be read are set aside there, as a bot does.
 * @returns how many of each kind were copied, and whether each workspace's audit trail verifies
 * @throws when Redis does not have afterwards what the file has
 */
async function copyState(database: DatabaseSync, client: RedisConnection, now: () => number) {
  const state = readSqliteState(database);
  const index = createQueueIndex(database);
  const group = createGroupCommit(database, { onRollBack: index.readAgain });
  const queueEntries = createQueueEntryWriter(database, index);
  let setAside = 0;
  const unreadable = createUnreadableRows(database, group, () => (setAside += 1), index.readAgain);
  const outbox = createSqliteOutbox(database, group, { queueEntries, index, unreadable, now });
  const from = { outbox, audit: createSqliteAudit(database, group) };
  const to = {
    inbox: createRedisInbox(client, stagingPrefix),
    outbox: createRedisOutbox(client, stagingPrefix, { now }),
    audit: createRedisAudit(client, stagingPrefix),
  };

  async function copyKeyedValues(): Promise<number> {
    let copied = 0;
    for (const [namespace, places] of Map.groupBy(state.keyedValues(), (place) => place.namespace)) {
      const source = new Keyv({ store: createSqliteKv(database, group, now), namespace, throwOnErrors: true });
      const target = createRedisKv(client, stagingPrefix, namespace);
      for (const { key } of places) {
        const raw = await source.getRaw(key);
        if (raw === undefined) continue;
        const ttlMs = typeof raw.expires === 'number' ? Math.max(1, raw.expires - now()) : undefined;
        await target.set(key, raw.value, ttlMs);
        copied += 1;
      }
    }
    return copied;
  }

  async function copyEvents(): Promise<number> {
    let copied = 0;
    for (const events of batchesOf(state.knownEvents())) {
      await to.inbox.restoreKnown(events);
      copied += events.length;
    }
    return copied;
  }

  async function copyQueues(): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    const count = (name: string, more: number) => void (counts[name] = (counts[name] ?? 0) + more);
    for (const name of ['entries in queues', 'states of queues', ...Object.values(namesOfStates)]) count(name, 0);
    for (const entries of batchesOf(state.entries())) {
      await to.outbox.restore(entries);
      count('entries in queues', entries.length);
    }
    await to.outbox.restorePosition(state.lastPosition());
    for (const kept of state.queueStates()) {
      const { kind } = readQueue(kept.queue);
      const parts = state.partsOf(kept.queue);
      await to.outbox.restoreState({ ...kept, parts });
      const each: Readonly<Record<string, number>> = { subscriptions: parts.size, requests: 0 };
      count(namesOfStates[kind] ?? 'states of queues', each[kind] ?? 1);
    }
    return counts;
  }

  async function copyTrails() {
    return Promise.all(
      state.auditHeads().map(async ({ teamId, head }) => {
        let entries = 0;
        for await (const links of pagesOf(from.audit, teamId)) {
          await to.audit.restore(teamId, links);
          entries += links.length;
        }
        await to.audit.restoreHead(teamId, head);
        const check = await verifyTrail(to.audit, teamId);
        if (!isDeepStrictEqual(check, await verifyTrail(from.audit, teamId)))
          throw new Error(`the audit trail of ${teamId} in Redis differs from that in the file`);
        return { teamId, entries, check };
      }),
    );
  }

  setAsideUnreadable(database, unreadable);
  group.flush();
  await client.set(redisKey(stagingPrefix, 'schema'), schemaVersions.redis);
  const keyedValues = await copyKeyedValues();
  const events = await copyEvents();
  const queues = await copyQueues();
  const trails = await copyTrails();
  if (!isDeepStrictEqual(await whatWaits(to.outbox), await whatWaits(from.outbox)))
    throw new Error('Redis does not have the queues of the file');
  return {
    counts: {
      'keyed values': keyedValues,
      'known events': events,
      ...queues,
      'audit entries': trails.reduce((sum, trail) => sum + trail.entries, 0),
      ...(setAside > 0 && { 'rows that cannot be read, under unreadable:': setAside }),
    },
    trails,
  };
}

async function whatWaits(outbox: Pick<Outbox, 'queues'>) {
  return (await outbox.queues()).toSorted((one, other) => (one.queue < other.queue ? -1 : 1));
}

function verifyTrail(trail: SealedTrail, teamId: string): Promise<ChainCheck> {
  async function* links() {
    for await (const page of pagesOf(trail, teamId)) yield* page;
  }
  return trail.head(teamId).then((head) => verifyChain(links(), head));
}

function* batchesOf<Item>(items: Iterable<Item>): Generator<Item[]> {
  let batch: Item[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

type Row = Record<string, unknown>;

/** Everything in a bot's file. Audit links are read through their store, by the names given here. */
function readSqliteState(database: DatabaseSync) {
  function* rows<Item>(sql: string, itemOf: (row: Row) => Item, ...parameters: SQLInputValue[]): Generator<Item> {
    for (const row of database.prepare(sql).iterate(...parameters)) yield itemOf(row);
  }

  return {
    /** Their names: Keyv reads the values, and knows which have expired. It puts the name space before the first colon. */
    keyedValues: () =>
      rows(
        "SELECT substr(key, 1, instr(key, ':') - 1) AS namespace, substr(key, instr(key, ':') + 1) AS key FROM keyed_values WHERE instr(key, ':') > 0 ORDER BY 1, 2",
        (row) => ({
          namespace: String(row['namespace']),
          key: String(row['key']),
        }),
      ),
    knownEvents: () =>
      rows('SELECT * FROM known_events', (row) => ({
        id: String(row['id']),
        subject: typeof row['subject'] === 'string' ? row['subject'] : '',
        isBackfilled: row['is_backfilled'] === 1,
        takenAt: Number(row['taken_at']),
        ...(typeof row['result'] === 'string' && { result: row['result'] }),
      })),
    entries: () =>
      rows('SELECT * FROM queue_entries ORDER BY position', (row) => ({
        queue: String(row['queue']),
        ...entryOf(row),
      })),
    queueStates: () =>
      rows('SELECT * FROM queue_states', (row) => ({
        queue: String(row['queue']),
        version: Number(row['version']),
        state: JSON.parse(String(row['state'])) as unknown,
        isBusy: row['is_busy'] === 1,
        changedAt: Number(row['changed_at']),
      })),
    /** By number. */
    partsOf: (queue: string) =>
      new Map(
        rows(
          'SELECT part, content FROM queue_state_parts WHERE queue = ?',
          (row) => [Number(row['part']), JSON.parse(String(row['content'])) as unknown] as const,
          queue,
        ),
      ),
    /** No position above it was given. */
    lastPosition: () => [...rows('SELECT reserved FROM positions', (row) => Number(row['reserved']))][0] ?? 0,
    // A trail whose head is missing does not verify, and is moved all the same.
    auditHeads: () => [
      ...rows(
        'SELECT teams.team_id, position, hash FROM (SELECT team_id FROM audit UNION SELECT team_id FROM audit_heads) AS teams LEFT JOIN audit_heads USING (team_id)',
        ({ team_id: teamId, position, hash }) => ({
          teamId: String(teamId),
          head: typeof hash === 'string' ? { position: Number(position), hash } : emptyChain,
        }),
      ),
    ],
  };
}

/** Of each table with JSON, the column that has it. */
const jsonColumns = {
  queue_entries: 'content',
  queue_states: 'state',
  queue_state_parts: 'content',
} as const;

/** Sets aside what cannot be read, so that the rest can be moved. */
function setAsideUnreadable(database: DatabaseSync, unreadable: UnreadableRows): void {
  for (const [table, column] of Object.entries(jsonColumns) as [keyof typeof jsonColumns, string][]) {
    const invalid = database.prepare(`SELECT * FROM ${table} WHERE NOT json_valid(${column})`).all();
    unreadable.read(table, invalid, (row) => JSON.parse(String(row[column])) as unknown);
  }
}

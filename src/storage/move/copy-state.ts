import type { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import { Keyv } from 'keyv';
import { verifyChain, type ChainCheck, type ChainLink } from '../../domain/audit-chain.ts';
import { readQueue } from '../../domain/queue-names.ts';
import { createRedisAudit } from '../redis/audit-trail.ts';
import type { RedisConnection } from '../redis/connection.ts';
import { createRedisInbox } from '../redis/inbox.ts';
import { createRedisKv } from '../redis/kv.ts';
import { redisKey } from '../redis/schema.ts';
import { createRedisOutbox } from '../redis/outbox.ts';
import { createSqliteAudit } from '../sqlite/audit-trail.ts';
import { readSqliteState, setAsideUnreadable } from './sqlite-state.ts';
import { createGroupCommit } from '../sqlite/group-commit.ts';
import { createSqliteInbox } from '../sqlite/inbox.ts';
import { createSqliteKv } from '../sqlite/kv.ts';
import { createSqliteOutbox } from '../sqlite/outbox.ts';
import { createQueueEntryWriter } from '../sqlite/queue-entries.ts';
import { createQueueIndex } from '../sqlite/queue-index.ts';
import { createUnreadableRows } from '../sqlite/unreadable.ts';
import { schemaVersions } from '../schema-version.ts';
import type { Inbox, Outbox, SealedTrail } from '../storage.ts';

/** How many of each kind were copied, and whether each workspace's audit trail verifies. */
export interface CopiedState {
  counts: Readonly<Record<string, number>>;
  trails: { teamId: string; entries: number; check: ChainCheck }[];
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
 * Copies the state in a bot's file to Redis keys that start with `prefix`, and verifies the copy. No such key exists yet.
 * An audit trail that does not verify is copied as it is. Rows of the file that cannot be read are set aside there, as a bot does.
 * @throws when Redis does not have afterwards what the file has
 */
export async function copyState(options: {
  database: DatabaseSync;
  client: RedisConnection;
  prefix: string;
  now: () => number;
}): Promise<CopiedState> {
  const { database, client, prefix, now } = options;
  const state = readSqliteState(database);
  const index = createQueueIndex(database);
  const group = createGroupCommit(database, { onRollBack: index.readAgain });
  const queueEntries = createQueueEntryWriter(database, index);
  let setAside = 0;
  const unreadable = createUnreadableRows(database, group, () => (setAside += 1), index.readAgain);
  const outbox = createSqliteOutbox(database, group, { queueEntries, index, unreadable, now });
  const from = {
    inbox: createSqliteInbox(database, group, { queueEntries, unreadable, versionOf: outbox.versionNow }),
    outbox,
    audit: createSqliteAudit(database, group),
  };
  const to = {
    inbox: createRedisInbox(client, prefix),
    outbox: createRedisOutbox(client, prefix, { now }),
    audit: createRedisAudit(client, prefix),
  };

  async function copyKeyedValues(): Promise<number> {
    let copied = 0;
    for (const [namespace, places] of Map.groupBy(state.keyedValues(), (place) => place.namespace)) {
      const source = new Keyv({ store: createSqliteKv(database, group, now), namespace, throwOnErrors: true });
      const target = createRedisKv(client, prefix, namespace);
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
    for (const events of batchesOf(state.waitingEvents())) await to.inbox.restoreWaiting(events);
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

  async function copyTrails(): Promise<CopiedState['trails']> {
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
  await client.set(redisKey(prefix, 'schema'), schemaVersions.redis);
  const keyedValues = await copyKeyedValues();
  const events = await copyEvents();
  const queues = await copyQueues();
  const trails = await copyTrails();
  if (!isDeepStrictEqual(await whatWaits(to), await whatWaits(from)))
    throw new Error('Redis does not have the waiting events and queues of the file');
  const { count, postponed } = await from.inbox.countWaiting();
  return {
    counts: {
      'keyed values': keyedValues,
      'known events': events,
      'events that wait': count + postponed,
      ...queues,
      'audit entries': trails.reduce((sum, trail) => sum + trail.entries, 0),
      ...(setAside > 0 && { 'rows that cannot be read, under unreadable:': setAside }),
    },
    trails,
  };
}

async function whatWaits({ inbox, outbox }: { inbox: Inbox; outbox: Outbox }) {
  const queues = await outbox.queues();
  return {
    events: await inbox.countWaiting(),
    queues: queues.toSorted((one, other) => (one.queue < other.queue ? -1 : 1)),
  };
}

function verifyTrail(trail: SealedTrail, teamId: string): Promise<ChainCheck> {
  async function* links() {
    for await (const page of pagesOf(trail, teamId)) yield* page;
  }
  return trail.head(teamId).then((head) => verifyChain(links(), head));
}

async function* pagesOf(trail: SealedTrail, teamId: string): AsyncGenerator<ChainLink[]> {
  for (let after = 0; ;) {
    const page = await trail.since(teamId, after, batchSize);
    if (page.length === 0) return;
    yield page;
    after = page.at(-1)!.position;
  }
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

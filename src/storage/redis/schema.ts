import { setTimeout as sleep } from 'node:timers/promises';
import { createLeases } from '../leases.ts';
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
import type { RedisConnection } from './connection.ts';
import { readQueue } from '../../domain/queue-names.ts';
import { createRedisInbox } from './inbox.ts';
import { createRedisLeaseStore } from './lease-store.ts';
import { alertsBase } from './queue-entries.ts';
import { UnsuitableRedisError } from './suitable.ts';

/** The version that this bot works with. Bots up to 1.0 wrote version 2 and no key for it, 1.1 wrote 3, and those from 1.2 to 1.5 wrote 4. The numbers are those of SQLite's schema. */
export const redisSchemaVersion = 5;

export const schemaKey = (prefix: string) => `${prefix}:schema`;

const leaseMs = 30_000;
const lookAgainMs = 200;
/** Redis serves no other client while it takes a batch. */
const batchSize = 500;

/** A newer version of the bot has written what is in Redis. */
export class NewerSchemaError extends UnsuitableRedisError {
  override readonly code = 'newer_schema';

  constructor() {
    super('the state in Redis was written by a newer version of the bot: start that version');
  }
}

/**
 * Makes sure that Redis has the keys of this version: one instance upgrades older ones while the others wait. An upgrade
 * that broke off begins again, and finds in the old form what it has not upgraded yet.
 *
 * @throws {NewerSchemaError}
 */
export async function prepareRedis(client: RedisConnection, prefix: string, now: () => number): Promise<void> {
  while (!(await isCurrent(client, prefix))) {
    const lease = await createLeases(createRedisLeaseStore(client, prefix)).withLease(
      'schema',
      leaseMs,
      async ({ signal }) => {
        const version = await versionOf(client, prefix);
        if (version === redisSchemaVersion) return;
        await upgrade({ client, prefix, version, now }, signal);
        await client.set(schemaKey(prefix), redisSchemaVersion);
      },
    );
    if (!lease.held) await sleep(lookAgainMs);
  }
}

async function isCurrent(client: RedisConnection, prefix: string): Promise<boolean> {
  return (await versionOf(client, prefix)) === redisSchemaVersion;
}

/** 0 where Redis has no version. */
async function versionOf(client: RedisConnection, prefix: string): Promise<number> {
  const version = Number((await client.get(schemaKey(prefix))) ?? 0);
  if (version > redisSchemaVersion) throw new NewerSchemaError();
  return version;
}

async function upgrade(
  { client, prefix, version, now }: { client: RedisConnection; prefix: string; version: number; now: () => number },
  signal: AbortSignal,
): Promise<void> {
  const toVersion3 = [
    upgradeApprovals,
    upgradeSubscriptions,
    upgradeCounters,
    upgradeQueues,
    upgradeEvents,
    dropOldJobs,
  ];
  const toVersion5 = async () => noteWhenStatesChanged(client, prefix, now());
  const steps = [...(version < 3 ? toVersion3 : []), ...(version < 4 ? [upgradeOutcomes] : []), toVersion5];
  for (const step of steps) {
    signal.throwIfAborted();
    await step(client, prefix);
  }
}

async function upgradeApprovals(client: RedisConnection, prefix: string): Promise<void> {
  for await (const key of keysLike(client, `${prefix}:{approvals:*}:*`)) {
    if (key.endsWith(':pending')) continue;
    const text = await client.hGet(key, 'request');
    if (typeof text === 'string')
      await client.hSet(key, 'request', JSON.stringify(upgradeApprovalRequest(parse(text))));
  }
}

async function upgradeSubscriptions(client: RedisConnection, prefix: string): Promise<void> {
  for await (const key of keysLike(client, `${prefix}:{subscriptions:*}:*`)) {
    const isOfPauses = key.endsWith(':pauses');
    if (!isOfPauses && !key.endsWith(':all')) continue;
    for (const [id, text] of Object.entries(await client.hGetAll(key))) {
      await client.hSet(
        key,
        id,
        JSON.stringify(isOfPauses ? upgradePause(JSON.parse(text)) : upgradeSubscription(parse(text))),
      );
    }
  }
}

async function upgradeCounters(client: RedisConnection, prefix: string): Promise<void> {
  const old = `${prefix}:tally:`;
  for await (const key of keysLike(client, `${old}*`))
    await client.rename(key, `${prefix}:counters:${key.slice(old.length)}`);
  const webhooks = `${prefix}:counters:webhooks`;
  const missed = await client.hGet(webhooks, 'missed');
  if (missed === null) return;
  await client.hSet(webhooks, 'backfilled', missed);
  await client.hDel(webhooks, 'missed');
}

/** Entries, their owners, positions and ages have kept their keys. */
async function upgradeQueues(client: RedisConnection, prefix: string): Promise<void> {
  const base = alertsBase(prefix);
  for await (const key of keysLike(client, `${base}entries:*`)) {
    for (const [position, text] of Object.entries(await client.hGetAll(key))) {
      const { content, ...entry } = parse(text);
      await client.hSet(
        key,
        position,
        JSON.stringify({ ...entry, content: upgradeEntryContent(content as Record<string, unknown>) }),
      );
    }
  }
  for await (const key of keysLike(client, `${base}state:*`)) {
    const text = await client.hGet(key, 'state');
    if (typeof text === 'string') await client.hSet(key, 'state', JSON.stringify(upgradeQueueState(JSON.parse(text))));
    const name = key.slice(`${base}state:`.length);
    if (upgradeQueueName(name) !== name) await client.rename(key, `${base}state:${upgradeQueueName(name)}`);
  }
  for await (const key of keysLike(client, `${base}lanes-of:*`))
    await client.rename(key, `${base}queues-of:${key.slice(`${base}lanes-of:`.length)}`);
  if (await client.exists(`${base}lanes`)) await client.rename(`${base}lanes`, `${base}queues`);
}

/** Version 2 kept `facts` and `subjects` of all events by id, `waiting`, `bodies` and `taken-at` of those that waited, the others in `settled`. */
async function upgradeEvents(client: RedisConnection, prefix: string): Promise<void> {
  const base = alertsBase(prefix);
  const inbox = createRedisInbox(client, prefix);
  const subjects = await client.hGetAll(`${base}subjects`);
  const firstOf = await firstEvents(client, base, subjects);
  const isBackfilled = (id: string) => upgradeEventId(id) !== id;
  const firstFor = (id: string) => firstOf.get(subjects[id] ?? '') ?? id;
  /** The response was announced when its webhook came: it is not to count as found by the bot. */
  const isLeftOut = (id: string) => isBackfilled(id) && firstFor(id) !== id;
  const keep = (events: readonly { id: string; takenAt: number }[]) =>
    inbox.restoreKnown(
      events
        .filter(({ id }) => !isLeftOut(id))
        .map(({ id, takenAt }) => ({
          id: upgradeEventId(id),
          subject: subjects[id] ?? '',
          isBackfilled: isBackfilled(id),
          takenAt,
        })),
    );

  const settled = await client.zRangeWithScores(`${base}settled`, 0, -1);
  for (let n = 0; n < settled.length; n += batchSize)
    await keep(settled.slice(n, n + batchSize).map(({ value, score }) => ({ id: value, takenAt: score })));
  for (const id of await client.zRange(`${base}waiting`, 0, -1)) {
    const [facts, body, time] = await Promise.all(
      ['facts', 'bodies', 'taken-at'].map((name) => client.hGet(`${base}${name}`, id)),
    );
    const { type = '', trusted = false } = JSON.parse(facts ?? '{}') as { type?: string; trusted?: boolean };
    await keep([{ id, takenAt: Number(time) }]);
    const content = upgradeWaitingEvent({ id, type, body: body ?? '', isTrusted: trusted });
    const isAnnounced = firstFor(id) !== id && (isBackfilled(id) || isBackfilled(firstFor(id)));
    if (content && !isAnnounced)
      await inbox.restoreWaiting([{ position: 0, id: upgradeEventId(id), takenAt: Number(time), content }]);
  }
  await client.unlink(
    ['facts', 'subjects', 'waiting', 'bodies', 'taken-at', 'settled'].map((name) => `${base}${name}`),
  );
  for await (const key of keysLike(client, `${base}of:*`)) await client.unlink(key);
}

/** By subject, the id of its first event. */
async function firstEvents(
  client: RedisConnection,
  base: string,
  subjects: Readonly<Record<string, string>>,
): Promise<Map<string, string>> {
  const firstOf = new Map<string, string>();
  for (const subject of new Set(Object.values(subjects))) {
    const [id] = await client.zRange(`${base}of:${subject}`, 0, 0);
    if (id !== undefined) firstOf.set(subject, id);
  }
  return firstOf;
}

/** Submissions have one of four outcomes. */
async function upgradeOutcomes(client: RedisConnection, prefix: string): Promise<void> {
  const base = alertsBase(prefix);
  const upgradeContents = async (key: string) => {
    for (const [position, text] of Object.entries(await client.hGetAll(key))) {
      const { content, ...others } = parse(text);
      await client.hSet(
        key,
        position,
        JSON.stringify({ ...others, content: upgradeContentOutcomes(content as Record<string, unknown>) }),
      );
    }
  };
  await upgradeContents(`${base}held`);
  for await (const key of keysLike(client, `${base}entries:*`)) await upgradeContents(key);
  for await (const key of keysLike(client, `${base}state:*`)) {
    const text = await client.hGet(key, 'state');
    if (typeof text === 'string')
      await client.hSet(key, 'state', JSON.stringify(upgradeStateOutcomes(JSON.parse(text))));
  }
}

/** States of queues know when they last changed. @param now milliseconds since the epoch */
async function noteWhenStatesChanged(client: RedisConnection, prefix: string, now: number): Promise<void> {
  const base = alertsBase(prefix);
  for await (const key of keysLike(client, `${base}state:*`)) {
    const queue = key.slice(`${base}state:`.length);
    await client.zAdd(`${base}changed:${readQueue(queue).kind}`, { score: now, value: queue }, { condition: 'NX' });
  }
}

/** BullMQ's jobs of the lanes: at the start every queue that has something to do is woken. */
async function dropOldJobs(client: RedisConnection, prefix: string): Promise<void> {
  for await (const key of keysLike(client, `${prefix}:lanes:*`)) await client.unlink(key);
}

async function* keysLike(client: RedisConnection, pattern: string): AsyncGenerator<string> {
  const found = new Set<string>();
  for await (const keys of client.scanIterator({ MATCH: pattern, COUNT: 1_000 }))
    for (const key of keys) found.add(key);
  yield* found;
}

function parse(text: string): Record<string, unknown> {
  return JSON.parse(text) as Record<string, unknown>;
}

import { setTimeout as sleep } from 'node:timers/promises';
import {
  countersQueue,
  inboxQueue,
  readQueue,
  requestQueue,
  requestsQueue,
  subscriptionsQueue,
  type EventContent,
} from '../../domain/queues.ts';
import { upgradedMail, upgradedNamespaces, upgradedState, upgradedValue, type Upgraded } from '../from-17.ts';
import { createLeases } from '../leases.ts';
import { assertUsableVersion, schemaVersions } from '../storage.ts';
import type { RedisConnection } from './connection.ts';
import { createRedisLeaseStore } from './values.ts';
import { partMark, putEntries, removeEntry } from './outbox.ts';
import { alertsBase, entryArguments } from './queue-entries.ts';
import { redisKey } from './schema.ts';

const schemaVersion = schemaVersions.redis;
const leaseMs = 30_000;
const lookAgainMs = 200;

/** Keys that only bots up to 1.0 wrote: they wrote no version. */
const keysBeforeVersions = ['{alerts}:facts', '{inbox}:known', 'lanes:meta', 'lanes:planned', 'tally:webhooks'];

interface Store {
  client: RedisConnection;
  prefix: string;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/**
 * Makes sure that Redis has the keys of this version: one instance upgrades those of 1.7 while the others wait.
 * @throws {SchemaVersionError} where this bot can neither use nor upgrade what is there; then nothing was changed
 */
export async function prepareRedis(store: Store): Promise<void> {
  const { client, prefix } = store;
  for (;;) {
    const version = await usableVersion(client, prefix);
    if (version === schemaVersion) return;
    if (version === undefined) {
      await client.set(redisKey(prefix, 'schema'), schemaVersion, { condition: 'NX' });
      continue;
    }
    const leases = createLeases(createRedisLeaseStore(client, prefix));
    const { held } = await leases.withLease('schema', leaseMs, async ({ signal }) => {
      if ((await usableVersion(client, prefix)) === schemaVersion) return;
      await upgradeFrom17(store, signal);
      await client.set(redisKey(prefix, 'schema'), schemaVersion);
    });
    if (!held) await sleep(lookAgainMs);
  }
}

/** Reads the version; undefined where there is none, as in an empty Redis. @throws {SchemaVersionError} */
export async function usableVersion(client: RedisConnection, prefix: string): Promise<number | undefined> {
  const text = await client.get(redisKey(prefix, 'schema'));
  const isBeforeVersions = async () => (await client.exists(keysBeforeVersions.map((key) => `${prefix}:${key}`))) > 0;
  const version = text === null ? ((await isBeforeVersions()) ? 0 : undefined) : Number(text);
  if (version !== undefined) assertUsableVersion('redis', 'the state in Redis', version);
  return version;
}

type Step = ReturnType<RedisConnection['multi']>;

/**
 * Rewrites what is in the keys. Each text changes in one step with the mail that it sends, so that an upgrade that broke off can
 * begin again: what it reads twice stays as it is.
 *
 * @param signal aborts when another instance may upgrade
 */
async function upgradeFrom17({ client, prefix, now }: Store, signal: AbortSignal): Promise<void> {
  const base = alertsBase(prefix);
  const upgrade = { now: now(), notes: new Map() };

  /** The keys with a beginning and an end, each with what stands between. */
  async function* keysOf(beginning: string, end = ''): AsyncGenerator<{ key: string; name: string }> {
    for await (const keys of client.scanIterator({ MATCH: `${beginning}*${end}`, COUNT: 1_000 }))
      for (const key of keys) yield { key, name: key.slice(beginning.length, key.length - end.length) };
  }

  async function* fieldsOf(key: string): AsyncGenerator<{ field: string; text: string }> {
    for await (const fields of client.hScanIterator(key))
      for (const { field, value } of fields) yield { field, text: value };
  }

  async function store(
    { change, mail }: Upgraded,
    write: (step: Step, text: string | undefined) => Step,
  ): Promise<void> {
    signal.throwIfAborted();
    if (change === 'kept') return;
    const step = write(client.multi(), change === 'dropped' ? undefined : change.text);
    if (mail.length > 0) step.eval(putEntries, { keys: [base], arguments: mail.flatMap(entryArguments) });
    await step.exec();
  }

  for await (const { key, name: queue } of keysOf(redisKey(prefix, '{alerts}:entries:<queue>', '')))
    for await (const { field: position, text } of fieldsOf(key)) {
      const { content, ...entry } = entryIn(text);
      if (content === undefined) continue;
      await store(upgradedMail(queue, JSON.stringify(content), upgrade), (step, changed) =>
        changed === undefined
          ? step.eval(removeEntry, { keys: [base], arguments: [queue, position] })
          : step.hSet(key, position, JSON.stringify({ ...entry, content: JSON.parse(changed) as unknown })),
      );
    }

  /** What had keys of its own becomes a state, in one step. */
  async function keep(queue: string, fields: Record<string, string>, keys: string[]): Promise<void> {
    signal.throwIfAborted();
    await client
      .multi()
      .hSet(redisKey(prefix, '{alerts}:state:<queue>', queue), fields)
      .zAdd(redisKey(prefix, '{alerts}:changed:<kind>', readQueue(queue).kind), { score: now(), value: queue })
      .del(keys)
      .exec();
  }

  await moveInbox({ client, prefix, now }, signal);

  for await (const { key, name: teamId } of keysOf(`${prefix}:{subscriptions:`, '}:all')) {
    const [all, pauses] = await Promise.all([client.hGetAll(key), client.hGetAll(key.replace(/all$/, 'pauses'))]);
    const parts = Object.entries(all)
      .map(([id, text]) => withPause(text, pauses[id] ?? ''))
      .toSorted((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1))
      .map(({ text }, place) => [`${partMark}${place}`, text]);
    const fields = { version: '1', state: '{}', parts: String(parts.length), ...(Object.fromEntries(parts) as object) };
    await keep(subscriptionsQueue(teamId), fields, [
      key,
      key.replace(/all$/, 'pauses'),
      key.replace(/all$/, 'version'),
    ]);
  }
  for await (const { key, name } of keysOf(`${prefix}:counters:`)) {
    const counts = Object.entries(await client.hGetAll(key)).map(([field, number]) => [field, Number(number)]);
    await keep(countersQueue(name), { version: '1', state: JSON.stringify(Object.fromEntries(counts)) }, [key]);
  }
  const pending: { key: string; teamId: string }[] = [];
  for await (const { key, name } of keysOf(`${prefix}:{approvals:`)) {
    const [teamId = '', id = ''] = name.split('}:');
    if (id === 'pending') pending.push({ key, teamId });
    else {
      const { request = '', version = '1' } = await client.hGetAll(key);
      await keep(requestQueue(teamId, id), { version, state: request }, [key]);
    }
  }
  for (const { key, teamId } of pending) {
    const listed = (await client.zRangeWithScores(key, 0, -1)).map(({ value: id, score: createdAt }) => ({
      id,
      createdAt,
    }));
    await keep(requestsQueue(teamId), { version: '1', state: JSON.stringify(listed) }, [key]);
  }

  const states: { key: string; name: string }[] = [];
  for await (const one of keysOf(redisKey(prefix, '{alerts}:state:<queue>', ''))) states.push(one);
  for (const { key, name: queue } of states.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    const { state, version = '', ...fields } = await client.hGetAll(key);
    if (state === undefined) continue;
    const parts = Object.entries(fields)
      .flatMap(([field, text]) =>
        field.startsWith(partMark) ? [{ number: Number(field.slice(partMark.length)), text }] : [],
      )
      .toSorted((one, other) => one.number - other.number);
    const changed = upgradedState(
      queue,
      state,
      parts.map(({ text }) => text),
      upgrade,
    );
    await store(changed, (step, text) =>
      text === undefined
        ? step
            .del(key)
            .sRem(redisKey(prefix, '{alerts}:busy'), queue)
            .zRem(redisKey(prefix, '{alerts}:changed:<kind>', readQueue(queue).kind), queue)
        : step.del(key).hSet(key, { version, state: text }),
    );
  }

  for (const namespace of upgradedNamespaces)
    for await (const { key, name } of keysOf(redisKey(prefix, '<namespace>::<key>', namespace, ''))) {
      const text = await client.get(key);
      if (text === null) continue;
      await store(upgradedValue(namespace, name, text, upgrade), (step, changed) =>
        changed === undefined ? step.del(key) : step.set(key, changed, { expiration: 'KEEPTTL' }),
      );
    }

  // Queues that have something to do run at the start, and know when they run next.
  for await (const { key } of keysOf(redisKey(prefix, 'queues:<any>', ''))) await client.unlink(key);
}

/** Of the inbox, which had keys of its own. A submission was known before it was taken. */
async function moveInbox({ client, prefix }: Store, signal: AbortSignal): Promise<void> {
  const base = alertsBase(prefix);
  const held = Object.entries(await client.hGetAll(`${base}held`));
  for (const [place, text] of held.toSorted(([one], [other]) => Number(one) - Number(other))) {
    signal.throwIfAborted();
    const event = entryIn(text) as { id?: string; takenAt?: number; content?: EventContent };
    const step = client.multi().hDel(`${base}held`, place);
    if (event.id === undefined || event.takenAt === undefined || event.content === undefined)
      step.hSet(redisKey(prefix, '{alerts}:unreadable'), `event/${place}`, text);
    else {
      const { id, takenAt, content } = event;
      const { quizId, responseId } = content.kind === 'submission' ? content.submission : content;
      const subject = content.kind === 'submission' ? `${quizId}/${responseId}` : '';
      const isBackfilled = (await client.zScore(`${base}backfilled-subjects`, subject)) !== null;
      const result = (await client.hGet(`${base}results`, subject)) ?? undefined;
      const taken = { id, subject, isBackfilled, takenAt, content, ...(result !== undefined && { result }) };
      const entry = { queue: inboxQueue, subscriptionId: inboxQueue, at: takenAt };
      step.eval(putEntries, {
        keys: [base],
        arguments: entryArguments({ ...entry, content: { kind: 'inbox-event', event: taken } }),
      });
      if (subject !== '') {
        step.zRem(`${base}known`, id).hDel(`${base}results`, subject);
        for (const key of ['known-subjects', 'backfilled-subjects']) step.zRem(`${base}${key}`, subject);
      }
    }
    await step.exec();
  }
  const lines = ['held-ids', 'held-subjects', 'held-submissions', 'held-hints', 'postponed', 'place'];
  await client.del(lines.map((line) => `${base}${line}`));
}

/** A subscription with its pause, which stood beside it. */
function withPause(subscription: string, pause: string): { createdAt: number; id: string; text: string } {
  try {
    const whole = {
      ...(JSON.parse(subscription) as { createdAt: number; id: string }),
      pause: JSON.parse(pause) as unknown,
    };
    return { ...whole, text: JSON.stringify(whole) };
  } catch {
    return { createdAt: 0, id: '', text: `${subscription}${pause}` };
  }
}

/** What cannot be read is set aside when somebody wants it. */
function entryIn(text: string): { content?: unknown } {
  try {
    return JSON.parse(text) as { content: unknown };
  } catch {
    return {};
  }
}

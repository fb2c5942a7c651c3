import { setTimeout as sleep } from 'node:timers/promises';
import { readQueue } from '../../domain/queue-names.ts';
import { createLeases } from '../leases.ts';
import { assertUsableVersion, schemaVersions } from '../schema-version.ts';
import type { RedisConnection } from './connection.ts';
import { createRedisLeaseStore } from './lease-store.ts';
import { redisKey } from './schema.ts';
import { sealTrails } from './seal-trails.ts';

const schemaVersion = schemaVersions.redis;
const leaseMs = 30_000;
const lookAgainMs = 200;

/** Keys that only bots up to 1.0 wrote: they wrote no version. */
const keysBeforeVersions = ['{alerts}:facts', '{inbox}:known', 'lanes:meta', 'lanes:planned', 'tally:webhooks'];

export interface Store {
  client: RedisConnection;
  prefix: string;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** What makes the next version of the keys, by their version. An upgrade that broke off begins again. */
const upgrades: Readonly<Record<number, (store: Store) => Promise<void>>> = {
  4: noteWhenStatesChanged,
  // `{alerts}:results` is new, and bots of 1.6 do not keep it.
  5: async () => {},
  6: sealTrails,
  // Large states have parts: those that are there are taken apart when they next change.
  7: async () => {},
};

/**
 * Makes sure that Redis has the keys of this version: one instance upgrades older ones while the others wait.
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
    const { held } = await leases.withLease('schema', leaseMs, ({ signal }) => upgrade(store, signal));
    if (!held) await sleep(lookAgainMs);
  }
}

/** Reads the version; undefined where there is none, as in an empty Redis. @throws {SchemaVersionError} */
export async function usableVersion(client: RedisConnection, prefix: string): Promise<number | undefined> {
  const text = await client.get(redisKey(prefix, 'schema'));
  const isBeforeVersions = async () => (await client.exists(keysBeforeVersions.map((key) => `${prefix}:${key}`))) > 0;
  const version = text === null ? ((await isBeforeVersions()) ? 0 : undefined) : Number(text);
  if (version !== undefined) assertUsableVersion('the state in Redis', version, schemaVersion);
  return version;
}

async function upgrade(store: Store, signal: AbortSignal): Promise<void> {
  const { client, prefix } = store;
  const version = (await usableVersion(client, prefix)) ?? schemaVersion;
  for (let from = version; from < schemaVersion; from += 1) {
    signal.throwIfAborted();
    await upgrades[from]!(store);
    await client.set(redisKey(prefix, 'schema'), from + 1);
  }
}

/** States of queues know when they last changed. */
async function noteWhenStatesChanged({ client, prefix, now }: Store): Promise<void> {
  const beginning = redisKey(prefix, '{alerts}:state:<queue>', '');
  for await (const keys of client.scanIterator({ MATCH: `${beginning}*`, COUNT: 1_000 })) {
    for (const key of keys) {
      const queue = key.slice(beginning.length);
      const changed = redisKey(prefix, '{alerts}:changed:<kind>', readQueue(queue).kind);
      await client.zAdd(changed, { score: now(), value: queue }, { condition: 'NX' });
    }
  }
}

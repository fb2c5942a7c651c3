import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { verifyChain } from '../../src/storage/audit-chain.ts';
import { createRedisStorage } from '../../src/storage/redis.ts';
import { auditEntry } from '../support/audit-entry.ts';
import { laneEntry, namesOf } from '../support/lane-entry.ts';
import { redisMissing, startRedis } from '../support/redis.ts';
import { takenEvent } from '../support/taken-event.ts';
import { wholeTrail } from '../support/whole-trail.ts';
import { holdsFor } from './cases/every-store.ts';

describe.skipIf(redisMissing !== null)(`Redis${redisMissing ? ` (${redisMissing})` : ''}`, () => {
  let redis: Awaited<ReturnType<typeof startRedis>>;
  const open = async () => {
    const storage = createRedisStorage({ url: redis.url, onError: () => {} });
    await storage.open();
    return storage;
  };
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());
  beforeEach(async () => {
    const storage = await open();
    await storage.client.flushAll();
    await storage.close();
  });

  holdsFor(open);

  test('ends keyed values with their time to live', async () => {
    const storage = await open();
    await storage.keyed('one').set('key', 1, 1);
    await expect.poll(() => storage.keyed('one').get('key')).toBeUndefined();
    await storage.close();
  });

  test('keeps one chain whatever instances write to it at once', async () => {
    const [one, two] = [await open(), await open()];
    await Promise.all([one, two].flatMap((storage) => Array.from({ length: 10 }, (_, n) => storage.audit.append('T1', auditEntry({ reference: String(n) })))));
    expect(await verifyChain(wholeTrail(one.audit, 'T1'), await two.audit.head('T1'))).toMatchObject({ kind: 'whole', count: 20 });
    await Promise.all([one.close(), two.close()]);
  });

  test('takes one commit of two instances that run the same lane', async () => {
    const [one, two] = [await open(), await open()];
    for (let version = 0; version < 20; version += 1) {
      const tries = await Promise.all(
        [one, two].map((storage, n) => storage.outbox.commit('channel/T1/C1', { version, state: n, isBusy: false, put: [laneEntry({ lane: 'channel/T1/C2', name: `${version}.${n}` })] })),
      );
      expect(tries.filter(Boolean)).toHaveLength(1);
      expect(await one.outbox.stateOf('channel/T1/C1')).toEqual({ version: version + 1, state: tries.indexOf(true) });
      expect(namesOf(await two.outbox.waiting('channel/T1/C2', { limit: 100 })).at(-1)).toBe(`${version}.${tries.indexOf(true)}`);
    }
    expect(await one.outbox.waiting('channel/T1/C2', { limit: 100 })).toHaveLength(20);
    await Promise.all([one.close(), two.close()]);
  });

  test('takes an event and deals with it once, whichever instances try', async () => {
    const stores = [await open(), await open()];
    const event = takenEvent({ id: 'a' });
    expect((await Promise.all(stores.map(({ inbox }) => inbox.remember(event)))).filter(Boolean)).toHaveLength(1);
    await Promise.all(stores.map(({ outbox }, n) => outbox.distribute([{ eventId: 'a', entries: [laneEntry({ name: String(n) }), laneEntry({ name: String(n) })] }])));
    const names = namesOf(await stores[0]!.outbox.waiting('channel/T1/C1', { limit: 100 }));
    expect(['0,0', '1,1']).toContain(names.join());
    await Promise.all(stores.map((storage) => storage.close()));
  });

  test('does not let an instance release another’s lease', async () => {
    const [one, two] = [await open(), await open()];
    await one.leases.take('a', 60_000);
    await two.leases.release('a');
    expect(await two.leases.take('a', 60_000)).toBe(false);
    await Promise.all([one.close(), two.close()]);
  });

  test('throws when the store is lost, instead of looking empty', async () => {
    const own = await startRedis();
    const storage = createRedisStorage({ url: own.url, onError: () => {} });
    await storage.open();
    const values = storage.keyed('one');
    await values.set('key', 1);
    await own.stop();
    await expect(values.get('key')).rejects.toThrow();
    await expect(values.set('key', 1)).rejects.toThrow();
    await storage.close();
  });

  test('fails at once while Redis is away, instead of waiting for it', async () => {
    const errors: unknown[] = [];
    const storage = createRedisStorage({ url: 'redis://127.0.0.1:1', onError: (error) => errors.push(error) });
    await storage.open();
    await expect(storage.ping()).rejects.toThrow();
    await expect(storage.keyed('one').get('key')).rejects.toThrow();
    await expect(storage.inbox.remember(takenEvent({ id: 'a' }))).rejects.toThrow();
    await storage.close();
    expect(errors).not.toEqual([]);
  });
});

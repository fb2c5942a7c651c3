import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { readRedis } from '../../../src/storage/redis/doctor.ts';
import { createRedisStorage } from '../../../src/storage/redis/redis-storage.ts';
import { prepareRedis } from '../../../src/storage/redis/upgrades.ts';
import { SchemaVersionError, StoreAwayError } from '../../../src/storage/storage.ts';
import { writeRedisOf17 } from '../../support/life-of-17.ts';
import { read } from '../../support/project-files.ts';
import { connectRedis, redisMissing, startRedis } from '../../support/redis.ts';
import { expectToGoOn, fill, look } from '../cases/filled-store.ts';
import { eventually } from '../../support/watchdog.ts';
import { redisKey, redisKeys } from '../../../src/storage/redis/schema.ts';

type Client = Awaited<ReturnType<typeof connectRedis>>;

const patterns = Object.entries(redisKeys).map(([key, [kind]]) => ({
  key,
  kind,
  pattern: new RegExp(`^invigilator:${key.replaceAll(/[{}]/g, '\\$&').replaceAll(/<\w+>/g, '.+')}$`),
}));

const kindOf: Readonly<Record<string, string>> = { zset: 'sorted set' };

describe.skipIf(redisMissing !== null)(
  `the version of the state in Redis${redisMissing ? ` (${redisMissing})` : ''}`,
  () => {
    let redis: Awaited<ReturnType<typeof startRedis>>;
    let client: Client;
    beforeAll(async () => {
      redis = await startRedis();
      client = await connectRedis(redis.url);
    });
    afterAll(async () => {
      await client.close();
      await redis.stop();
    });
    beforeEach(async () => void (await client.flushAll()));

    async function open({ now = Date.now, onError = (_error: unknown) => {} } = {}) {
      const storage = createRedisStorage({ url: redis.url, now, onError });
      await storage.open();
      onTestFinished(() => storage.close());
      return storage;
    }

    /** Upgrades until an instance is killed after some commands. */
    async function breakOff(count: number): Promise<void> {
      const breaking = await connectRedis(redis.url);
      onTestFinished(() => breaking.destroy());
      let sent = 0;
      const { sendCommand } = Object.getPrototypeOf(breaking) as Client;
      Object.getPrototypeOf(breaking).sendCommand = async function (
        this: Client,
        ...command: Parameters<typeof sendCommand>
      ) {
        sent += 1;
        if (sent > count) throw new Error('the instance was killed');
        return sendCommand.apply(this, command);
      };
      const store = { client: breaking as never, prefix: 'invigilator', now: () => 1_000 };
      await expect(prepareRedis(store)).rejects.toThrow('the instance was killed');
      await client.del('invigilator:lease:schema');
    }

    /** Fills Redis as 1.7 would have. @returns what is in it */
    async function writeOfVersion17() {
      const storage = await open();
      await fill(storage);
      const kept = await look(storage);
      await storage.close();
      await client.set('invigilator:audit-posted::T1', '{"value":6}');
      await client.set('invigilator:audit-posted::T2', '{"value":7}');
      await client.hSet('invigilator:{alerts}:state:evidence/T1', { version: 1, state: '{' });
      await client.set('invigilator:queues:1', 'of BullMQ');
      await client.set('invigilator:schema', 8);
      return kept;
    }

    /** Keeps what was in it, but what nobody reads any more; what cannot be read waits to be set aside. */
    async function expectUpgraded(storage: Awaited<ReturnType<typeof open>>, kept: Awaited<ReturnType<typeof look>>) {
      expect(await look(storage)).toEqual(kept);
      expect(await client.keys('invigilator:audit-p*')).toEqual([]);
      expect(await client.get('invigilator:queues:1')).toBeNull();
      expect(await client.hGet('invigilator:{alerts}:state:evidence/T1', 'state')).toBe('{');
      expect(await client.get('invigilator:schema')).toBe('11');
    }

    const contentOf = async () =>
      Promise.all(
        (await client.keys('*')).toSorted().map(async (key) => [key, await client.sendCommand(['DUMP', key])]),
      );

    test('is set in an empty one, and again where everything was lost', async () => {
      const storage = await open();
      expect(await client.get('invigilator:schema')).toBe('11');
      await client.flushAll();
      await client.sendCommand(['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes']);
      await expect.poll(() => client.get('invigilator:schema')).toBe('11');
      await eventually(() => expect(storage.content.loss()).toMatchObject({ kind: 'replaced' }));
      await storage.kv('plans').set('key', 1);
    });

    test('is set again where everything was lost and the bot has written since', async () => {
      const storage = await open();
      await client.flushAll();
      await storage.outbox.commit('channel/T1/C1', { version: 0, state: {}, isBusy: true });
      await (await open()).ping();
      expect(await client.get('invigilator:schema')).toBe('11');
    });

    test('of 1.7 is upgraded by one of the instances that start', async () => {
      const kept = await writeOfVersion17();
      const [storage] = await Promise.all([open(), open(), open()]);
      await expectUpgraded(storage, kept);
      await expectToGoOn(storage, kept);
      expect(await client.exists('invigilator:lease:schema')).toBe(0);
    });

    test(
      'with everything that 1.7 stored is the same after an upgrade that broke off',
      { timeout: 120_000 },
      async () => {
        const upgraded = async (count?: number) => {
          await client.flushAll();
          await writeRedisOf17(redis.url, read('test/fixtures/store-1.7.redis'));
          if (count !== undefined) await breakOff(count);
          await prepareRedis({ client, prefix: 'invigilator', now: () => 1_000 });
          return contentOf();
        };
        const whole = await upgraded();
        for (let count = 10; count <= 100; count += 10) expect(await upgraded(count)).toEqual(whole);
      },
    );

    test('of 1.7 gives a submission that it held to the inbox, and it is known only once it is taken from there', async () => {
      const base = 'invigilator:{alerts}:';
      const subject = 'q-9/r-9';
      const content = { kind: 'submission', submission: { quizId: 'q-9', responseId: 'r-9' } };
      await client.hSet(`${base}held`, 1, JSON.stringify({ id: 'held', takenAt: 3, content }));
      await client.zAdd(`${base}known`, { score: 3, value: 'held' });
      for (const key of ['known-subjects', 'backfilled-subjects'])
        await client.zAdd(`${base}${key}`, { score: 3, value: subject });
      await client.hSet(`${base}results`, subject, 'what it told');
      await client.set('invigilator:schema', 8);
      const { inbox, outbox } = await open();
      const event = { id: 'held', subject, isBackfilled: true, takenAt: 3, content, result: 'what it told' };
      expect(await outbox.waiting('inbox', { limit: 9 })).toMatchObject([
        { subscriptionId: 'inbox', at: 3, content: { kind: 'inbox-event', event } },
      ]);
      expect(await inbox.knownIds(['held'])).toEqual(new Set());
      expect(await inbox.knownSubjects([subject])).toEqual(new Set());
      expect(await client.exists([`${base}held`, `${base}results`])).toBe(0);
    });

    test('of 1.7 is upgraded at the start, as the doctor says', async () => {
      await writeOfVersion17();
      const reading = readRedis(redis.url);
      expect([await reading.look(), await reading.isOlder()]).toEqual([undefined, true]);
    });

    const startOlder =
      'the state in Redis was written by version 1.6 of the bot or an older one: start version 1.7 with it once, then this version';
    const startNewer = 'the state in Redis was written by a newer version of the bot: start that version';

    test.each([
      ['of 0.1', ['SADD', 'invigilator:{inbox}:known', 'e-1'], 'older_schema', startOlder],
      ['of 1.0 that took events', ['HSET', 'invigilator:{alerts}:facts', 'e-1', '{}'], 'older_schema', startOlder],
      ['of 1.0 that only started', ['HSET', 'invigilator:lanes:planned', 'rounds', '1'], 'older_schema', startOlder],
      ['of 1.6', ['SET', 'invigilator:schema', '7'], 'older_schema', startOlder],
      ['that is newer', ['SET', 'invigilator:schema', '12'], 'newer_schema', startNewer],
    ])('%s is refused, and nothing is changed', async (_, command, code, message) => {
      await client.sendCommand(command);
      await client.hSet('invigilator:{alerts}:state:request/T1/a', { state: '{}', version: 3 });
      const before = await contentOf();
      await expect(open()).rejects.toMatchObject({ code, message });
      expect(await readRedis(redis.url).look()).toMatchObject({ code, effect: 'stops', forOperator: message });
      expect(await contentOf()).toEqual(before);
    });

    test('that is newer when Redis comes back is not touched', async () => {
      const errors: unknown[] = [];
      const storage = await open({ onError: (error) => errors.push(error) });
      await client.set('invigilator:schema', 12);
      const keys = await client.keys('*');
      await client.sendCommand(['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes']);
      await expect.poll(() => errors.some((error) => error instanceof SchemaVersionError)).toBe(true);
      await expect(storage.ping()).rejects.toThrow(StoreAwayError);
      expect(await client.keys('*')).toEqual(keys);
    });

    describe('has keys', () => {
      /** Each kind of key that is in Redis now, by its line in the schema. */
      async function kindsThere(): Promise<string[]> {
        const names = await client.keys('*');
        return Promise.all(
          names.map(async (name) => {
            const type = await client.type(name);
            const { key, kind } = patterns.find(({ pattern }) => pattern.test(name)) ?? { key: 'none', kind: 'none' };
            return kind === 'any'
              ? `${key}: any`
              : `${key}: ${kindOf[type] ?? type}${key === 'none' ? ` ${name}` : ''}`;
          }),
        );
      }

      test('of the schema, each of its kind, in a store of which every part was used, and the schema has no others', async () => {
        const storage = await open();
        await fill(storage);
        const filled = await kindsThere();
        await expectToGoOn(storage, await look(storage));
        await storage.ping();
        await client.hSet(redisKey('invigilator', '{alerts}:state:<queue>', 'subscriptions/T1'), 'part:9', '{');
        await storage.subscriptions.all('T1');
        await storage.queues.wake('channel/T1/C1', Date.now() + 60_000);
        await storage.queues.stop();
        const used = await storage.leases.withLease('one', 30_000, kindsThere);
        const kinds = new Set([...filled, ...(used.held ? used.value : [])]);
        expect([...kinds].toSorted()).toEqual(patterns.map(({ key, kind }) => `${key}: ${kind}`).toSorted());
      });
    });
  },
);

test('the name of a key has what stands for each of its names', () => {
  expect(redisKey('p', '{alerts}:places:<queue>:<subscription>', 'channel/$&', 's-1')).toBe(
    'p:{alerts}:places:channel/$&:s-1',
  );
  expect(redisKey('p', '{alerts}:entries:<queue>', '')).toBe('p:{alerts}:entries:');
});

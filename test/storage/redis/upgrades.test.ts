import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { verifyChain } from '../../../src/domain/audit-chain.ts';
import { hashBeforeSealing } from '../../../src/domain/sealed-entry.ts';
import { readRedis } from '../../../src/storage/redis/read-only.ts';
import { createRedisStorage } from '../../../src/storage/redis/redis-storage.ts';
import { prepareRedis } from '../../../src/storage/redis/upgrades.ts';
import { SchemaVersionError } from '../../../src/storage/schema-version.ts';
import { StoreAwayError } from '../../../src/storage/storage.ts';
import { connectRedis, redisMissing, startRedis } from '../../support/redis.ts';
import { writeRedisOfVersion15 } from '../../support/store-1-5.ts';
import { wholeTrail } from '../../support/whole-trail.ts';

type Client = Awaited<ReturnType<typeof connectRedis>>;

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

    /** By kind, the queues with a state, each with when it last changed. */
    async function changes(): Promise<Record<string, Record<string, number>>> {
      const all = await client.keys('invigilator:{alerts}:changed:*');
      const keys = all.filter((key) => !key.endsWith(':key'));
      const entries = await Promise.all(
        keys.map(async (key) => {
          const found = await client.zRangeWithScores(key, 0, -1);
          return [key.slice(key.lastIndexOf(':') + 1), Object.fromEntries(found.map((one) => [one.value, one.score]))];
        }),
      );
      return Object.fromEntries(entries) as Record<string, Record<string, number>>;
    }

    const allAt = (time: number) => ({
      channel: { 'channel/T1/C1': time, 'channel/T1/C2': time },
      digest: { 'digest/T1/s-2': time },
    });

    const contentOf = async () =>
      Promise.all(
        (await client.keys('*')).toSorted().map(async (key) => [key, await client.sendCommand(['DUMP', key])]),
      );

    test('is set in an empty one, and again where everything was lost', async () => {
      const storage = await open();
      expect(await client.get('invigilator:schema')).toBe('8');
      await client.flushAll();
      await client.sendCommand(['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes']);
      await expect.poll(() => client.get('invigilator:schema')).toBe('8');
      await vi.waitFor(() => expect(storage.content.loss()).toMatchObject({ kind: 'replaced' }), { timeout: 90_000 });
      await storage.kv('plans').set('key', 1);
    });

    test('is set again where everything was lost and the bot has written since', async () => {
      const storage = await open();
      await client.flushAll();
      await storage.outbox.commit('channel/T1/C1', { version: 0, state: {}, isBusy: true });
      await (await open()).ping();
      expect(await client.get('invigilator:schema')).toBe('8');
    });

    test('of 1.5 is upgraded once, of however many instances start, and states count as changed then', async () => {
      await writeRedisOfVersion15(client);
      const times = [1_000, 2_000, 3_000];
      await Promise.all(times.map((time) => open({ now: () => time })));
      const upgraded = await changes();
      expect(times.map(allAt)).toContainEqual(upgraded);
      await open({ now: () => 4_000 });
      expect(await changes()).toEqual(upgraded);
    });

    test.each([4, 5, 6, 7])('of 1.5 is upgraded after an upgrade that broke off at its command %i', async (count) => {
      await writeRedisOfVersion15(client);
      await breakOff(count);
      expect(await client.get('invigilator:schema')).toBe('4');
      const begun = Object.values(await changes()).flatMap(Object.values);
      expect(begun).toHaveLength(count - 4);
      await open({ now: () => 2_000 });
      const now = Object.values(await changes()).flatMap(Object.values);
      expect(now.filter((time) => time === 1_000)).toEqual(begun);
      expect(now).toHaveLength(3);
      expect(await client.get('invigilator:schema')).toBe('8');
    });

    test.each([8, 12, 16, 20, 24, 28, 32])(
      'of 1.5 has its record sealed once, also after an upgrade that broke off at its command %i',
      async (count) => {
        await writeRedisOfVersion15(client);
        await breakOff(count).catch(() => {});
        const { audit } = await open({ now: () => 2_000 });
        const links = await audit.since('T1', 0, 100);
        expect(links.map(({ text }) => text).join('')).not.toContain('Ω');
        expect(links.map(({ entry: { operation, message } }) => [operation, message])).toEqual([
          ...Array.from({ length: 7 }, () => ['close-quiz', '“Ω” 🎓']),
          ['seal-record', undefined],
        ]);
        expect(links.slice(0, -1).every((link) => hashBeforeSealing(link) !== undefined)).toBe(true);
        expect(await verifyChain(wholeTrail(audit, 'T1'), await audit.head('T1'))).toMatchObject({ kind: 'whole' });
      },
    );

    test('of 1.5 is upgraded at the start, as the doctor says', async () => {
      await writeRedisOfVersion15(client);
      const reading = readRedis(redis.url);
      expect([await reading.look(), await reading.isOlder()]).toEqual([undefined, true]);
    });

    const startOlder =
      'the state in Redis was written by version 1.1 of the bot or an older one: start version 1.6 with it once, then this version';
    const startNewer = 'the state in Redis was written by a newer version of the bot: start that version';

    test.each([
      ['of 0.1', ['SADD', 'invigilator:{inbox}:known', 'e-1'], 'older_schema', startOlder],
      ['of 1.0 that took events', ['HSET', 'invigilator:{alerts}:facts', 'e-1', '{}'], 'older_schema', startOlder],
      ['of 1.0 that only started', ['HSET', 'invigilator:lanes:planned', 'rounds', '1'], 'older_schema', startOlder],
      ['of 1.1', ['SET', 'invigilator:schema', '3'], 'older_schema', startOlder],
      ['that is newer', ['SET', 'invigilator:schema', '9'], 'newer_schema', startNewer],
    ])('%s is refused, and nothing is changed', async (_, command, code, message) => {
      await client.sendCommand(command);
      await client.hSet('invigilator:{approvals:T1}:a', { request: '{}', version: 3 });
      const before = await contentOf();
      await expect(open()).rejects.toMatchObject({ code, message });
      expect(await readRedis(redis.url).look()).toMatchObject({ code, effect: 'stops', forOperator: message });
      expect(await contentOf()).toEqual(before);
    });

    test('that is newer when Redis comes back is not touched', async () => {
      const errors: unknown[] = [];
      const storage = await open({ onError: (error) => errors.push(error) });
      await client.set('invigilator:schema', 9);
      const keys = await client.keys('*');
      await client.sendCommand(['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes']);
      await expect.poll(() => errors.some((error) => error instanceof SchemaVersionError)).toBe(true);
      await expect(storage.ping()).rejects.toThrow(StoreAwayError);
      expect(await client.keys('*')).toEqual(keys);
    });
  },
);

import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { emptyChain, nextLink } from '../../../src/domain/audit-chain.ts';
import { NewerSchemaError, prepareRedis } from '../../../src/storage/redis/schema.ts';
import { createRedisStorage } from '../../../src/storage/redis/redis-storage.ts';
import { StoreAwayError } from '../../../src/storage/storage.ts';
import { connectRedis, redisMissing, startRedis } from '../../support/redis.ts';
import {
  oldAuditText,
  oldChannelState,
  oldCompareState,
  oldContent,
  oldDigest,
  oldPause,
  oldRequest,
  oldSettled,
  oldSubscription,
  oldWaiting,
} from '../../support/version-2.ts';
import { version3 } from '../../support/version-3.ts';
import { expectToGoOn, expectUpgraded } from '../cases/upgraded.ts';
import { expectUpgradedOutcomes, upgradedQueue } from '../cases/upgraded-outcomes.ts';

type Client = Awaited<ReturnType<typeof connectRedis>>;

/** What a bot of version 1.0 leaves in Redis. */
async function writeVersion2(client: Client): Promise<void> {
  const base = 'invigilator:{alerts}:';
  const events = [
    ...oldSettled.map((event) => ({ ...event, type: 'response.submitted', body: undefined, trusted: true })),
    ...oldWaiting.map((event) => ({ ...event, takenAt: 900 })),
  ];
  for (const [n, { id, type, trusted, subject, body, takenAt }] of events.entries()) {
    await client.hSet(`${base}facts`, id, JSON.stringify({ type, trusted }));
    if (subject !== '') {
      await client.hSet(`${base}subjects`, id, subject);
      await client.zAdd(`${base}of:${subject}`, { score: n, value: id });
    }
    if (body === undefined) await client.zAdd(`${base}settled`, { score: takenAt, value: id });
    else {
      await client.zAdd(`${base}waiting`, { score: n, value: id });
      await client.hSet(`${base}bodies`, id, body);
      await client.hSet(`${base}taken-at`, id, takenAt);
    }
  }
  await client.set(`${base}place`, events.length);
  const lane = 'channel/T1/C1';
  for (const [position, at, content] of [
    [3, 1_000, oldContent],
    [4, 1_100, oldDigest],
  ] as const) {
    await client.hSet(`${base}entries:${lane}`, position, `{"subscriptionId":"s-1","at":${at},"content":${content}}`);
    await client.hSet(`${base}owners:${lane}`, position, 's-1');
    await client.zAdd(`${base}places:${lane}:s-1`, { score: position, value: String(position) });
    await client.zAdd(`${base}ages:${lane}:s-1`, { score: at, value: String(position) });
  }
  await client.set(`${base}position`, 9);
  await client.sAdd(`${base}owned:${lane}`, 's-1');
  await client.sAdd(`${base}lanes-of:s-1`, lane);
  await client.sAdd(`${base}lanes`, lane);
  await client.sAdd(`${base}busy`, lane);
  await client.hSet(`${base}state:${lane}`, { version: 5, state: oldChannelState });
  await client.hSet(`${base}state:compare`, { version: 2, state: oldCompareState });
  await client.hSet('invigilator:{subscriptions:T1}:all', 's-1', oldSubscription);
  await client.hSet('invigilator:{subscriptions:T1}:pauses', 's-1', oldPause);
  await client.hSet('invigilator:{approvals:T1}:a', { request: oldRequest, version: 3 });
  await client.zAdd('invigilator:{approvals:T1}:pending', { score: 1_000, value: 'a' });
  await client.hSet('invigilator:tally:webhooks', { taken: 7, missed: 3, 'refused: malformed': 2 });
  const link = nextLink(emptyChain, oldAuditText);
  await client.rPush('invigilator:{audit:T1}:links', JSON.stringify(link));
  await client.hSet('invigilator:{audit:T1}:head', { position: link.position, hash: link.hash });
  await client.hSet('invigilator:lanes:planned', 'rounds', 1);
}

/** What a bot of version 1.1 leaves in Redis. */
async function writeVersion3(client: Client): Promise<void> {
  const base = 'invigilator:{alerts}:';
  await client.set('invigilator:schema', 3);
  for (const [position, at, content] of [
    [3, 1_000, version3.failed],
    [4, 1_100, version3.digest],
  ] as const) {
    await client.hSet(
      `${base}entries:${upgradedQueue}`,
      position,
      `{"subscriptionId":"s-1","at":${at},"content":${content}}`,
    );
    await client.hSet(`${base}owners:${upgradedQueue}`, position, 's-1');
    await client.zAdd(`${base}places:${upgradedQueue}:s-1`, { score: position, value: String(position) });
    await client.zAdd(`${base}ages:${upgradedQueue}:s-1`, { score: at, value: String(position) });
  }
  await client.sAdd(`${base}owned:${upgradedQueue}`, 's-1');
  await client.sAdd(`${base}queues-of:s-1`, upgradedQueue);
  await client.sAdd(`${base}queues`, upgradedQueue);
  await client.hSet(`${base}state:${upgradedQueue}`, { version: 5, state: version3.state });
  for (const [place, kind, id, content] of [
    ['1', 'submission', 'survey', version3.survey],
    ['2', 'hint', 'hint', version3.hint],
  ] as const) {
    await client.hSet(`${base}held`, place, `{"id":"${id}","takenAt":900,"content":${content}}`);
    await client.zAdd(`${base}held-${kind}s`, { score: Number(place), value: place });
    await client.sAdd(`${base}held-ids`, id);
  }
}

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

    async function open(onError: (error: unknown) => void = () => {}) {
      const storage = createRedisStorage({ url: redis.url, now: Date.now, onError });
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
      await expect(prepareRedis(breaking as never, 'invigilator', Date.now)).rejects.toThrow('the instance was killed');
      await client.del('invigilator:lease:schema');
    }

    test('is set in an empty one, and again where everything was lost', async () => {
      const storage = await open();
      expect(await client.get('invigilator:schema')).toBe('5');
      await client.flushAll();
      await client.sendCommand(['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes']);
      await expect.poll(() => client.get('invigilator:schema')).toBe('5');
      await vi.waitFor(() => expect(storage.content.loss()).toMatchObject({ kind: 'replaced' }), { timeout: 20_000 });
      await storage.kv('one').set('key', 1);
    });

    test('that is older is upgraded once, of however many instances start', async () => {
      await writeVersion2(client);
      const [one] = await Promise.all([open(), open(), open()]);
      await expectUpgraded(one);
      expect(await client.keys('invigilator:lanes*')).toEqual([]);
      expect(
        (await client.keys('invigilator:{alerts}:*')).filter((key) =>
          /:(?:of:.*|facts|bodies|waiting|taken-at|settled|lanes.*)$/.test(key),
        ),
      ).toEqual([]);
      await expectUpgraded(await open());
      await expectToGoOn(one);
    });

    test.each([undefined, 2, 5, 8])(
      'of version 3 is upgraded to four outcomes, also after an upgrade that broke off at its command %s',
      async (count) => {
        await writeVersion3(client);
        if (count !== undefined) await breakOff(count);
        await expectUpgradedOutcomes(await open());
        expect(await client.get('invigilator:schema')).toBe('5');
      },
    );

    test.each([1, 5, 15, 40, 80])(
      'that is older is upgraded after an upgrade that broke off at its command %i',
      async (count) => {
        await writeVersion2(client);
        await breakOff(count);
        const storage = await open();
        await expectUpgraded(storage);
        await expectToGoOn(storage);
        expect(await client.get('invigilator:schema')).toBe('5');
      },
    );

    test('of version 4 gets the time of the upgrade as when its queues last changed', async () => {
      const begin = Date.now();
      await client.set('invigilator:schema', 4);
      await client.hSet('invigilator:{alerts}:state:step/T1/over', { version: 3, state: '{}' });
      const { outbox } = await open();
      await outbox.forgetStates({ step: begin });
      expect(await outbox.stateOf('step/T1/over')).toEqual({ version: 3, state: {} });
      await outbox.forgetStates({ step: Date.now() + 1 });
      expect(await outbox.stateOf('step/T1/over')).toEqual({ version: 0, state: undefined });
    });

    test('that is newer is refused, and nothing is changed', async () => {
      await client.set('invigilator:schema', 6);
      await expect(open()).rejects.toThrow(NewerSchemaError);
      expect(await client.keys('*')).toEqual(['invigilator:schema']);
    });

    test('that is newer when Redis comes back is not touched', async () => {
      const errors: unknown[] = [];
      const storage = await open((error) => errors.push(error));
      await client.set('invigilator:schema', 6);
      const keys = await client.keys('*');
      await client.sendCommand(['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes']);
      await expect.poll(() => errors.some((error) => error instanceof NewerSchemaError)).toBe(true);
      await expect(storage.ping()).rejects.toThrow(StoreAwayError);
      expect(await client.keys('*')).toEqual(keys);
    });
  },
);

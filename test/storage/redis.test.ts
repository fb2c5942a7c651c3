import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { verifyChain } from '../../src/domain/audit-chain.ts';
import { createRedisStorage } from '../../src/storage/redis/redis-storage.ts';
import { StoreAwayError, StoreFullError } from '../../src/storage/storage.ts';
import { auditEntry } from '../support/builders/governance.ts';
import { createHandTimers } from '../support/virtual-clock.ts';
import { holdLease, isFree } from '../support/held-lease.ts';
import { newEvent, takeMatched } from '../support/event.ts';
import { queueEntry, namesOf, subscription } from '../support/builders/alerts.ts';
import { read } from '../support/project-files.ts';
import { connectRedis, redisMissing, startRedis, createRedisUser } from '../support/redis.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { wholeTrail } from '../support/opened-links.ts';
import { holdsFor } from './cases/every-store.ts';
import { eventually } from '../support/watchdog.ts';

describe.skipIf(redisMissing !== null)(`Redis${redisMissing ? ` (${redisMissing})` : ''}`, () => {
  let redis: Awaited<ReturnType<typeof startRedis>>;
  const open = async (options: Partial<Parameters<typeof createRedisStorage>[0]> = {}) => {
    const storage = createRedisStorage({ url: redis.url, now: Date.now, onError: () => {}, ...options });
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

  describe('as a user with the documented rights', () => {
    let user: Awaited<ReturnType<typeof createRedisUser>>;
    beforeAll(async () => {
      user = await createRedisUser(redis.url);
    });
    holdsFor(async (setTimer) => open({ setTimer, url: user.url }));

    test('is refused nothing', async () => expect(await user.refused()).toEqual([]));
  });

  test('lets that user reach the keys of tenants, and delete nothing of others', async () => {
    const user = await createRedisUser(redis.url);
    const client = await connectRedis(user.url);
    onTestFinished(() => client.close());
    expect(await client.get('invigilator/acme:schema')).toBeNull();
    await expect(client.flushAll()).rejects.toThrow(/NOPERM/);
    await expect(client.get('other')).rejects.toThrow(/NOPERM/);
    expect(await user.refused()).not.toEqual([]);
  });

  test('ends keyed values with their time to live', async () => {
    const storage = await open();
    await storage.kv('plans').set('key', 1, 1);
    await expect.poll(() => storage.kv('plans').get('key')).toBeUndefined();
    await storage.close();
  });

  test('takes the subscription of the configured channel when it is full, and refuses those of people', async () => {
    const storage = await open();
    await storage.client.configSet('maxmemory', '1mb');
    onTestFinished(async () => {
      await storage.client.configSet('maxmemory', '0');
      await storage.close();
    });
    await expect(
      storage.subscriptions.add(subscription({ id: 'by-a-person', teamId: 'T1', ownerId: 'U1' })),
    ).rejects.toThrow(StoreFullError);
    await storage.subscriptions.add(subscription({ id: 'configured', teamId: 'T1', ownerId: null }));
    expect((await storage.subscriptions.all('T1')).map(({ id }) => id)).toEqual(['configured']);
  });

  test('keeps one chain whatever instances write to it at once', async () => {
    const [one, two] = [await open(), await open()];
    await Promise.all(
      [one, two].flatMap((storage) =>
        Array.from({ length: 10 }, (_, n) => storage.audit.append('T1', auditEntry({ correlationId: String(n) }))),
      ),
    );
    expect(await verifyChain(wholeTrail(one.audit, 'T1'), await two.audit.head('T1'))).toMatchObject({
      kind: 'whole',
      count: 20,
    });
    await Promise.all([one.close(), two.close()]);
  });

  test('takes and handles an event once, whichever instances try', async () => {
    const stores = [await open(), await open()];
    const results = await Promise.all(
      stores.map((storage, n) =>
        takeMatched(storage, newEvent({ id: 'a' }), [queueEntry({ name: String(n) }), queueEntry({ name: String(n) })]),
      ),
    );
    expect(results.map(String).toSorted()).toEqual(['known', 'taken']);
    const names = namesOf(await stores[0]!.outbox.waiting('channel/T1/C1', { limit: 100 }));
    expect(['0,0', '1,1']).toContain(names.join());
    await Promise.all(stores.map((storage) => storage.close()));
  });

  test('gives a lease to one instance, and its whole time back when it is renewed', async () => {
    const timers = createHandTimers();
    const [one, two] = [await open({ setTimer: timers.setTimer }), await open()];
    const { release } = await holdLease(one.leases, 'a');
    expect(await isFree(two.leases, 'a')).toBe(false);
    await two.client.pExpire('invigilator:lease:a', 30_000);
    timers.fire(20_000);
    await expect.poll(() => two.client.pTTL('invigilator:lease:a')).toBeGreaterThan(50_000);
    await release();
    expect(await isFree(two.leases, 'a')).toBe(true);
    await Promise.all([one.close(), two.close()]);
  });

  /** Everything that asks Redis, of each part of the storage. */
  const asks = (storage: Awaited<ReturnType<typeof open>>): [string, () => Promise<unknown>][] => [
    ['ping', () => storage.ping()],
    ['keyed get', () => storage.kv('plans').get('key')],
    ['keyed set', () => storage.kv('plans').set('key', 1)],
    ['keyed delete', () => storage.kv('plans').delete('key')],
    ['inbox', () => storage.inbox.take(newEvent({ id: 'a' }))],
    ['outbox', () => storage.outbox.commit('channel/T1/C1', { version: 0, state: {}, isBusy: false })],
    ['queues', () => storage.queues.wake('channel/T1/C1')],
    ['queues later', () => storage.queues.wake('channel/T1/C1', Date.now() + 60_000)],
    ['subscriptions', () => storage.subscriptions.all('T1')],
    ['counters', () => storage.counters.of('one')],
    ['approvals', () => storage.approvals.pending('T1')],
    ['audit', () => storage.audit.append('T1', auditEntry())],
    ['leases', () => storage.leases.withLease('a', 1_000, async () => {})],
  ];
  const errorsOf = (storage: Awaited<ReturnType<typeof open>>) =>
    Promise.all(
      asks(storage).map(async ([name, ask]) => [
        name,
        await ask().then(
          () => 'no error',
          (error: unknown) => (error instanceof StoreAwayError ? 'away' : error),
        ),
      ]),
    );

  test('says that it is away when it holds the connection and does not answer', async () => {
    const storage = await open();
    const other = await connectRedis(redis.url);
    await other.sendCommand(['CLIENT', 'PAUSE', '60000', 'ALL']);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const answers = [storage.ping(), storage.audit.append('T1', auditEntry())].map((answer) =>
      answer.catch((error: unknown) => error),
    );
    await vi.advanceTimersByTimeAsync(5_000);
    for (const answer of await Promise.all(answers)) expect(answer).toBeInstanceOf(StoreAwayError);
    vi.useRealTimers();
    other.destroy();
    storage.client.destroy();
    await redis.stop();
    await redis.startAgain();
  });

  test('says that it is away, instead of looking empty or waiting, and works again by itself', async () => {
    const own = await startRedis(temporaryDirectory());
    onTestFinished(() => own.stop());
    const errors: unknown[] = [];
    const storage = createRedisStorage({ url: own.url, now: Date.now, onError: (error) => errors.push(error) });
    await storage.open();
    expect(await errorsOf(storage)).toEqual(asks(storage).map(([name]) => [name, 'no error']));
    await own.stop();
    expect(await errorsOf(storage)).toEqual(asks(storage).map(([name]) => [name, 'away']));
    await own.startAgain();
    await eventually(() => storage.ping());
    expect(await errorsOf(storage)).toEqual(asks(storage).map(([name]) => [name, 'no error']));
    await storage.queues.stop();
    await storage.close();
    expect(errors).not.toEqual([]);
  });

  test('says that it is away where it never was there', async () => {
    const storage = await open({ url: 'redis://127.0.0.1:1' });
    await storage.queues.start(async () => undefined);
    expect(await errorsOf(storage)).toEqual(asks(storage).map(([name]) => [name, 'away']));
    await storage.queues.stop();
    await storage.close();
  });

  test('leaves a mistake of the bot what it is', async () => {
    const storage = await open();
    await expect(storage.client.sendCommand(['NO-SUCH-COMMAND'])).rejects.not.toBeInstanceOf(StoreAwayError);
    await storage.close();
  });

  describe('what cannot be read', () => {
    const { queue } = queueEntry({});
    async function openWatched() {
      const errors: unknown[] = [];
      const storage = await open({ onError: (error) => errors.push(error) });
      onTestFinished(() => storage.close());
      const aside = () => storage.client.hGetAll('invigilator:{alerts}:unreadable');
      return { storage, errors, aside, client: storage.client };
    }

    test('is set aside from a queue, and what is behind it goes on', async () => {
      const { storage, errors, aside, client } = await openWatched();
      await storage.outbox.put([queueEntry({ name: 'one' }), queueEntry({ name: 'two' })]);
      await client.hSet(`invigilator:{alerts}:entries:${queue}`, '1', '{');
      expect(namesOf(await storage.outbox.waiting(queue, { limit: 10 }))).toEqual(['two']);
      await expect.poll(aside).toEqual({ [`${queue}/1`]: '{' });
      expect(await storage.outbox.queues()).toMatchObject([{ queue, waiting: 1 }]);
      expect(errors).toHaveLength(1);
    });

    test('holds up an event, and loses nothing of those that were taken before it in the same step', async () => {
      const { storage, client } = await openWatched();
      const [one, two] = [newEvent({ id: 'one', subject: '' }), newEvent({ id: 'two', result: 'passed' })];
      const takeBoth = () =>
        Promise.allSettled([
          takeMatched(storage, one, [queueEntry({ name: 'one' })]),
          takeMatched(storage, two, [queueEntry({ name: 'two' })]),
        ]);
      await client.set('invigilator:{alerts}:results', 'no hash');
      expect(await takeBoth()).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
      await client.del('invigilator:{alerts}:results');
      expect(await takeBoth()).toMatchObject([{ value: 'known' }, { value: 'taken' }]);
      expect(namesOf(await storage.outbox.waiting(queue, { limit: 10 }))).toEqual(['one', 'two']);
    });

    test('is set aside from the states of queues, and the queue begins anew', async () => {
      const { storage, errors, aside, client } = await openWatched();
      await storage.outbox.commit(queue, { version: 0, state: { threads: {} }, isBusy: true });
      await client.hSet(`invigilator:{alerts}:state:${queue}`, 'state', '{');
      expect(await storage.outbox.stateOf(queue)).toEqual({ version: 0, state: undefined });
      await expect.poll(aside).toEqual({ [`state/${queue}`]: '{' });
      expect(await storage.outbox.commit(queue, { version: 0, state: { threads: {} }, isBusy: false })).toBe(true);
      expect(await storage.outbox.stateOf(queue)).toEqual({ version: 1, state: { threads: {} } });
      expect(errors).toHaveLength(1);
    });

    test('is set aside from the parts of a state, and the others are read', async () => {
      const { storage, errors, aside, client } = await openWatched();
      const parts = { count: 3, changed: new Map(['a', 'b', 'c'].entries()) };
      await storage.outbox.commit(queue, { version: 0, state: 'whole', isBusy: true, parts });
      await client.hSet(`invigilator:{alerts}:state:${queue}`, 'part:1', '{');
      const left = new Map([
        [0, 'a'],
        [2, 'c'],
      ]);
      expect(await storage.outbox.stateWithParts(queue)).toEqual({ version: 1, state: 'whole', parts: left });
      await expect.poll(aside).toEqual({ [`state/${queue}/part:1`]: '{' });
      expect(await storage.outbox.stateWithParts(queue)).toEqual({ version: 1, state: 'whole', parts: left });
      expect(errors).toHaveLength(1);
    });
  });

  test('takes as much memory for a known event as the operations guide says', async () => {
    const storage = await open();
    onTestFinished(() => storage.close());
    const usedBytes = async () => Number(/^used_memory:(\d+)/m.exec(await storage.client.info('memory'))![1]);
    const take = async (count: number) => {
      for (let taken = 0; taken < count; taken += 500)
        await Promise.all(
          Array.from({ length: 500 }, async () =>
            storage.inbox.take({
              id: randomUUID(),
              subject: `${randomUUID()}/${randomUUID()}`,
              isBackfilled: false,
              takenAt: Date.now(),
              content: undefined,
              result: '["passed",7,8,87.5,"B",1795000000,1795000001]',
            }),
          ),
        );
    };
    await take(2_000);
    const before = await usedBytes();
    await take(6_000);
    const each = ((await usedBytes()) - before) / 6_000;
    const [, documented] = /a million submissions a month take about (\d+) MB/.exec(read('docs/operations.md'))!;
    expect(each / Number(documented)).toBeGreaterThan(0.7);
    expect(each / Number(documented)).toBeLessThan(1.2);
  });
});

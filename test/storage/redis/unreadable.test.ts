import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createRedisStorage } from '../../../src/storage/redis/redis-storage.ts';
import { queueEntry, namesOf, subscription } from '../../support/builders/alerts.ts';
import { approvalRequest } from '../../support/builders/governance.ts';
import { newEvent, takeMatched } from '../../support/event.ts';
import { redisMissing, startRedis } from '../../support/redis.ts';

describe.skipIf(redisMissing !== null)(
  `what cannot be read in Redis${redisMissing ? ` (${redisMissing})` : ''}`,
  () => {
    let redis: Awaited<ReturnType<typeof startRedis>>;
    beforeAll(async () => {
      redis = await startRedis();
    });
    afterAll(() => redis.stop());

    async function open() {
      const errors: string[] = [];
      const storage = createRedisStorage({
        url: redis.url,
        now: Date.now,
        onError: (error) => errors.push(String(error)),
      });
      await storage.open();
      await storage.client.flushAll();
      onTestFinished(() => storage.close());
      const aside = () => storage.client.hGetAll('invigilator:{alerts}:unreadable');
      return { storage, errors, aside, client: storage.client };
    }
    const { queue } = queueEntry({});

    test('is set aside from a queue, and what is behind it goes on', async () => {
      const { storage, errors, aside, client } = await open();
      await storage.outbox.put([queueEntry({ name: 'one' }), queueEntry({ name: 'two' })]);
      await client.hSet(`invigilator:{alerts}:entries:${queue}`, '1', '{');
      expect(namesOf(await storage.outbox.waiting(queue, { limit: 10 }))).toEqual(['two']);
      await expect.poll(aside).toEqual({ [`${queue}/1`]: '{' });
      expect(await storage.outbox.queues()).toMatchObject([{ queue, waiting: 1 }]);
      expect(errors).toHaveLength(1);
    });

    test('holds up an event, and loses nothing of those that were taken before it in the same step', async () => {
      const { storage, client } = await open();
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
      const { storage, errors, aside, client } = await open();
      await storage.outbox.commit(queue, { version: 0, state: { threads: {} }, isBusy: true });
      await client.hSet(`invigilator:{alerts}:state:${queue}`, 'state', '{');
      expect(await storage.outbox.stateOf(queue)).toEqual({ version: 0, state: undefined });
      await expect.poll(aside).toEqual({ [`state/${queue}`]: '{' });
      expect(await storage.outbox.commit(queue, { version: 0, state: { threads: {} }, isBusy: false })).toBe(true);
      expect(await storage.outbox.stateOf(queue)).toEqual({ version: 1, state: { threads: {} } });
      expect(errors).toHaveLength(1);
    });

    test('is set aside from the parts of a state, and the others are read', async () => {
      const { storage, errors, aside, client } = await open();
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

    test('is set aside from the subscriptions, and the others are read', async () => {
      const { storage, errors, aside, client } = await open();
      for (const id of ['s-1', 's-2', 's-3']) await storage.subscriptions.add(subscription({ id }));
      const { teamId } = subscription();
      const key = `subscriptions/${teamId}`;
      for (const part of [0, 1]) await client.hSet(`invigilator:{alerts}:state:${key}`, `part:${part}`, '{');
      expect((await storage.subscriptions.all(teamId)).map(({ id }) => id)).toEqual(['s-3']);
      await expect
        .poll(async () => Object.keys(await aside()).toSorted())
        .toEqual([`state/${key}/part:0`, `state/${key}/part:1`]);
      await storage.subscriptions.add(subscription({ id: 's-1' }));
      expect((await storage.subscriptions.all(teamId)).map(({ id }) => id)).toEqual(['s-1', 's-3']);
      expect(errors).toHaveLength(2);
    });

    test('is set aside from the requests for approval, and the others are read and added', async () => {
      const { storage, aside, client } = await open();
      const request = (id: string) => approvalRequest({ id, requesterId: `U-${id}` });
      for (const id of ['r-1', 'r-2']) await storage.approvals.add(request(id));
      const { teamId } = request('r-1');
      await client.hSet(`invigilator:{alerts}:state:request/${teamId}/r-1`, 'state', '{');
      expect(await storage.approvals.addUnlessOpen(request('r-3'))).toBeUndefined();
      expect((await storage.approvals.pending(teamId)).map(({ id }) => id)).toEqual(['r-2', 'r-3']);
      await expect.poll(aside).toEqual({ [`state/request/${teamId}/r-1`]: '{' });
      expect(await storage.approvals.byId(teamId, 'r-1')).toBeUndefined();
    });
  },
);

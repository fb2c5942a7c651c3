import { describe, expect, test } from 'vitest';
import {
  countWaiting,
  createSubscriptionList,
  createSubscriptionService,
} from '../../../src/features/alerts/subscriptions.ts';
import type { Subscription, SubscriptionSpec } from '../../../src/domain/subscription.ts';
import { recordingLog } from '../../support/log.ts';
import { createMemoryChannel, platformError } from '../../support/memory-channel.ts';
import { createMemoryOutbox, createMemorySubscriptions } from '../../support/memory-outbox.ts';
import { queueEntry, subscription } from '../../support/builders/alerts.ts';

describe('the configured channel', () => {
  const setUp = (channelId: string | undefined, store = createMemorySubscriptions([subscription({ id: 's-1' })])) => ({
    store,
    all: createSubscriptionList({
      store,
      channelId,
      lostSince: () => undefined,
      timeZone: 'Europe/Berlin',
      now: () => 7,
    }),
  });

  test('gets every submission from its first day on, beside the subscriptions of people', async () => {
    const { all } = setUp('C0RESULTS');
    expect((await all('T1'))[1]).toEqual({
      id: 'configured',
      teamId: 'T1',
      channelId: 'C0RESULTS',
      ownerId: null,
      quiz: null,
      filter: { kind: 'all' },
      delivery: { kind: 'each' },
      timeZone: 'Europe/Berlin',
      showsNames: true,
      createdAt: 7,
      pause: null,
    });
    expect(await all('T1')).toHaveLength(2);
  });

  test('gets what may be unannounced where the store lost its content', async () => {
    const store = createMemorySubscriptions([]);
    const all = createSubscriptionList({
      store,
      channelId: 'C0RESULTS',
      lostSince: () => 3,
      timeZone: 'Europe/Berlin',
      now: () => 7,
    });
    expect((await all('T1'))[0]?.createdAt).toBe(3);
  });

  test('stays paused over a restart', async () => {
    const { all, store } = setUp('C0RESULTS');
    await all('T1');
    await store.setPause('T1', 'configured', { since: 8, until: null, by: 'U1' });
    expect((await setUp('C0RESULTS', store).all('T1')).at(-1)?.pause?.by).toBe('U1');
  });

  test('is another one, or none, when the configuration says so', async () => {
    const { all, store } = setUp('C0RESULTS');
    await all('T1');
    expect((await setUp('C0OTHER', store).all('T1')).map(({ channelId }) => channelId)).toEqual(['C1', 'C0OTHER']);
    expect((await setUp(undefined, store).all('T1')).map(({ id }) => id)).toEqual(['s-1']);
  });
});

test('what waits for a subscription is counted in the channel and, for a digest, in its own queue', async () => {
  const outbox = createMemoryOutbox();
  const collected = queueEntry({ queue: 'digest/T1/s-1' });
  outbox.putNow([
    queueEntry(),
    queueEntry({ subscriptionId: 's-2' }),
    queueEntry({ queue: 'channel/T1/C2' }),
    collected,
  ]);
  expect(await countWaiting(outbox, subscription())).toBe(1);
  expect(await countWaiting(outbox, subscription({ delivery: { kind: 'digest', every: 'hour' } }))).toBe(2);
  outbox.putNow(Array.from({ length: 1_200 }, () => queueEntry()));
  expect(await countWaiting(outbox, subscription({ id: 's-2' }))).toBe(1);
  expect(await countWaiting(outbox, subscription())).toBe(999);
});

describe('what people do about subscriptions', () => {
  function setUp(...subscriptions: Subscription[]) {
    const store = createMemorySubscriptions(subscriptions);
    const outbox = createMemoryOutbox();
    const memory = createMemoryChannel();
    const { log, lines } = recordingLog();
    const woken: [queue: string, at: number | undefined][] = [];
    const service = createSubscriptionService({
      store,
      outbox,
      subscriptions: async (teamId) => store.all(teamId),
      channel: memory.channel,
      wake: async (queue, at) => void woken.push([queue, at]),
      newId: () => 'new-id',
      log,
      now: () => 70,
    })('T1');
    return { ...memory, service, store, outbox, woken, lines };
  }

  const spec: SubscriptionSpec = {
    channelId: 'C7',
    quiz: { id: 'q-1', name: 'Fire safety' },
    filter: { kind: 'failed' },
    delivery: { kind: 'digest', every: 'hour' },
    timeZone: 'UTC',
    showsNames: false,
  };
  const made = { ...spec, id: 'new-id', teamId: 'T1', ownerId: 'U1', createdAt: 70, pause: null };

  test('a channel is subscribed without a greeting where the platform is away', async () => {
    const { service, store, fates, woken, lines } = setUp();
    fates.post.push(platformError('unclear'));
    expect(await service.subscribe(spec, 'U1')).toEqual({ subscription: made });
    expect([(await store.all('T1')).length, woken.length]).toEqual([1, 2]);
    expect(JSON.parse(lines[0]!)).toMatchObject({
      level: 'warn',
      channel: 'C7',
      error: { name: 'PlatformError' },
      msg: 'a subscribed channel got no greeting',
    });
  });

  test('a pause wakes the queues when it ends, and resuming wakes them at once', async () => {
    const { service, store, woken } = setUp(
      subscription({ delivery: { kind: 'digest', every: 'hour' } }),
      subscription({ id: 's-2' }),
    );
    expect(await service.pause('s-1', 'U1', 900)).toBe(true);
    expect((await store.all('T1')).map(({ pause }) => pause)).toEqual([{ since: 70, until: 900, by: 'U1' }, null]);
    expect(woken.splice(0)).toEqual([
      ['channel/T1/C1', 900],
      ['digest/T1/s-1', 900],
    ]);
    expect(await service.pause('s-1', 'U2', null)).toBe(true);
    expect((await store.all('T1'))[0]?.pause).toEqual({ since: 70, until: null, by: 'U2' });
    expect(woken.splice(0)).toEqual([
      ['channel/T1/C1', undefined],
      ['digest/T1/s-1', undefined],
    ]);
    expect(await service.resume('s-1')).toBe(true);
    expect((await store.all('T1'))[0]?.pause).toBeNull();
    expect(woken).toEqual([
      ['channel/T1/C1', undefined],
      ['digest/T1/s-1', undefined],
    ]);
  });

  test('a subscription that is gone, or goes meanwhile, is neither paused nor resumed', async () => {
    const { service, store, woken } = setUp(subscription());
    expect([await service.pause('gone', 'U1', 900), await service.resume('gone')]).toEqual([false, false]);
    store.setPause = async () => false;
    expect(await service.resume('s-1')).toBe(false);
    expect(woken).toEqual([]);
  });
});

import { describe, expect, test } from 'vitest';
import {
  countWaiting,
  createSubscriptionList,
  createSubscriptionService,
  createChannelLanguages,
} from '../../../src/features/alerts/subscriptions.ts';
import type { Subscription, SubscriptionSpec } from '../../../src/domain/subscription.ts';
import { recordingLog } from '../../support/log.ts';
import { createMemoryChannel, platformError } from '../../support/memory-channel.ts';
import { createMemoryOutbox, createMemorySubscriptions } from '../../support/memory-outbox.ts';
import { digest, digestOfQuiz, queueEntry, subscription } from '../../support/builders/alerts.ts';
import type { Keyv } from 'keyv';

describe('the configured channel', () => {
  const openConfigured = (
    channelId: string | undefined,
    store = createMemorySubscriptions([subscription({ id: 's-1' })]),
    lostSince?: number,
  ) => ({
    store,
    all: createSubscriptionList({
      store,
      channelId,
      lostSince: () => lostSince,
      timeZone: 'Europe/Berlin',
      now: () => 7,
    }),
  });

  test('gets every submission from its first day on, beside the subscriptions of people', async () => {
    const { all } = openConfigured('C0RESULTS');
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

  test.each([
    ['was not there', undefined, 3],
    ['was added before anybody knew that', 5, 3],
    ['had begun when that happened', 3, 3],
    ['had begun before that', 2, 2],
  ])('gets what may be unannounced where the store lost its content, if it %s', async (_, createdAt, since) => {
    const pause = { since: 2, until: null, by: 'U1' };
    const stored = subscription({ id: 'configured', channelId: 'C0RESULTS', createdAt: createdAt ?? 0, pause });
    const store = createMemorySubscriptions(createdAt === undefined ? [] : [stored]);
    const { all } = openConfigured('C0RESULTS', store, 3);
    const [found, ...others] = await all('T1');
    expect([found?.createdAt, found?.pause, others]).toEqual([since, createdAt === undefined ? null : pause, []]);
  });

  test('stays paused over a restart', async () => {
    const { all, store } = openConfigured('C0RESULTS');
    await all('T1');
    await store.setPause('T1', 'configured', { since: 8, until: null, by: 'U1' });
    expect((await openConfigured('C0RESULTS', store).all('T1')).at(-1)?.pause?.by).toBe('U1');
  });

  test('is another one, or none, when the configuration says so', async () => {
    const { all, store } = openConfigured('C0RESULTS');
    await all('T1');
    expect((await openConfigured('C0OTHER', store).all('T1')).map(({ channelId }) => channelId)).toEqual([
      'C1',
      'C0OTHER',
    ]);
    expect((await openConfigured(undefined, store).all('T1')).map(({ id }) => id)).toEqual(['s-1']);
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
  const made = digest({ quizzes: [digestOfQuiz({ submitted: 3 }), digestOfQuiz({ submitted: 2 })] });
  outbox.putNow([queueEntry({ queue: 'channel/T1/C3', content: { kind: 'digest', digest: made } })]);
  expect(await countWaiting(outbox, subscription({ channelId: 'C3' }))).toBe(5);
  outbox.putNow(Array.from({ length: 1_200 }, () => queueEntry()));
  expect(await countWaiting(outbox, subscription({ id: 's-2' }))).toBe(1);
  expect(await countWaiting(outbox, subscription())).toBe(999);
});

describe('what people do about subscriptions', () => {
  function openService(...subscriptions: Subscription[]) {
    const store = createMemorySubscriptions(subscriptions);
    const outbox = createMemoryOutbox();
    const memory = createMemoryChannel();
    const { log, lines } = recordingLog();
    const woken: [queue: string, at: number | undefined][] = [];
    const service = createSubscriptionService({
      store,
      outbox,
      subscriptions: async (teamId) => store.all(teamId),
      quizName: async (id) => (id === 'q-2' ? 'Fire safety 2026' : undefined),
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
    const { service, store, fates, woken, lines } = openService();
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

  test.each([
    ['closed', 'No app may post here.', false],
    ['forbidden', 'No app may post here.', false],
    ['too_long', undefined, true],
  ] as const)('a channel that answers a greeting with %s', async (kind, closed, isSubscribed) => {
    const { service, store, fates, woken } = openService();
    fates.post.push(platformError(kind, { explanation: 'No app may post here.' }));
    const answer = await service.subscribe(spec, 'U1');
    expect('closed' in answer ? answer.closed : undefined).toBe(closed);
    expect([(await store.all('T1')).length, woken.length]).toEqual(isSubscribed ? [1, 2] : [0, 0]);
  });

  test('a test alert shows the subscription in its channel, and says why where it can’t', async () => {
    const { service, posted, fates } = openService();
    const tried = subscription({ channelId: 'C7' });
    expect(await service.test(tried)).toBeUndefined();
    expect(posted).toMatchObject([{ channelId: 'C7', announcement: { kind: 'test-alert', subscription: tried } }]);
    fates.post.push(platformError('forbidden', { code: 'restricted_action' }), platformError('refused'));
    expect(await service.test(tried)).toMatchObject({
      closed: 'a call of the chat platform failed: restricted_action',
    });
    await expect(service.test(tried)).rejects.toThrow('code of refused');
  });

  test('whether the bot can post is not known where the platform doesn’t say', async () => {
    const { service, fates, lines } = openService();
    fates.whyClosed.push('ok', platformError('unclear'));
    expect([await service.whyClosed('C7'), lines]).toEqual([undefined, []]);
    expect(await service.whyClosed('C7')).toBeUndefined();
    expect(JSON.parse(lines[0]!)).toMatchObject({ level: 'warn', channel: 'C7', error: { name: 'PlatformError' } });
  });

  test('subscriptions are listed by the names that their quizzes have now, with what waits for each', async () => {
    const { service, outbox } = openService(
      subscription(),
      subscription({ id: 's-2', quiz: { id: 'q-2', name: 'Fire safety' } }),
      subscription({ id: 's-3', quiz: { id: 'q-3', name: 'Ladders' } }),
    );
    outbox.putNow([queueEntry({ subscriptionId: 's-2' }), queueEntry({ subscriptionId: 's-2' })]);
    const listed = (await service.all()).map(({ subscription: { quiz }, waiting }) => [quiz?.name, waiting]);
    expect(listed).toEqual([
      [undefined, 0],
      ['Fire safety 2026', 2],
      ['Ladders', 0],
    ]);
  });

  test('what waits for a subscription goes with it', async () => {
    const { service, store, outbox } = openService(subscription(), subscription({ id: 's-2' }));
    outbox.putNow([queueEntry(), queueEntry({ subscriptionId: 's-2' }), queueEntry({ queue: 'digest/T1/s-1' })]);
    expect([await service.unsubscribe('s-1'), await service.unsubscribe('s-1')]).toEqual([true, false]);
    expect((await store.all('T1')).map(({ id }) => id)).toEqual(['s-2']);
    const left = await Promise.all(
      ['channel/T1/C1', 'digest/T1/s-1'].map((queue) => outbox.waiting(queue, { limit: 9 })),
    );
    expect(left.flat().map(({ subscriptionId }) => subscriptionId)).toEqual(['s-2']);
  });

  test('a pause wakes the queues when it ends, and resuming wakes them at once', async () => {
    const { service, store, woken } = openService(
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
    const { service, store, woken } = openService(subscription());
    expect([await service.pause('gone', 'U1', 900), await service.resume('gone')]).toEqual([false, false]);
    store.setPause = async () => false;
    expect(await service.resume('s-1')).toBe(false);
    expect(woken).toEqual([]);
  });
});

/** Keyed values that are in a map. */
function storeOf(values: Map<string, string>): Pick<Keyv<string>, 'get' | 'set' | 'delete'> {
  return {
    get: (async (key: string) => values.get(key)) as Keyv<string>['get'],
    set: async (key, value) => {
      values.set(key, String(value));
      return true;
    },
    delete: async (key) =>
      [key]
        .flat()
        .map((one) => values.delete(one))
        .includes(true),
  };
}

/** Two instances over one store, and how often it is read. */
function setUp() {
  const clock = { now: 1_000_000 };
  const values = new Map<string, string>();
  const reads: string[] = [];
  const kept = storeOf(values);
  const store = {
    ...kept,
    get: (async (key: string) => {
      reads.push(key);
      return kept.get(key);
    }) as typeof kept.get,
  };
  const instance = () => createChannelLanguages({ store, defaultLanguage: 'nl', now: () => clock.now });
  return { clock, values, reads, store, here: instance(), other: instance() };
}

test('a channel has the default language until one is chosen, and after the default is chosen', async () => {
  const { here, values } = setUp();
  expect(await here.of('C1')).toBe('nl');
  expect(await here.choose('C1', 'de')).toBe('default');
  expect(await here.of('C1')).toBe('de');
  expect(await here.of('C2')).toBe('nl');
  expect(await here.choose('C1', 'nl')).toBe('de');
  expect([...values]).toEqual([['C1', 'nl']]);
  expect(await here.choose('C1', 'default')).toBe('nl');
  expect(await here.of('C1')).toBe('nl');
  expect(values.size).toBe(0);
});

test('the store is asked once a minute for each channel, so a choice of another instance counts within one', async () => {
  const { here, other, clock, reads } = setUp();
  await Promise.all([here.of('C1'), here.of('C1'), here.of('C2')]);
  await here.of('C1');
  expect(reads).toEqual(['C1', 'C2']);
  await other.choose('C1', 'pl');
  expect(await other.of('C1')).toBe('pl');
  expect(await here.of('C1')).toBe('nl');
  await other.choose('C2', 'fr');
  clock.now += 59_999;
  expect(await here.of('C2')).toBe('nl');
  clock.now += 1;
  expect(await here.of('C2')).toBe('fr');
});

test('ten thousand channels are remembered, and the one read longest ago is forgotten first', async () => {
  const { here, reads } = setUp();
  for (let number = 0; number < 10_000; number += 1) await here.of(`C${number}`);
  await here.choose('C0', 'de');
  reads.length = 0;
  await here.of('C-more');
  for (const known of ['C2', 'C0', 'C9999']) await here.of(known);
  expect(reads).toEqual(['C-more']);
  await here.of('C1');
  expect(reads).toEqual(['C-more', 'C1']);
});

test('a choice wins over a reading that began before it', async () => {
  const { here, store, values } = setUp();
  const answers: (() => void)[] = [];
  const get = store.get;
  store.get = (async (key: string) => {
    const value = await get(key);
    if (answers.length === 0) await new Promise<void>((resolve) => answers.push(resolve));
    return value;
  }) as typeof get;
  const reading = here.of('C1');
  await expect.poll(() => answers.length).toBe(1);
  await here.choose('C1', 'es');
  answers[0]?.();
  expect(await reading).toBe('nl');
  expect(await here.of('C1')).toBe('es');
  expect([...values]).toEqual([['C1', 'es']]);
});

test('while the store is away, a channel keeps the language that was known, and the store is asked again', async () => {
  const { here, other, store, values, clock } = setUp();
  await here.choose('C1', 'de');
  const get = store.get;
  store.get = async () => {
    throw new Error('away');
  };
  clock.now += 60_000;
  expect(await here.of('C1')).toBe('de');
  expect(await here.of('C1')).toBe('de');
  expect(await here.of('C2')).toBe('nl');
  await expect(here.choose('C1', 'fr')).rejects.toThrow('away');
  store.get = get;
  await other.choose('C1', 'pl');
  values.set('C2', 'es');
  expect(await here.of('C1')).toBe('pl');
  expect(await here.of('C2')).toBe('es');
});

test('what the store holds that is no language is the default', async () => {
  const { here, values } = setUp();
  values.set('C1', 'xx');
  expect(await here.of('C1')).toBe('nl');
});

import { describe, expect, test } from 'vitest';
import {
  countWaiting,
  createSubscriptionList,
  createSubscriptionService,
  createChannelLanguages,
} from '../../../src/features/alerts/subscriptions.ts';
import type { Subscription, SubscriptionSpec } from '../../../src/domain/subscription.ts';
import { subscribedNote } from '../../../src/features/alerts/pages/alerts.ts';
import { PlatformError } from '../../../src/domain/errors.ts';
import { recordingLog } from '../../support/log.ts';
import { createMemoryChannel, platformError } from '../../support/memory-channel.ts';
import { createMemoryOutbox, createMemorySubscriptions } from '../../support/memory-outbox.ts';
import { digest, digestOfQuiz, queueEntry, subscription } from '../../support/builders/alerts.ts';
import type { Keyv } from 'keyv';

describe('the configured channel', () => {
  const configured = subscription({
    id: 'configured',
    channelId: 'C0RESULTS',
    ownerId: null,
    timeZone: 'Europe/Berlin',
    createdAt: 7,
  });
  const pause = { since: 8, until: null, by: 'U1' };
  const kept = { ...configured, createdAt: 5, pause };

  test.each<
    [what: string, stored: Subscription[], channelId: string | undefined, lostSince: number | undefined, is: unknown[]]
  >([
    ['gets every submission from its first day on', [], 'C0RESULTS', undefined, [configured]],
    [
      'gets what may be unannounced where the store lost its content',
      [],
      'C0RESULTS',
      3,
      [{ ...configured, createdAt: 3 }],
    ],
    ['stays as it is, and paused, over a restart', [kept], 'C0RESULTS', undefined, [kept]],
    ['stays so after a loss from before it', [kept], 'C0RESULTS', 9, [kept]],
    [
      'gets what it missed after a loss that was found late, and stays paused',
      [kept],
      'C0RESULTS',
      3,
      [{ ...kept, createdAt: 3 }],
    ],
    ['is another one', [kept], 'C0OTHER', undefined, [{ ...configured, channelId: 'C0OTHER' }]],
    ['is another one after a loss', [kept], 'C0OTHER', 3, [{ ...configured, channelId: 'C0OTHER', createdAt: 3 }]],
    ['is none any more', [kept], undefined, undefined, []],
    ['is none any more after a loss', [kept], undefined, 3, []],
    ['is none, and was none', [], undefined, undefined, []],
  ])('%s, beside the subscriptions of people', async (_, stored, channelId, lostSince, is) => {
    const ofPeople = subscription();
    const store = createMemorySubscriptions([...stored, ofPeople]);
    const all = createSubscriptionList({
      store,
      channelId,
      lostSince: () => lostSince,
      timeZone: 'Europe/Berlin',
      now: () => 7,
    });
    for (let readings = 0; readings < 2; readings += 1) {
      const read = await all('T1');
      expect(read).toHaveLength(is.length + 1);
      expect(read).toEqual(expect.arrayContaining([ofPeople, ...is]));
    }
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
      quizName: async (id) => ({ 'q-1': 'Fire safety 2026' })[id],
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

  test.each([
    ['ok', [{ channelId: 'C7', announcement: { kind: 'note', note: subscribedNote(made) } }], undefined],
    ['unclear', [], 'a subscribed channel got no greeting'],
  ] as const)('a channel is subscribed, and greeted where the platform is there: %s', async (fate, greeting, said) => {
    const { service, store, fates, posted, woken, lines } = openService();
    if (fate !== 'ok') fates.post.push(platformError(fate));
    expect(await service.subscribe(spec, 'U1')).toEqual({ subscription: made });
    expect(await store.all('T1')).toEqual([made]);
    expect(posted).toMatchObject(greeting);
    expect(woken).toEqual([
      ['channel/T1/C7', undefined],
      ['digest/T1/new-id', undefined],
    ]);
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject(
      said === undefined ? [] : [{ level: 'warn', channel: 'C7', error: { name: 'PlatformError' }, msg: said }],
    );
  });

  test.each([
    ['closed', 'The bot isn’t in the channel.', 'The bot isn’t in the channel.'],
    ['forbidden', 'The bot may not post.', 'The bot may not post.'],
    ['closed', undefined, 'a call of the chat platform failed: a_code'],
  ] as const)(
    'a channel that is %s is neither subscribed nor tested, and “%s” says why',
    async (kind, explanation, why) => {
      const { service, store, fates, woken } = openService(subscription());
      const refusal = new PlatformError('a_code', { kind, explanation });
      fates.post.push(refusal, refusal);
      expect([await service.subscribe(spec, 'U1'), await service.test(subscription())]).toEqual([
        { closed: why },
        { closed: why },
      ]);
      expect([await store.all('T1'), woken]).toEqual([[subscription()], []]);
    },
  );

  test('a test posts a sample in the channel, and fails where the platform is away', async () => {
    const { service, posted, fates } = openService();
    expect(await service.test(subscription())).toBeUndefined();
    expect(posted).toMatchObject([
      { channelId: 'C1', announcement: { kind: 'test-alert', subscription: subscription() } },
    ]);
    fates.post.push(platformError('unclear'));
    await expect(service.test(subscription())).rejects.toThrow(PlatformError);
  });

  test('each has its quiz’s name of now, the one it had where that is not at hand, and what waits for it', async () => {
    const quizzes = ['q-1', 'q-2'].map((id) => subscription({ id: `of-${id}`, quiz: { id, name: 'Fire safety' } }));
    const { service, outbox } = openService(subscription(), ...quizzes);
    outbox.putNow(['s-1', 'of-q-2', 'of-q-2'].map((subscriptionId) => queueEntry({ subscriptionId })));
    expect(await service.all()).toEqual([
      { subscription: subscription(), waiting: 1 },
      { subscription: { ...quizzes[0], quiz: { id: 'q-1', name: 'Fire safety 2026' } }, waiting: 0 },
      { subscription: quizzes[1], waiting: 2 },
    ]);
  });

  test('a subscription that ends takes along what waits for it alone', async () => {
    const { service, store, outbox } = openService(subscription(), subscription({ id: 's-2' }));
    outbox.putNow([queueEntry({ at: Date.now() }), queueEntry({ subscriptionId: 's-2' })]);
    expect(await service.unsubscribe('s-1')).toBe(true);
    expect([await store.all('T1'), await outbox.waiting('channel/T1/C1', { limit: 9 })]).toMatchObject([
      [{ id: 's-2' }],
      [{ subscriptionId: 's-2' }],
    ]);
    expect(await service.unsubscribe('s-1')).toBe(false);
  });

  test('why the bot cannot post is what the platform says, and not known where that cannot be asked', async () => {
    const { service, channel, lines } = openService();
    const reason = { why: 'the channel is archived', remedy: 'Restore it.' };
    channel.whyClosed = async (channelId) => (channelId === 'C7' ? reason : undefined);
    expect([await service.whyClosed('C7'), await service.whyClosed('C1'), lines]).toEqual([reason, undefined, []]);
    channel.whyClosed = async () => Promise.reject(platformError('unclear'));
    expect(await service.whyClosed('C7')).toBeUndefined();
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      {
        level: 'warn',
        channel: 'C7',
        error: { name: 'PlatformError' },
        msg: 'whether the bot can post in a channel is not known',
      },
    ]);
  });

  test('a pause wakes the queues when it ends, and resuming wakes them at once', async () => {
    const { service, store, woken } = openService(
      subscription({ id: 's-2', channelId: 'C2' }),
      subscription({ delivery: { kind: 'digest', every: 'hour' } }),
    );
    expect(await service.pause('s-1', 'U1', 900)).toBe(true);
    expect((await store.all('T1')).map(({ pause }) => pause)).toEqual([null, { since: 70, until: 900, by: 'U1' }]);
    expect(woken.splice(0)).toEqual([
      ['channel/T1/C1', 900],
      ['digest/T1/s-1', 900],
    ]);
    expect(await service.pause('s-1', 'U2', null)).toBe(true);
    expect((await store.all('T1'))[1]?.pause).toEqual({ since: 70, until: null, by: 'U2' });
    expect(woken.splice(0)).toEqual([
      ['channel/T1/C1', undefined],
      ['digest/T1/s-1', undefined],
    ]);
    expect(await service.resume('s-1')).toBe(true);
    expect((await store.all('T1'))[1]?.pause).toBeNull();
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

test('ten thousand channels are remembered, and the one that was asked for or chosen longest ago is forgotten first', async () => {
  const { here, reads } = setUp();
  const readFor = async (channelId: string) => {
    reads.length = 0;
    await here.of(channelId);
    return [...reads];
  };
  for (let count = 0; count < 10_000; count += 1) await here.of(`C${count}`);
  expect(await readFor('C0')).toEqual([]);
  await here.choose('C0', 'de');
  expect(await readFor('another')).toEqual(['another']);
  expect([await readFor('C0'), await readFor('C2'), await readFor('C1')]).toEqual([[], [], ['C1']]);
});

test('what the store holds that is no language is the default', async () => {
  const { here, values } = setUp();
  values.set('C1', 'xx');
  expect(await here.of('C1')).toBe('nl');
});

import { whoseAttemptAmong } from '../../../src/directory/whose-attempt.ts';
import { inboxMachine, type SetAside } from '../../../src/features/webhooks/inbox.ts';
import { createTakeEvent, createMatcher } from '../../../src/features/webhooks/take.ts';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createEventParser, syntheticEvent } from '../../../src/features/webhooks/body.ts';
import type { CampaignEvent } from '../../../src/domain/campaign.ts';
import type { NewQueueEntry } from '../../../src/domain/queues.ts';
import { QuizApiError } from '../../../src/quiz-api/errors.ts';
import { readInbox, type InboxState } from '../../../src/storage/records.ts';
import { StoreAwayError } from '../../../src/storage/storage.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import { eventBody } from '../../support/event.ts';
import { recordingLog } from '../../support/log.ts';
import { runMachine } from '../../support/run-machine.ts';
import { quizResponse, submittedResponse } from '../../support/builders/responses.ts';
import { subscription } from '../../support/builders/alerts.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const queue = 'channel/T1/C1';

const campaign = 'campaign/T1/c-1';

function campaignEntry(teamId: string, event: CampaignEvent): NewQueueEntry {
  return {
    queue: `campaign/${teamId}/c-1`,
    subscriptionId: 'campaigns',
    at: 5,
    content: { kind: 'campaign-event', event },
  };
}

/** The way of an event into the queues. `isKnown`: Slack has said which workspace it is. */
async function setUp(
  options: { ask?: () => Promise<unknown>; isKnown?: boolean; subscriptions?: ReturnType<typeof subscription>[] } = {},
) {
  const storage = openSqliteStorage(temporaryDirectory(), { now: Date.now });
  onTestFinished(() => storage.close());
  for (const one of options.subscriptions ?? [subscription()]) await storage.subscriptions.add(one);
  const ask = vi.fn(options.ask ?? (async () => quizResponse()));
  const woken: string[] = [];
  const slack = { isKnown: options.isKnown ?? true };
  const matcher = createMatcher({
    teamId: async () => (slack.isKnown ? 'T1' : Promise.reject(new Error('the workspace is not known'))),
    store: storage.subscriptions,
    subscriptions: storage.subscriptions.all,
    notifiesRespondents: false,
    entriesForFollowers: async (teamId, { responseId, outcome }, userId) => [
      campaignEntry(teamId, {
        kind: 'result',
        userId,
        responseId,
        result: { outcome, percentage: null, submittedAt: null },
      }),
    ],
    now: () => 5,
  });
  if (slack.isKnown) await matcher.load();
  const takeEvent = createTakeEvent({ ...storage, matcher, wake: (name) => void woken.push(name) });
  const { log, lines } = recordingLog();
  const clock = { now: 5 };
  const service: { isWell: boolean | undefined } = { isWell: undefined };
  const setAside = vi.fn<SetAside>(async () => {});
  const machine = inboxMachine({
    matcher,
    takeEvent,
    responses: { get: ask as never },
    whoseAttempt: async () => whoseAttemptAmong([]),
    isServiceWell: () => service.isWell,
    setAside,
    log,
    now: () => clock.now,
  });
  const runInbox = runMachine(machine, { outbox: storage.outbox, now: () => clock.now });
  const fanOut = async () => runInbox('inbox');
  const inbox = async () => readInbox(storage.outbox);
  const postponed = async () => {
    const { state } = await storage.outbox.stateOf<InboxState>('inbox');
    return Object.entries(state?.tries ?? {}).map(([id, tries]) => ({ id, ...tries }));
  };
  const run = async () => {
    do await fanOut();
    while ((await inbox()).count > 0 || (await postponed()).some(({ dueAt }) => dueAt <= clock.now));
  };
  const take = async (
    id: string,
    data: Record<string, unknown> = {},
    { isTrusted = true, ...envelope }: Record<string, unknown> = {},
  ) =>
    takeEvent(
      createEventParser('UTC')(eventBody({ event_id: id, ...envelope }, { response_id: id, ...data }), {
        isTrusted: isTrusted === true,
        takenAt: 1,
      }),
    );
  const waiting = async () =>
    (await storage.outbox.waiting(queue, { limit: 1_000 })).map(({ content }) =>
      content.kind === 'submission' ? content.submission : undefined,
    );
  const responseIds = async () => (await waiting()).map((one) => one?.responseId);
  const held = async () => (await inbox()).count;
  /** Runs until nothing is postponed, each time when the first event is due. @returns when these were, after the first try */
  const runUntilSettled = async () => {
    const times: number[] = [];
    for (let due = await postponed(); due.length > 0; due = await postponed()) {
      times.push(Math.min(...due.map(({ dueAt }) => dueAt)));
      clock.now = times.at(-1)!;
      await run();
    }
    return times.map((time) => time - 5);
  };
  return {
    clock,
    service,
    setAside,
    postponed,
    runUntilSettled,
    storage,
    matcher,
    ask,
    woken,
    lines,
    slack,
    fanOut,
    run,
    take,
    takeEvent,
    waiting,
    responseIds,
    held,
  };
}

type TestBed = Awaited<ReturnType<typeof setUp>>;

describe('a webhook whose signature covers its body', () => {
  test('is in the queue of a subscribed channel when it is taken, in the order the webhooks came, and wakes it', async () => {
    const { take, responseIds, woken, held } = await setUp();
    for (const id of ['c', 'a', 'b']) expect(await take(id)).toBe('taken');
    expect(await take('c')).toBe('known');
    expect(await responseIds()).toEqual(['c', 'a', 'b']);
    expect(woken).toEqual([queue, queue, queue]);
    expect(await held()).toBe(0);
  });

  test('is known where no subscription matches, it is of another type, or nothing was submitted', async () => {
    const { take, waiting, held, storage, woken } = await setUp({
      subscriptions: [subscription({ filter: { kind: 'failed' } })],
    });
    await take('a');
    await take('b', {}, { event_type: 'user.created' });
    await take('c', { status: 'not_submitted', date_submitted: null });
    expect([await waiting(), await held(), woken]).toEqual([[], 0, []]);
    expect(await storage.inbox.knownIds(['a', 'b', 'c'])).toEqual(new Set(['a', 'b', 'c']));
    expect(await storage.inbox.knownSubjects(['q-1/a', 'q-1/c'])).toEqual(new Set(['q-1/a']));
  });

  test('is matched again where subscriptions have changed since they were read', async () => {
    const { take, waiting, storage, woken } = await setUp();
    await storage.subscriptions.add(subscription({ id: 's-2', channelId: 'C2' }));
    await storage.subscriptions.remove('T1', 's-1');
    expect(await take('a')).toBe('taken');
    expect(await waiting()).toEqual([]);
    expect(await storage.outbox.waiting('channel/T1/C2', { limit: 10 })).toHaveLength(1);
    expect(woken).toEqual(['channel/T1/C2']);
  });

  test('is taken before the workspace is known, and waits; what comes after it does not overtake it', async () => {
    const { take, run, slack, matcher, responseIds, held, woken, storage } = await setUp({ isKnown: false });
    expect([await take('a'), await take('a')]).toEqual(['taken', 'known']);
    await expect(run()).rejects.toThrow('the workspace is not known');
    slack.isKnown = true;
    await storage.subscriptions.add(subscription({ id: 's-2', channelId: 'C2' }));
    expect(await take('b')).toBe('taken');
    await matcher.load();
    expect(await take('c')).toBe('taken');
    expect([await held(), woken]).toEqual([3, ['inbox', 'inbox', 'inbox']]);
    await run();
    await take('d');
    expect([await responseIds(), await held()]).toEqual([['a', 'b', 'c', 'd'], 0]);
    expect(new Set(woken.slice(3))).toEqual(new Set([queue, 'channel/T1/C2']));
  });

  test('waits until it was matched with the subscriptions as they are', async () => {
    const { take, run, slack, storage, responseIds } = await setUp({ isKnown: false });
    for (let n = 0; n < 600; n += 1) await take(`r-${n}`);
    slack.isKnown = true;
    const { take: takeOne } = storage.inbox;
    vi.spyOn(storage.inbox, 'take').mockImplementationOnce(async (...args) => {
      await storage.subscriptions.add(subscription({ id: 's-2', channelId: 'C2' }));
      return takeOne(...args);
    });
    await run();
    expect(await responseIds()).toEqual(Array.from({ length: 600 }, (_, n) => `r-${n}`));
    expect(await storage.outbox.waiting('channel/T1/C2', { limit: 1_000 })).toHaveLength(600);
  });
});

describe('a submission by a user of the account reaches campaigns in the step that takes it', () => {
  const byRosa = { user_id: 'rosa' };

  test.each([
    ['a webhook', true, async ({ take }: TestBed) => take('a', byRosa)],
    [
      'a webhook from before the workspace is known',
      false,
      async ({ take, slack, run }: TestBed) => {
        await take('a', byRosa);
        slack.isKnown = true;
        await run();
      },
    ],
    [
      'a hint that the service confirms',
      true,
      async ({ take, run }: TestBed) => {
        await take('a', byRosa, { isTrusted: false });
        await run();
      },
    ],
    [
      'a submission that the bot found',
      true,
      async ({ takeEvent }: TestBed) =>
        takeEvent(syntheticEvent('backfilled', submittedResponse({ user_id: 'rosa', response_id: 'a' }), 5)),
    ],
  ])('%s', async (_, isKnown, arrive) => {
    const testBed = await setUp({
      isKnown,
      subscriptions: [],
      ask: async () => quizResponse({ user_id: 'rosa', response_id: 'a' }),
    });
    await arrive(testBed);
    expect(await testBed.storage.outbox.waiting(campaign, { limit: 5 })).toMatchObject([
      { content: { event: { kind: 'result', userId: 'rosa', responseId: 'a', result: { outcome: 'passed' } } } },
    ]);
    expect(testBed.woken.at(-1)).toContain(campaign);
  });

  test('a respondent without a user is found when the responses are read', async () => {
    const { take, storage } = await setUp({ subscriptions: [] });
    await take('a', { user_id: null });
    expect(await storage.outbox.waiting(campaign, { limit: 5 })).toEqual([]);
  });
});

describe('a run', () => {
  test('asks for the next 50 ms later, and for none when nothing waits', async () => {
    const { take, fanOut } = await setUp();
    await take('a', {}, { isTrusted: false });
    expect(await fanOut()).toBe(55);
    expect(await fanOut()).toBeUndefined();
  });
});

describe('a webhook whose signature does not cover its body', () => {
  const hint = { isTrusted: false };
  const call = { operation: 'responses.get', method: 'GET', path: '/v1/quizzes/q-1/responses/r-1' };

  test('is announced as the service tells it, once, however many such webhooks come', async () => {
    const { run, take, waiting, ask } = await setUp({
      ask: async () => quizResponse({ quiz_id: 'q-1', response_id: 'r-1', percentage_score: 12, pass: false }),
    });
    for (const id of ['a', 'b', 'c']) await take(id, { response_id: 'r-1' }, hint);
    expect(await waiting()).toEqual([]);
    await run();
    expect(ask.mock.calls).toEqual([['q-1', 'r-1', { priority: 'background' }]]);
    expect(await waiting()).toMatchObject([{ percentage: 12, outcome: 'failed', isBackfilled: false }]);
  });

  const call404 = new QuizApiError('gone', call, 'answered 404');
  const invalid = new QuizApiError('invalid answer', call, 'answered 200');
  const notYet = quizResponse({ status: 'not_submitted', date_submitted: null });
  const seconds = (times: readonly number[]) => times.map((ms) => ms / 1_000);

  test('is looked up again, less and less often, for a day where the response is not submitted, over restarts', async () => {
    const { run, take, ask, waiting, postponed, setAside, runUntilSettled, fanOut } = await setUp({
      ask: async () => notYet,
    });
    await take('a', { response_id: 'r-1' }, hint);
    await run();
    expect(await postponed()).toEqual([{ id: 'a', count: 0, since: 5, looks: 1, dueAt: 2_005 }]);
    expect(await fanOut()).toBe(2_005);
    const times = seconds(await runUntilSettled());
    expect(times.slice(0, 7)).toEqual([2, 12, 72, 192, 432, 912, 1_872]);
    expect([times.length, times.at(-1)! > 86_400, ask.mock.calls.length]).toEqual([31, true, 32]);
    expect([await waiting(), setAside.mock.calls]).toEqual([[], []]);
  });

  test('is announced once the service shows the response, also where a look fails, and once for many hints', async () => {
    const { run, take, ask, waiting, postponed, runUntilSettled } = await setUp();
    ask.mockResolvedValueOnce(notYet).mockRejectedValueOnce(invalid).mockResolvedValueOnce(notYet);
    await take('a', { response_id: 'r-1' }, hint);
    await run();
    expect(seconds(await runUntilSettled())).toEqual([2, 62, 72]);
    expect(await waiting()).toMatchObject([{ responseId: 'r-1', isBackfilled: false }]);
    ask.mockResolvedValue(notYet);
    await take('b', { response_id: 'r-2' }, hint);
    await take('c', { response_id: 'r-2' }, hint);
    await run();
    await take('d', { response_id: 'r-2' }, hint);
    await run();
    expect((await postponed()).map(({ id, looks }) => [id, looks])).toEqual([['d', 1]]);
  });

  test('ends where the response that was not submitted is gone', async () => {
    const { run, take, ask, waiting, postponed, setAside, runUntilSettled } = await setUp();
    ask.mockResolvedValueOnce(notYet).mockRejectedValue(call404);
    await take('a', {}, hint);
    await run();
    expect(seconds(await runUntilSettled())).toEqual([2]);
    expect([await waiting(), await postponed(), setAside.mock.calls]).toEqual([[], [], []]);
  });

  test.each([
    ['404', call404],
    ['400', new QuizApiError('bad request', call, 'answered 400', { status: 400 })],
    ['an unreadable answer', invalid],
    ['an exception that nobody foresaw', new TypeError('no')],
    [
      '500 while the service answers otherwise',
      new QuizApiError('service failed', call, 'answered 500', { status: 500 }),
    ],
  ])(
    'is tried less and less often, then set aside, where each answer is %s; others go on meanwhile',
    async (_, error) => {
      const { run, take, ask, setAside, service, responseIds, held, postponed, runUntilSettled } = await setUp({
        ask: async (...[, responseId]: unknown[]) =>
          responseId === 'bad' ? Promise.reject(error) : quizResponse({ response_id: String(responseId) }),
      });
      service.isWell = true;
      for (const id of ['bad', 'b', 'c']) await take(id, {}, hint);
      await run();
      expect(await responseIds()).toEqual(['b', 'c']);
      expect([await held(), await postponed()]).toEqual([0, [{ id: 'bad', count: 1, since: 5, dueAt: 60_005 }]]);
      await take('d', {}, hint);
      const minutes = (await runUntilSettled()).map((ms) => ms / 60_000);
      expect(minutes.slice(0, 8)).toEqual([1, 3, 7, 15, 31, 63, 123, 183]);
      expect(minutes).toHaveLength(19);
      expect(ask).toHaveBeenCalledTimes(23);
      expect(await responseIds()).toEqual(['b', 'c', 'd']);
      expect(setAside.mock.calls).toEqual([
        [
          expect.objectContaining({ id: 'bad', content: { kind: 'hint', quizId: 'q-1', responseId: 'bad' } }),
          { count: 20, since: 5 },
          error,
        ],
      ]);
    },
  );

  test('is set aside a day after its first failure, however few the tries', async () => {
    const { run, take, clock, setAside } = await setUp({ ask: async () => Promise.reject(call404) });
    await take('a', {}, hint);
    await run();
    clock.now = 5 + 24 * 3_600_000;
    await run();
    expect(setAside.mock.calls.map(([, failures]) => failures)).toEqual([{ count: 2, since: 5 }]);
  });

  test.each([
    ['does not answer', new QuizApiError('no connection', call, 'found no connection')],
    ['is too slow', new QuizApiError('timed out', call, 'took too long')],
    ['fails', new QuizApiError('service failed', call, 'answered 500', { status: 500 })],
    ['answers with a page', new QuizApiError('not JSON', call, 'answered 200 with a page', { status: 200 })],
    ['refuses the key', new QuizApiError('forbidden', call, 'answered 403', { status: 403 })],
    ['wants https', new QuizApiError('SSL required', call, 'answered 403.4', { status: 403 })],
    ['has moved', new QuizApiError('wrong address', call, 'answered 301', { status: 301 })],
    ['is behind a firewall', new QuizApiError('firewall', call, 'answered 403', { status: 403 })],
    ['is at another address', new QuizApiError('gone or elsewhere', call, 'answered 404')],
  ])('is tried again for as long as the service %s', async (_, error) => {
    const { fanOut, take, ask, clock, service, setAside, postponed, responseIds, run } = await setUp({
      ask: async () => quizResponse({ response_id: 'a' }),
    });
    ask.mockRejectedValue(error);
    service.isWell = false;
    await take('a', {}, hint);
    await take('b', {}, hint);
    expect(await fanOut()).toBe(5_005);
    for (let time = 0; time < 100; time += 1) {
      clock.now += 3_600_000;
      await run();
    }
    expect((await postponed()).map(({ id, count }) => [id, count])).toEqual([
      ['a', 0],
      ['b', 0],
    ]);
    expect(setAside).not.toHaveBeenCalled();
    ask.mockImplementation(async (...[, responseId]: unknown[]) => quizResponse({ response_id: String(responseId) }));
    clock.now += 3_600_000;
    await run();
    expect(new Set(await responseIds())).toEqual(new Set(['a', 'b']));
  });

  test('waits for the budget, which is no failure', async () => {
    const { fanOut, take, ask, postponed, held } = await setUp();
    await take('a', {}, hint);
    ask
      .mockRejectedValueOnce(new QuizApiError('budget spent', call, 'was not sent', { availableAt: new Date(7_000) }))
      .mockRejectedValueOnce(new QuizApiError('rate limited', call, 'answered 429', { availableAt: new Date(8_000) }));
    expect([await fanOut(), await fanOut()]).toEqual([7_000, 8_000]);
    expect([await postponed(), await held()]).toEqual([[], 1]);
  });

  test('waits while the store is away, which is no failure', async () => {
    const { fanOut, take, storage, postponed, held } = await setUp();
    await take('a', {}, hint);
    vi.spyOn(storage.inbox, 'take').mockRejectedValueOnce(new StoreAwayError('gone'));
    await expect(fanOut()).rejects.toThrow('the store is away');
    expect([await postponed(), await held()]).toEqual([[], 1]);
  });

  test('is not announced again where the response was found meanwhile, unless the service says something else now', async () => {
    const { run, take, takeEvent, ask, waiting, clock } = await setUp();
    await takeEvent(syntheticEvent('backfilled', submittedResponse({ response_id: 'r-1' }), 1));
    await take('a', { response_id: 'r-1' }, hint);
    await run();
    expect(await waiting()).toMatchObject([{ responseId: 'r-1', isBackfilled: true }]);
    ask.mockImplementation(async () => quizResponse({ response_id: 'r-1', points: 10, percentage_score: 100 }));
    await take('b', { response_id: 'r-1' }, hint);
    await run();
    clock.now += 1;
    await take('c', { response_id: 'r-1' }, hint);
    await run();
    expect(await waiting()).toMatchObject([
      {},
      { points: 10, percentage: 100, corrects: { points: 9, percentage: 90 } },
    ]);
    expect(ask).toHaveBeenCalledTimes(3);
  });
});

describe('a submission that nobody can match or settle', () => {
  const held = async () => {
    const bed = await setUp({ isKnown: false });
    for (const id of ['a', 'bad', 'b']) await bed.take(id);
    bed.slack.isKnown = true;
    return bed;
  };

  test('does not hold up the others, and is set aside after many tries', async () => {
    const { run, matcher, responseIds, setAside, runUntilSettled, take } = await held();
    await matcher.load();
    const { match } = matcher;
    vi.spyOn(matcher, 'match').mockImplementation((content) => {
      if (content.submission.responseId === 'bad') throw new RangeError('no');
      return match(content);
    });
    await run();
    await take('c');
    expect(await responseIds()).toEqual(['a', 'b', 'c']);
    expect(await runUntilSettled()).toHaveLength(19);
    expect(setAside.mock.calls).toMatchObject([
      [{ id: 'bad', content: { submission: { responseId: 'bad' } } }, { count: 20 }, { message: 'no' }],
    ]);
  });

  test('waits where the store is away', async () => {
    const { fanOut, storage, postponed, held: count } = await held();
    vi.spyOn(storage.inbox, 'take').mockRejectedValueOnce(new StoreAwayError('gone'));
    await expect(fanOut()).rejects.toThrow('the store is away');
    expect([await postponed(), await count()]).toEqual([[], 3]);
  });
});

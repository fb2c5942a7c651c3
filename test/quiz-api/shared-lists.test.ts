import { describe, expect, test, vi } from 'vitest';
import { QuizApiError } from '../../src/quiz-api/errors.ts';
import { createSharedLists } from '../../src/quiz-api/quiz-api.ts';
import { createMockService, createOpenBudget } from '../support/mock-service.ts';
import { responseAnswer } from '../support/service-answers.ts';
import { settle } from '../support/virtual-clock.ts';

const budgetError = () =>
  new QuizApiError('budget spent', { operation: 'responses.list', method: 'GET', path: '/' }, 'was not sent', {
    availableAt: new Date(0),
  });

/** Lists whose reads end when the test says so. */
function setUp(length: (key: string) => number = () => 50_000) {
  const clock = { now: 0 };
  const reads: { key: string; end: () => void; fail: (error: Error) => void }[] = [];
  const lists = createSharedLists<number>({
    now: () => clock.now,
    read: async (key) =>
      new Promise((resolve, reject) => {
        reads.push({ key, end: () => resolve(Array.from({ length: length(key) }, (_, index) => index)), fail: reject });
      }),
  });
  const endAll = async () => {
    for (let ended = 0; ended < reads.length; await settle()) reads[ended++]?.end();
  };
  return { clock, reads, lists, endAll };
}

test('ten calls at the same time for the responses to a quiz are one request', async () => {
  const budget = createOpenBudget();
  const { api, service } = createMockService({ budget });
  service
    .intercept({ path: '/api/v1/quizzes/q-1/responses' })
    .reply(200, JSON.stringify([responseAnswer()]))
    .persist();
  const lists = await Promise.all(
    Array.from({ length: 10 }, async (_, index) => api.responses.list('q-1', { personId: `U${index}` })),
  );
  expect(budget.taken).toBe(1);
  expect(lists.map(({ length }) => length)).toEqual(Array.from({ length: 10 }, () => 1));
  await api.responses.list('q-1');
  expect(budget.taken).toBe(2);
});

describe('equal reads', () => {
  test('are one read while it is under way, and a new one after a change', async () => {
    const { lists, reads, endAll } = setUp();
    const begun = ['a', 'a', 'b'].map(async (key) => lists.using(key, {}, ({ length }) => length));
    await settle();
    expect(reads.map(({ key }) => key)).toEqual(['a', 'b']);
    lists.forget('a');
    const after = lists.using('a', {}, ({ length }) => length);
    await settle();
    await endAll();
    expect(await Promise.all([...begun, after])).toEqual([50_000, 50_000, 50_000, 50_000]);
    expect(reads.map(({ key }) => key)).toEqual(['a', 'b', 'a']);
  });

  test('of a person do not wait for the background, and those before a change are never shared', async () => {
    const { lists, reads, endAll } = setUp(() => 1);
    const calls = [
      { priority: 'background' },
      {},
      { priority: 'background' },
      { turns: { waitLeftMs: 1 } },
      { signal: new AbortController().signal },
    ] as const;
    const begun = calls.map(async (options) => lists.using('a', options, ({ length }) => length));
    await settle();
    expect(reads.length).toBe(4);
    await endAll();
    await Promise.all(begun);
  });

  test('fail for everybody with an error of the service, and are read again where only the first caller had no time', async () => {
    const { lists, reads, endAll } = setUp();
    const first = lists.using('a', {}, ({ length }) => length);
    const second = lists.using('a', {}, ({ length }) => length);
    await settle();
    reads[0]!.fail(budgetError());
    await expect(first).rejects.toMatchObject({ reason: 'budget spent' });
    await settle();
    expect(reads.length).toBe(2);
    reads[1]!.fail(new Error('the service failed'));
    await expect(second).rejects.toThrow('the service failed');
    const [third, fourth] = [lists.using('a', {}, () => 3), lists.using('a', {}, () => 4)];
    await settle();
    await endAll();
    expect(await Promise.all([third, fourth])).toEqual([3, 4]);
  });

  test('are used one after the other, and the error of a use is its own', async () => {
    const { lists, endAll } = setUp();
    let running = 0;
    let most = 0;
    const use = async (index: number) => {
      running += 1;
      most = Math.max(most, running);
      await settle();
      running -= 1;
      if (index === 1) throw budgetError();
      return index;
    };
    const used = Promise.allSettled(
      Array.from({ length: 5 }, async (_, index) => lists.using('a', {}, async () => use(index))),
    );
    await settle();
    await endAll();
    expect((await used).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
      'fulfilled',
    ]);
    expect(most).toBe(1);
  });
});

describe('large lists', () => {
  test('are taken a few at a time, and people learn that they wait, without losing time', async () => {
    const { lists, reads, clock, endAll } = setUp();
    const begun = Array.from({ length: 7 }, (_, index) => {
      const onQueued = vi.fn<() => void>();
      const options = { deadline: 20_000, onQueued };
      return { onQueued, options, length: lists.using(`q-${index}`, options, ({ length }) => length) };
    });
    await settle();
    expect(reads.length).toBe(4);
    expect(begun.map(({ onQueued }) => onQueued.mock.calls.length)).toEqual([0, 0, 0, 0, 1, 1, 1]);
    clock.now = 5_000;
    await endAll();
    await Promise.all(begun.map(({ length }) => length));
    expect(begun.map(({ options }) => options.deadline)).toEqual([
      ...Array.from({ length: 4 }, () => 20_000),
      ...Array.from({ length: 3 }, () => 25_000),
    ]);
  });

  test('of a known length of 50,000 are read two at a time, and short ones beside them', async () => {
    const { lists, reads, endAll } = setUp((key) => (key === 'short' ? 10 : 50_000));
    const keys = ['a', 'b', 'c', 'short'];
    const readAll = async () => {
      const begun = keys.map(async (key) => lists.using(key, {}, ({ length }) => length));
      await settle();
      const atOnce = reads.length;
      await endAll();
      await Promise.all(begun);
      return atOnce;
    };
    expect(await readAll()).toBe(4);
    reads.length = 0;
    expect(await readAll()).toBe(3);
    expect(reads.map(({ key }) => key)).toEqual(['a', 'b', 'short', 'c']);
  });

  test('of the background are read one at a time, after those of people', async () => {
    const { lists, reads, endAll } = setUp();
    const background = ['a', 'b'].map(async (key) => lists.using(key, { priority: 'background' }, () => key));
    const people = ['c', 'd', 'e', 'f'].map(async (key) => lists.using(key, {}, () => key));
    await settle();
    expect(reads.map(({ key }) => key)).toEqual(['a', 'c', 'd', 'e']);
    await endAll();
    await Promise.all([...background, ...people]);
    expect(reads.map(({ key }) => key)).toEqual(['a', 'c', 'd', 'e', 'f', 'b']);
  });

  test('leave a turn to other work between their uses', async () => {
    const { lists, endAll } = setUp();
    let turns = 0;
    const seenAt: number[] = [];
    let next = setImmediate(function count() {
      turns += 1;
      next = setImmediate(count);
    });
    const used = Promise.all(
      Array.from({ length: 5 }, async () => lists.using('a', {}, () => void seenAt.push(turns))),
    );
    await settle();
    await endAll();
    await used;
    clearImmediate(next);
    expect(new Set(seenAt).size).toBe(5);
  });
});

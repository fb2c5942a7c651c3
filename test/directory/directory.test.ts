import { expect, test, vi, describe } from 'vitest';
import { createDirectory, createAssignedQuizIds } from '../../src/directory/directory.ts';
import type { QuizApi } from '../../src/quiz-api/quiz-api.ts';
import type { User } from '../../src/quiz-api/records.ts';
import { quizUser } from '../support/builders/users.ts';
import { createPassRates } from '../../src/directory/pass-rates.ts';
import { quizResponse } from '../support/builders/responses.ts';
import { createQuizGroups } from '../../src/directory/quiz-groups.ts';
import { QuizApiError } from '../../src/quiz-api/errors.ts';
import type { CallOptions } from '../../src/quiz-api/transport.ts';

const user = (n: number, name = `Person ${n}`): User =>
  quizUser({ user_id: `u-${n}`, user_name: `p${n}@quiz.example`, email_address: '', first_name: name, last_name: '' });

function setUp(count: number) {
  let users = Array.from({ length: count }, (_, n) => user(n));
  const clock = { now: 0 };
  const list = vi.fn(async () => users);
  const directory = createDirectory({
    api: { users: { list } } as unknown as QuizApi,
    now: () => clock.now,
    onBackgroundError: () => {},
  });
  return { directory, clock, list, setUsers: (next: User[]) => (users = next) };
}

test('a picker is answered from the names of a moment ago while a long list is indexed anew', async () => {
  const { directory, clock, setUsers } = setUp(5_000);
  await directory.users.names();
  setUsers([user(1, 'Somebody New')].concat(Array.from({ length: 4_999 }, (_, n) => user(n + 10))));
  clock.now = 10_000;
  await directory.users.fresh();
  expect((await directory.users.namesAtHand()).match('somebody').kind).toBe('none');
  await directory.users.names();
  expect((await directory.users.namesAtHand()).match('somebody').kind).toBe('one');
});

function openPassRates() {
  const clock = { now: 0 };
  const submitted: Record<string, number> = { 'q-1': 2 };
  const asked: string[] = [];
  let gate: Promise<void> | undefined;
  const list = async (quizId: string) => {
    asked.push(quizId);
    const listed = Array.from({ length: submitted[quizId] ?? 0 }, () => quizResponse());
    await gate;
    return listed;
  };
  const { passRates, api } = createPassRates({
    api: { responses: { list } } as unknown as QuizApi,
    now: () => clock.now,
  });
  return { passRates, api, clock, submitted, asked, holdUp: (until: Promise<void> | undefined) => void (gate = until) };
}

describe('pass rates', () => {
  test('are those of the latest list of responses that anyone read, for ten minutes', async () => {
    const { passRates, api, clock, submitted, asked } = openPassRates();
    expect(passRates.known('q-1')).toBeUndefined();
    await api.responses.list('q-1');
    expect(passRates.known('q-1')).toMatchObject({ submitted: 2, passed: 2 });
    submitted['q-1'] = 3;
    await api.responses.list('q-1');
    expect(passRates.known('q-1')?.submitted).toBe(3);
    expect(asked).toHaveLength(2);
    clock.now = 10 * 60_000;
    expect(passRates.known('q-1')).toBeUndefined();
    expect(asked).toHaveLength(2);
  });

  test('are unknown after a new submission, also where an older list arrives later', async () => {
    const { passRates, api, submitted, holdUp } = openPassRates();
    const { promise, resolve } = Promise.withResolvers<void>();
    holdUp(promise);
    const older = api.responses.list('q-1');
    submitted['q-1'] = 3;
    passRates.forget('q-1');
    resolve();
    await older;
    expect(passRates.known('q-1')).toBeUndefined();
    holdUp(undefined);
    await api.responses.list('q-1');
    expect(passRates.known('q-1')?.submitted).toBe(3);
  });
});

const request = { operation: 'quizzes.groups', method: 'GET', path: '/v1/quizzes/x/groups' } as const;
const ids = (count: number) => Array.from({ length: count }, (_, n) => `q-${n}`);

function openGroups(
  answer: (quizId: string) => { group_id: string; group_name: string }[] = () => [
    { group_id: 'g-1', group_name: 'Crew' },
  ],
) {
  const clock = { now: 1_000_000 };
  const asked: { quizId: string; priority: CallOptions['priority'] }[] = [];
  const groups = async (quizId: string, call?: CallOptions) => {
    asked.push({ quizId, priority: call?.priority });
    return answer(quizId);
  };
  const onBackgroundError = vi.fn<(error: unknown) => void>();
  return {
    clock,
    asked,
    onBackgroundError,
    quizGroups: createQuizGroups({
      api: { quizzes: { groups } } as unknown as QuizApi,
      now: () => clock.now,
      onBackgroundError,
    }),
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('reads each quiz once an hour, the first time for the person who waits', async () => {
  const { quizGroups, asked, clock } = openGroups();
  expect(quizGroups.known('q-0')).toBeUndefined();
  expect(await quizGroups.load(ids(2))).toBe(true);
  expect(quizGroups.known('q-0')).toEqual(new Set(['g-1']));
  await quizGroups.load(ids(2));
  expect(asked).toEqual([
    { quizId: 'q-0', priority: undefined },
    { quizId: 'q-1', priority: undefined },
  ]);
  clock.now += 61 * 60_000;
  await quizGroups.load(ids(1));
  await settled();
  expect(asked.slice(2)).toEqual([{ quizId: 'q-0', priority: 'background' }]);
});

test('lets a person wait for 20 quizzes, and reads the others in the background', async () => {
  const { quizGroups, asked } = openGroups();
  expect(await quizGroups.load(ids(30))).toBe(false);
  await settled();
  expect(asked.filter(({ priority }) => priority === undefined)).toHaveLength(20);
  expect(asked).toHaveLength(30);
  expect(await quizGroups.load(ids(30))).toBe(true);
});

test('spends at most 200 requests an hour in the background', async () => {
  const { quizGroups, asked, clock } = openGroups();
  const background = () => asked.filter(({ priority }) => priority === 'background').length;
  await quizGroups.load(ids(400));
  await settled();
  expect(background()).toBe(200);
  await quizGroups.load(ids(400));
  await settled();
  expect(background()).toBe(200);
  clock.now += 60 * 60_000;
  await quizGroups.load(ids(400));
  await settled();
  expect(background()).toBeGreaterThan(200);
});

test('shares the requests of people who ask at the same time', async () => {
  const { quizGroups, asked } = openGroups();
  await Promise.all([quizGroups.load(ids(3)), quizGroups.load(ids(3))]);
  expect(asked).toHaveLength(3);
});

test('shows our own reads and writes at once', async () => {
  const { quizGroups } = openGroups();
  quizGroups.change('q-0', 'g-9', true);
  expect(quizGroups.known('q-0')).toBeUndefined();
  quizGroups.put('q-0', [{ group_id: 'g-1' }, { group_id: '' }]);
  quizGroups.change('q-0', 'g-2', true);
  quizGroups.change('q-0', 'g-1', false);
  expect(quizGroups.known('q-0')).toEqual(new Set(['g-2']));
});

test('takes a deleted quiz for one without groups, and reads a failed one again', async () => {
  const failing = { isDown: true };
  const { quizGroups, onBackgroundError } = openGroups((quizId) => {
    if (quizId === 'q-0') throw new QuizApiError('gone', request, 'answered 404');
    if (failing.isDown) throw new QuizApiError('service failed', request, 'no answer');
    return [];
  });
  await quizGroups.load(['q-0']);
  expect(quizGroups.known('q-0')).toEqual(new Set());
  await expect(quizGroups.load(['q-1'])).rejects.toThrow('no answer');
  failing.isDown = false;
  await quizGroups.load(['q-1']);
  expect(quizGroups.known('q-1')).toEqual(new Set());
  expect(onBackgroundError).not.toHaveBeenCalled();
});

test('reports a failure in the background, and goes on with the next call', async () => {
  const failing = { isDown: false };
  const { quizGroups, onBackgroundError, clock } = openGroups(() => {
    if (failing.isDown) throw new QuizApiError('service failed', request, 'no answer');
    return [];
  });
  await quizGroups.load(ids(1));
  clock.now += 61 * 60_000;
  failing.isDown = true;
  expect(await quizGroups.load(ids(1))).toBe(true);
  await settled();
  expect(onBackgroundError).toHaveBeenCalledOnce();
  expect(quizGroups.known('q-0')).toEqual(new Set());
});

test('knows which quizzes have groups, from what was read and from what the bot assigned', async () => {
  const { quizGroups } = openGroups();
  quizGroups.put('q-1', [{ group_id: 'g-1' }]);
  quizGroups.put('q-2', []);
  quizGroups.change('q-3', 'g-1', true);
  expect(quizGroups.assigned()).toEqual(['q-1', 'q-3']);
  quizGroups.change('q-1', 'g-1', false);
  quizGroups.change('q-3', 'g-1', false);
  expect(quizGroups.assigned()).toEqual([]);
});

test('knows the quizzes that active users or groups have, and looks again a quarter of an hour later', async () => {
  const clock = { now: 0 };
  const withQuiz = (quiz_id: string, suspended = false) =>
    quizUser({ suspended, quizzes: [{ quiz_id, name: '', date_assigned: null }] });
  let users = [withQuiz('q-1'), withQuiz('q-1'), withQuiz('q-2', true), quizUser({ quizzes: [] })];
  const assigned = createAssignedQuizIds({
    users: { get: async () => users },
    quizGroups: { assigned: () => ['q-3'] },
    now: () => clock.now,
  });
  expect(await assigned()).toEqual(new Set(['q-1', 'q-3']));
  users = [withQuiz('q-4')];
  clock.now = 15 * 60_000 - 1;
  expect(await assigned()).toEqual(new Set(['q-1', 'q-3']));
  clock.now += 1;
  expect(await assigned()).toEqual(new Set(['q-4', 'q-3']));
});

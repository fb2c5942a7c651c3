import { describe, expect, test } from 'vitest';
import type { QuizApiOptions } from '../../src/quiz-api/quiz-api.ts';
import type { UnreadableRecords } from '../../src/quiz-api/read-list.ts';
import { createMockService, createOpenBudget } from '../support/mock-service.ts';
import { groupAnswer, questionAnswer, quizAnswer, responseAnswer, userAnswer } from '../support/service-answers.ts';

function setUp(options: Partial<QuizApiOptions> = {}) {
  const announced: UnreadableRecords[] = [];
  const changes: (readonly UnreadableRecords[])[] = [];
  const budget = createOpenBudget();
  const mock = createMockService({
    budget,
    onUnreadable: (records) => announced.push(records),
    onUnreadableChange: (records) => changes.push(records),
    ...options,
  });
  const answer = (path: string, body: unknown) =>
    mock.service.intercept({ path: `/api/v1${path}` }).reply(200, JSON.stringify(body));
  return { ...mock, budget, announced, changes, answer };
}

const names = (groups: readonly { group_name: string }[]) => groups.map(({ group_name }) => group_name).join(' ');
const group = (name: string) => ({ group_id: `g-${name}`, group_name: name });

describe('pages', () => {
  test.each([
    ['an address', 'https://quiz.example/api/v1/groups?page=2', '/groups?page=2'],
    ['an address of the same host without TLS', 'http://quiz.example/api/v1/groups?page=2', '/groups?page=2'],
    ['a path', '/api/v1/groups?page=2', '/groups?page=2'],
    ['a query', '?page=2', '/groups?page=2'],
    ['a number', 2, '/groups?page=2'],
    ['a cursor', 'a/b=', '/groups?cursor=a%2Fb%3D'],
  ])('are read until the last, by %s', async (_, next, path) => {
    const { api, answer, budget } = setUp();
    answer('/groups', { items: [group('a'), group('b')], next });
    answer(path, { items: [group('c')], next: null });
    expect(names(await api.groups.list())).toBe('a b c');
    expect(budget.taken).toBe(2);
  });

  test('count as one request of the person who asks for the list', async () => {
    const { api, answer, budget } = setUp();
    answer('/groups', { items: [group('a')], next: 2 });
    answer('/groups?page=2', { items: [group('b')], next: 3 });
    answer('/groups?page=3', { items: [group('c')] });
    await api.groups.list({ personId: 'UROSA' });
    expect(budget.takenBy).toEqual(['UROSA', undefined, undefined]);
  });

  test('are said to lack records where the service counts more than it sends', async () => {
    const { api, answer } = setUp();
    answer('/groups', { total: 500, groups: [group('a'), group('b'), null] });
    expect(names(await api.groups.list())).toBe('a b');
    expect(api.unreadable()).toEqual([{ list: 'groups', count: 498, reason: 'the record is null' }]);
    answer('/groups', { total: 2, groups: [group('a'), group('b')] });
    await api.groups.list();
    expect(api.unreadable()).toEqual([]);
  });

  test.each([
    'https://elsewhere.example/api/v1/groups?page=2',
    'https://quiz.example:8443/api/v1/groups',
    '//elsewhere.example/groups',
    'https://',
    '/../../admin',
    '/admin?page=2',
    '/api/v1/../../admin',
    '/api/v1/%2e%2e/%2E%2E/admin',
    '/api/v1/..%2f..%2fadmin',
    '/api/v1/..%5c..%5cadmin',
    '/api/v10/groups',
    'https://quiz.example/api/v2/groups',
  ])('at %s are not asked for', async (next) => {
    const { api, answer, budget } = setUp();
    answer('/groups', { items: [], next });
    await expect(api.groups.list()).rejects.toMatchObject({
      reason: 'invalid answer',
      message: expect.stringContaining('next is wrong'),
    });
    expect(budget.taken).toBe(1);
  });

  test('that come again are an error, and not half a list', async () => {
    const { api, answer, budget } = setUp();
    answer('/groups', { items: [group('a')], next: 'abc' });
    answer('/groups?cursor=abc', { items: [group('a')], next: 'abc' });
    await expect(api.groups.list()).rejects.toMatchObject({
      message: expect.stringContaining('one that came before'),
    });
    expect(budget.taken).toBe(2);
  });

  test('without end are an error', async () => {
    const { api, service } = setUp();
    let page = 0;
    service
      .intercept({ path: /^\/api\/v1\/groups/ })
      .reply(() => ({ statusCode: 200, data: { items: [], next: (page += 1) } }))
      .persist();
    await expect(api.groups.list()).rejects.toMatchObject({
      message: expect.stringContaining('more than 1000 pages'),
    });
  });

  test('have one deadline together', async () => {
    let now = 1_000_000;
    const { api, service } = setUp({ now: () => now });
    service.intercept({ path: '/api/v1/groups' }).reply(() => {
      now += 5_000;
      return { statusCode: 200, data: { items: [], next: '?page=2' } };
    });
    await expect(api.groups.list({ deadline: now + 4_000 })).rejects.toMatchObject({ name: 'DeadlinePassedError' });
  });
});

describe('a record that cannot be read', () => {
  test('is left out, counted, and announced once for each reason', async () => {
    const { api, answer, announced } = setUp();
    answer('/users', [
      userAnswer(),
      userAnswer({ user_id: null }),
      null,
      'u-3',
      userAnswer({ user_id: 7, first_name: null }),
    ]);
    answer('/users', [null]);
    answer('/users', [userAnswer()]);
    expect((await api.users.list()).map(({ user_id }) => user_id)).toEqual(['u-1', '7']);
    expect(api.unreadable()).toEqual([{ list: 'users', count: 3, reason: 'user_id is missing' }]);
    expect(await api.users.list()).toEqual([]);
    expect(api.unreadable()).toEqual([{ list: 'users', count: 1, reason: 'the record is null' }]);
    expect(announced).toEqual([
      { list: 'users', count: 3, reason: 'user_id is missing' },
      { list: 'users', count: 1, reason: 'the record is null' },
    ]);
    await api.users.list();
    expect(api.unreadable()).toEqual([]);
  });

  test('counts for each quiz and response, added up', async () => {
    const { api, answer, changes } = setUp();
    answer('/quizzes/q-1/responses', [responseAnswer(), responseAnswer({ response_id: null })]);
    answer('/quizzes/q-2/responses', [responseAnswer({ response_id: '' }), null]);
    answer('/quizzes/q-1/responses/r-1/questions', [questionAnswer({ question_id: null }), 'x']);
    answer('/quizzes', [quizAnswer(), { quiz_id: ['q-2'] }]);
    await api.responses.list('q-1');
    await api.responses.list('q-2');
    expect(await api.responses.questions('q-1', 'r-1')).toHaveLength(1);
    await api.quizzes.list();
    expect(api.unreadable()).toEqual([
      { list: 'quizzes', count: 1, reason: 'quiz_id is not an id' },
      { list: 'responses', count: 3, reason: 'response_id is missing' },
      { list: 'questions', count: 1, reason: 'the record is not an object' },
    ]);
    expect(changes).toHaveLength(4);
    expect(changes.at(-1)).toEqual(api.unreadable());
  });

  test('does not count again in a part of the list, but is announced', async () => {
    const { api, answer, announced } = setUp();
    answer('/quizzes/q-1/groups', [groupAnswer(), {}]);
    answer('/users/u-1/quizzes', [{ name: 'x' }, { quiz_id: 'q-1' }]);
    expect(await api.quizzes.groups('q-1')).toHaveLength(1);
    expect(await api.users.quizzes('u-1')).toEqual([{ quiz_id: 'q-1', name: '', date_assigned: null }]);
    expect(api.unreadable()).toEqual([]);
    expect(announced.map(({ list, reason }) => `${list}: ${reason}`)).toEqual([
      'groups: group_id is missing',
      'quizzes: quiz_id is missing',
    ]);
  });

  test('does not count after a reading that failed', async () => {
    const { api, answer, service } = setUp();
    answer('/users', [null]);
    await api.users.list();
    service.intercept({ path: '/api/v1/users' }).reply(400, '');
    await expect(api.users.list()).rejects.toMatchObject({ name: 'BadRequestError' });
    expect(api.unreadable()).toEqual([{ list: 'users', count: 1, reason: 'the record is null' }]);
  });

  test('of too many quizzes is forgotten, the oldest first', async () => {
    const { api, service } = setUp();
    service
      .intercept({ path: /responses$/ })
      .reply(200, [null])
      .persist();
    for (let quiz = 0; quiz < 1_010; quiz += 1) await api.responses.list(`q-${quiz}`);
    expect(api.unreadable()).toEqual([{ list: 'responses', count: 1_000, reason: 'the record is null' }]);
  });
});

test('a response that does not name its quiz is of the quiz that was asked for', async () => {
  const { api, answer } = setUp();
  answer('/quizzes/q-7/responses', [responseAnswer({ quiz_id: undefined }), responseAnswer({ quiz_id: 'q-1' })]);
  answer('/quizzes/q-7/responses/r-1', responseAnswer({ quiz_id: null }));
  expect((await api.responses.list('q-7')).map(({ quiz_id }) => quiz_id)).toEqual(['q-7', 'q-1']);
  expect((await api.responses.get('q-7', 'r-1')).quiz_id).toBe('q-7');
});

test('dates without an offset are in the time zone of the account', async () => {
  const { api, answer } = setUp({ timeZone: 'America/Denver' });
  answer('/quizzes', [quizAnswer({ date_created: '2024-05-06 11:08:09' })]);
  answer('/users', [userAnswer({ date_created: '2024-05-06 11:08:09' })]);
  answer('/quizzes/q-1/responses', [responseAnswer({ date_submitted: '2024-05-06 11:08:09' })]);
  const moment = new Date('2024-05-06T17:08:09Z');
  expect((await api.quizzes.list())[0]?.date_created).toEqual(moment);
  expect((await api.users.list())[0]?.date_created).toBe('2024-05-06 17:08:09');
  expect((await api.responses.list('q-1'))[0]?.date_submitted).toEqual(moment);
});

test('users of a list have empty lists in common, which nobody can change by mistake', async () => {
  const { api, answer } = setUp();
  answer('/users', [
    userAnswer({ user_id: 'u-1', groups: [], quizzes: [] }),
    userAnswer({ user_id: 'u-2', groups: [], quizzes: [] }),
  ]);
  const [first, second] = await api.users.list();
  expect(first?.groups).toBe(second?.groups);
  expect(() => first?.groups.push({ group_id: 'g-1', group_name: '' })).toThrow(TypeError);
});

test('a user whom the caller has already is not made again', async () => {
  const { api, answer } = setUp();
  answer('/users', [userAnswer({ user_id: 'u-1' })]);
  answer('/users', [userAnswer({ user_id: 'u-1' }), userAnswer({ user_id: 'u-2' })]);
  const [own] = await api.users.list();
  const again = await api.users.list({}, (user) => (user.user_id === 'u-1' ? own : undefined));
  expect(again[0]).toBe(own);
  expect(again[1]?.user_id).toBe('u-2');
});

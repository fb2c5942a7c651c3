import nock from 'nock';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createQuizApi, type QuizApi } from '../../src/quiz-api/quiz-api.ts';
import {
  groupAnswer,
  questionAnswer,
  quizAnswer,
  responseAnswer,
  successAnswer,
  userAnswer,
} from '../support/service-answers.ts';

const baseUrl = 'https://quiz.example/account';
const api = createQuizApi({ baseUrl, apiKey: 'key-1' });

beforeAll(() => {
  if (!nock.isActive()) nock.activate();
  nock.disableNetConnect();
});
afterEach(() => {
  const unused = nock.pendingMocks();
  nock.cleanAll();
  if (unused.length > 0) throw new Error(`never asked for: ${unused.join(', ')}`);
});
afterAll(async () => {
  nock.enableNetConnect();
  nock.restore();
  await api.close();
});

interface Example {
  operation: string;
  run: (quizApi: QuizApi) => Promise<unknown>;
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  form?: Record<string, string>;
  answer: object;
  result: unknown;
}

const examples: Example[] = [
  {
    operation: 'quizzes.list',
    run: async ({ quizzes }) => quizzes.list(),
    method: 'GET',
    path: '/v1/quizzes',
    answer: [quizAnswer(), quizAnswer({ quiz_id: 'q-2' })],
    result: [expect.objectContaining({ quiz_id: 'q-1' }), expect.objectContaining({ quiz_id: 'q-2' })],
  },
  {
    operation: 'quizzes.get',
    run: async ({ quizzes }) => quizzes.get('q-1'),
    method: 'GET',
    path: '/v1/quizzes/q-1',
    answer: quizAnswer(),
    result: { quiz_id: 'q-1', name: 'Fire safety', status: 'open', date_created: new Date('2024-05-06T17:08:09Z') },
  },
  {
    operation: 'quizzes.create',
    run: async ({ quizzes }) => quizzes.create({ name: 'First aid & more' }),
    method: 'POST',
    path: '/v1/quizzes',
    form: { name: 'First aid & more' },
    answer: { quiz_id: 'q-9' },
    result: 'q-9',
  },
  {
    operation: 'quizzes.update',
    run: async ({ quizzes }) => quizzes.update('q-1', { status: 'closed' }),
    method: 'POST',
    path: '/v1/quizzes/q-1',
    form: { status: 'closed' },
    answer: successAnswer,
    result: undefined,
  },
  {
    operation: 'quizzes.delete',
    run: async ({ quizzes }) => quizzes.delete('q-1'),
    method: 'DELETE',
    path: '/v1/quizzes/q-1',
    answer: successAnswer,
    result: undefined,
  },
  {
    operation: 'quizzes.copy',
    run: async ({ quizzes }) => quizzes.copy('q-1', { name: 'Fire safety 2' }),
    method: 'POST',
    path: '/v1/quizzes/q-1/copy',
    form: { name: 'Fire safety 2' },
    answer: { quiz_id: 'q-2' },
    result: 'q-2',
  },
  {
    operation: 'quizzes.copy without a name',
    run: async ({ quizzes }) => quizzes.copy('q-1', {}),
    method: 'POST',
    path: '/v1/quizzes/q-1/copy',
    form: {},
    answer: { quiz_id: 'q-2' },
    result: 'q-2',
  },
  {
    operation: 'quizzes.groups',
    run: async ({ quizzes }) => quizzes.groups('q-1'),
    method: 'GET',
    path: '/v1/quizzes/q-1/groups',
    answer: [groupAnswer()],
    result: [{ group_id: 'g-1', group_name: 'Night shift' }],
  },
  {
    operation: 'quizzes.assignGroup',
    run: async ({ quizzes }) => quizzes.assignGroup('q-1', 'g-1'),
    method: 'POST',
    path: '/v1/quizzes/q-1/groups',
    form: { group_id: 'g-1' },
    answer: successAnswer,
    result: undefined,
  },
  {
    operation: 'quizzes.unassignGroup',
    run: async ({ quizzes }) => quizzes.unassignGroup('q-1', 'g-1'),
    method: 'DELETE',
    path: '/v1/quizzes/q-1/groups',
    form: { group_id: 'g-1' },
    answer: successAnswer,
    result: undefined,
  },
  {
    operation: 'responses.list',
    run: async ({ responses }) => responses.list('q-1'),
    method: 'GET',
    path: '/v1/quizzes/q-1/responses',
    answer: [responseAnswer()],
    result: [expect.objectContaining({ response_id: 'r-1', available_points: 10 })],
  },
  {
    operation: 'responses.get',
    run: async ({ responses }) => responses.get('q-1', 'r-1'),
    method: 'GET',
    path: '/v1/quizzes/q-1/responses/r-1',
    answer: responseAnswer(),
    result: expect.objectContaining({ response_id: 'r-1', date_submitted: new Date('2024-05-07T23:59:58Z') }),
  },
  {
    operation: 'responses.delete',
    run: async ({ responses }) => responses.delete('q-1', 'r-1'),
    method: 'DELETE',
    path: '/v1/quizzes/q-1/responses/r-1',
    answer: successAnswer,
    result: undefined,
  },
  {
    operation: 'responses.questions',
    run: async ({ responses }) => responses.questions('q-1', 'r-1'),
    method: 'GET',
    path: '/v1/quizzes/q-1/responses/r-1/questions',
    answer: [questionAnswer()],
    result: [expect.objectContaining({ question_id: 'qu-1', points_scored: 1 })],
  },
  {
    operation: 'users.list',
    run: async ({ users }) => users.list(),
    method: 'GET',
    path: '/v1/users',
    answer: [userAnswer()],
    result: [expect.objectContaining({ user_id: 'u-1', manage_users: true })],
  },
  {
    operation: 'users.get',
    run: async ({ users }) => users.get('u-1'),
    method: 'GET',
    path: '/v1/users/u-1',
    answer: userAnswer(),
    result: expect.objectContaining({ user_id: 'u-1' }),
  },
  {
    operation: 'users.find',
    run: async ({ users }) => users.find('ada+quiz@example.com'),
    method: 'POST',
    path: '/v1/users/find',
    form: { user_name: 'ada+quiz@example.com' },
    answer: { user_id: 'u-1' },
    result: 'u-1',
  },
  {
    operation: 'users.create',
    run: async ({ users }) =>
      users.create({
        user_name: 'grace',
        password: 'pass=word&',
        user_type: 'respondent',
        suspended: false,
        send_welcome_email: true,
      }),
    method: 'POST',
    path: '/v1/users',
    form: {
      user_name: 'grace',
      password: 'pass=word&',
      user_type: 'respondent',
      suspended: 'false',
      send_welcome_email: 'true',
    },
    answer: { user_id: 'u-9' },
    result: 'u-9',
  },
  {
    operation: 'users.update',
    run: async ({ users }) => users.update('u-1', { suspended: true }),
    method: 'POST',
    path: '/v1/users/u-1',
    form: { suspended: 'true' },
    answer: successAnswer,
    result: undefined,
  },
  {
    operation: 'users.delete',
    run: async ({ users }) => users.delete('u-1'),
    method: 'DELETE',
    path: '/v1/users/u-1',
    answer: successAnswer,
    result: undefined,
  },
  {
    operation: 'users.quizzes',
    run: async ({ users }) => users.quizzes('u-1'),
    method: 'GET',
    path: '/v1/users/u-1/quizzes',
    answer: [{ quiz_id: 'q-1', name: 'Fire safety', date_assigned: '2024-05-06 17:10:00' }],
    result: [{ quiz_id: 'q-1', name: 'Fire safety', date_assigned: '2024-05-06 17:10:00' }],
  },
  {
    operation: 'users.assignQuiz',
    run: async ({ users }) => users.assignQuiz('u-1', 'q-1'),
    method: 'POST',
    path: '/v1/users/u-1/quizzes',
    form: { quiz_id: 'q-1' },
    answer: successAnswer,
    result: undefined,
  },
  {
    operation: 'users.unassignQuiz',
    run: async ({ users }) => users.unassignQuiz('u-1', 'q-1'),
    method: 'DELETE',
    path: '/v1/users/u-1/quizzes',
    form: { quiz_id: 'q-1' },
    answer: successAnswer,
    result: undefined,
  },
  {
    operation: 'users.assignGroup',
    run: async ({ users }) => users.assignGroup('u-1', 'g-1'),
    method: 'POST',
    path: '/v1/users/u-1/groups',
    form: { group_id: 'g-1' },
    answer: successAnswer,
    result: undefined,
  },
  {
    operation: 'users.unassignGroup',
    run: async ({ users }) => users.unassignGroup('u-1', 'g-1'),
    method: 'DELETE',
    path: '/v1/users/u-1/groups',
    form: { group_id: 'g-1' },
    answer: successAnswer,
    result: undefined,
  },
  {
    operation: 'groups.list',
    run: async ({ groups }) => groups.list(),
    method: 'GET',
    path: '/v1/groups',
    answer: [groupAnswer()],
    result: [{ group_id: 'g-1', group_name: 'Night shift' }],
  },
];

describe('every operation sends the request of the specification and parses the answer', () => {
  test.each(examples)('$operation', async ({ run, method, path, form, answer, result }) => {
    let sent = '';
    nock('https://quiz.example', { reqheaders: { 'x-api-key': 'key-1' } })
      .intercept(`/account/api${path}`, method, (body) => {
        sent = typeof body === 'string' ? body : new URLSearchParams(body).toString();
        return true;
      })
      .matchHeader('content-type', (type) => form === undefined || String(type) === 'application/x-www-form-urlencoded')
      .reply(200, answer);

    const actual = await run(api);

    expect(actual).toEqual(result);
    expect(Object.fromEntries(new URLSearchParams(sent))).toEqual(form ?? {});
  });

  test('responses.file', async () => {
    nock('https://quiz.example', { reqheaders: { 'x-api-key': 'key-1' } })
      .get('/account/api/v1/quizzes/q-1/responses/r-1/files/f%2F1')
      .reply(200, 'a photo', {
        'content-type': 'image/png',
        'content-disposition': 'attachment; filename="photo.png"',
      });

    const file = await api.responses.file('q-1', 'r-1', 'f/1');

    expect(file).toMatchObject({ contentType: 'image/png', fileName: 'photo.png' });
    expect(Buffer.concat(await file.stream.toArray()).toString()).toBe('a photo');
  });
});

test.each([
  [404, '{"message":"No such user"}'],
  [404, 'No such user'],
  [400, '{"Message":"No such user"}'],
  [422, '"No such user"'],
  [200, '{"user_id":null}'],
  [200, '{}'],
  [200, '\ufeff{"data":{"user_id":null}}'],
])('find returns null when the service answers %i %s', async (status, body) => {
  nock('https://quiz.example').post('/account/api/v1/users/find').reply(status, body);

  expect(await api.users.find('nobody')).toBeNull();
});

test.each([
  [404, 'answered 404 with a page'],
  [400, 'answered 400'],
  [200, 'answered 200 with a page where JSON belongs'],
])('find fails when an HTML page, not the service, returns %i', async (status, words) => {
  nock('https://quiz.example')
    .post('/account/api/v1/users/find')
    .reply(status, '<html><title>No such site</title></html>');

  await expect(api.users.find('nobody')).rejects.toThrow(`POST /v1/users/find (users.find) ${words} and gave a reason`);
});

test('find reads a numeric id', async () => {
  nock('https://quiz.example').post('/account/api/v1/users/find').reply(200, { user_id: 700_401 });

  expect(await api.users.find('ada')).toBe('700401');
});

test('every method of the client has an example', () => {
  const methods = (['quizzes', 'responses', 'users', 'groups'] as const).flatMap((resource) =>
    Object.keys(api[resource]).map((method) => `${resource}.${method}`),
  );
  const covered = new Set([...examples.map((example) => example.operation), 'responses.file', 'responses.using']);

  expect(methods.filter((method) => !covered.has(method))).toEqual([]);
  expect(methods).toHaveLength(27);
});

import { expect, test } from 'vitest';
import { callNames, changingCalls, fillPath } from '../../src/quiz-api/endpoints.ts';
import { createQuizApi } from '../../src/quiz-api/quiz-api.ts';
import { createMockService } from '../support/mock-service.ts';
import * as fc from 'fast-check';
import { failedWith } from '../../src/quiz-api/errors.ts';

test('every method of the client has the name that logs and metrics give it', async () => {
  const api = createQuizApi({ baseUrl: 'https://quiz.example', apiKey: 'key-1' });
  await api.close();
  const methods = (['quizzes', 'responses', 'users', 'groups'] as const).flatMap((resource) =>
    Object.keys(api[resource]).map((name) => `${resource}.${name}`),
  );
  expect(methods.filter((name) => name !== 'responses.using').toSorted()).toEqual(callNames.toSorted());
});

test('every request but a GET and the search for a user changes the account', () => {
  const others = callNames.filter((name) => !changingCalls.has(name));
  expect(others.toSorted()).toEqual(
    [
      ['groups.list', 'quizzes.get', 'quizzes.groups', 'quizzes.list', 'responses.file', 'responses.get'],
      ['responses.list', 'responses.questions', 'users.find', 'users.get', 'users.list', 'users.quizzes'],
    ].flat(),
  );
});

test('a form has the fields of the table only, in the order of the caller', async () => {
  const { service, api } = createMockService();
  const user = { last_name: 'Lovelace', organization: 'unknown to the call', user_name: 'ada', password: undefined };
  service
    .intercept({ path: '/api/v1/users/u-1', method: 'POST', body: 'last_name=Lovelace&user_name=ada' })
    .reply(200, '');
  await expect(api.users.update('u-1', user)).resolves.toBeUndefined();
});

test('encodes every id as exactly one path segment that decodes to the id', () => {
  const anyId = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1 }),
    fc.constantFrom('a/../b', '%2e%2e', '?x=1', '#', '\\', ' ', '日本'),
  );
  fc.assert(
    fc.property(
      anyId.filter((id) => id !== '.' && id !== '..'),
      (id) => {
        const url = new URL(fillPath('/v1/quizzes/{quiz_id}/groups', [id]), 'https://quiz.example');
        expect(url.pathname.split('/').map(decodeURIComponent)).toEqual(['', 'v1', 'quizzes', id, 'groups']);
        expect(url.search + url.hash).toBe('');
      },
    ),
  );
});

test.each(['', '.', '..', '\ud800'])('refuses the id %j', (id) => {
  expect(() => fillPath('/v1/quizzes/{quiz_id}', [id])).toThrow(TypeError);
});

test.each<[number, string]>([
  [200, '{"message":"200: OK"}'],
  [200, ''],
  [200, 'OK'],
  [200, '"OK"'],
  [200, 'null'],
  [200, '{'],
  [201, '{"status":"created"}'],
  [200, '{"error":null,"errors":[],"success":true,"message":"2 quizzes"}'],
  [202, 'Accepted'],
  [204, ''],
])('a write is done, and something new has no known id, when the service answers %i %j', async (status, body) => {
  const { service, api } = createMockService();
  service.intercept({ path: '/api/v1/quizzes/q-1', method: 'POST' }).reply(status, body);
  service.intercept({ path: '/api/v1/users/u-1', method: 'DELETE' }).reply(status, body);
  service.intercept({ path: '/api/v1/users', method: 'POST' }).reply(status, body);
  service.intercept({ path: '/api/v1/quizzes/q-1/copy', method: 'POST' }).reply(status, body);
  expect(await api.quizzes.update('q-1', { status: 'closed' })).toBeUndefined();
  expect(await api.users.delete('u-1')).toBeUndefined();
  expect([await api.users.create({ user_name: 'ada' }), await api.quizzes.copy('q-1', {})]).toEqual([null, null]);
});

test.each([
  '{"error":"The quiz is locked"}',
  '{"errors":[{"field":"name"}]}',
  '{"message":"400: Bad Request"}',
  '{"Message":"500: Internal Server Error"}',
  '{"success":false}',
  '{"status":409}',
])('a write that the service answers with 200 %j may be done', async (body) => {
  const { service, api } = createMockService();
  service.intercept({ path: '/api/v1/quizzes/q-1', method: 'POST' }).reply(200, body);
  service.intercept({ path: '/api/v1/users', method: 'POST' }).reply(200, body);
  for (const change of [api.quizzes.update('q-1', { status: 'closed' }), api.users.create({ user_name: 'ada' })])
    expect(failedWith(await change.catch((error: unknown) => error), 'mayBeDone')).toBe(true);
});

test.each([
  ['{"user_id":"u-9"}', {}],
  ['{"user_id":"u-9","id":"row-1"}', {}],
  ['{"id":"u-9"}', {}],
  ['\ufeff{"user_id":null,"data":{"user_id":"u-9"}}', {}],
  ['{"data":{"id":"u-9"}}', {}],
  ['', { location: '/api/v1/users/u-9' }],
  ['"OK"', { location: 'https://quiz.example/api/v1/users/u%2D9' }],
])('the id of a new user is known from %s %j', async (body, headers) => {
  const { service, api } = createMockService();
  service.intercept({ path: '/api/v1/users', method: 'POST' }).reply(201, body, { headers });
  expect(await api.users.create({ user_name: 'ada' })).toBe('u-9');
});

test('the id of a copy can be a number', async () => {
  const { service, api } = createMockService();
  service.intercept({ path: '/api/v1/quizzes/q-1/copy', method: 'POST' }).reply(200, { quiz_id: 4711 });
  expect(await api.quizzes.copy('q-1', {})).toBe('4711');
});

test.each(['/sign-in', '/api/v1/users/', '/api/v1/users/%', '/api/v1/users/..', ''])(
  'a location of %j tells no id',
  async (location) => {
    const { service, api } = createMockService();
    service.intercept({ path: '/api/v1/users', method: 'POST' }).reply(201, '', { headers: { location } });
    expect(await api.users.create({ user_name: 'ada' })).toBeNull();
  },
);

test.each([
  [404, '{"message":"No such user"}', null],
  [404, 'No such user', null],
  [400, '{"Message":"No such user"}', null],
  [422, '"No such user"', null],
  [200, '{"user_id":null}', null],
  [200, '{}', null],
  [200, '\ufeff{"data":{"user_id":null}}', null],
  [200, '{"user_id":700401}', '700401'],
])('a search for a user that is answered %i %s finds %j', async (status, body, found) => {
  const { service, api } = createMockService();
  service.intercept({ path: '/api/v1/users/find', method: 'POST' }).reply(status, body);
  expect(await api.users.find('ada')).toBe(found);
});

test.each([
  [404, 'answered 404 with a page'],
  [400, 'answered 400'],
  [200, 'answered 200 with a page where JSON belongs'],
])('a search for a user fails when a page of HTML, not the service, answers %i', async (status, words) => {
  const { service, api } = createMockService();
  const page = '<html><title>No such site</title></html>';
  service.intercept({ path: '/api/v1/users/find', method: 'POST' }).reply(status, page);
  await expect(api.users.find('nobody')).rejects.toThrow(`POST /v1/users/find (users.find) ${words} and gave a reason`);
});

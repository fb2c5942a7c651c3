import { expect, test } from 'vitest';
import { type Endpoint, callNames, changingCalls, endpoints, fillPath } from '../../src/quiz-api/endpoints.ts';
import { createQuizApi } from '../../src/quiz-api/quiz-api.ts';
import { operations } from '../contract/operations.ts';
import { createMockService } from '../support/mock-service.ts';
import * as fc from 'fast-check';

const rows = Object.values<Record<string, Endpoint>>(endpoints).flatMap((resource) => Object.values(resource));

function parametersOf({ form }: Endpoint): string[] {
  return typeof form === 'string' ? [form] : Object.keys(form?.shape ?? {});
}

test('the table has the method, path and parameters of every operation of the specification', () => {
  const lines = (all: { method: string; path: string; parameters: readonly string[] }[]) =>
    all.map(({ method, path, parameters }) => `${method} ${path} ${parameters.toSorted().join(' ')}`).toSorted();

  expect(lines(rows.map((row) => ({ ...row, parameters: parametersOf(row) })))).toEqual(
    lines(Object.values(operations)),
  );
});

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

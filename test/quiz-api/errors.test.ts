import { describe, expect, test } from 'vitest';
import {
  BadRequestError, ForbiddenError, InvalidResponseError, NotFoundError, NotJsonError, QuizApiError, RateLimitedError,
  ServiceError,
} from '../../src/quiz-api/errors.ts';
import { createMockService } from '../support/mock-service.ts';
import { quizAnswer, userAnswer } from '../support/service-answers.ts';

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(() => new Error('nothing failed'), (error: unknown) => error);
}

describe('the error of a failed call has method, path, status and the message of the service', () => {
  test.each([
    [400, BadRequestError],
    [401, ForbiddenError],
    [403, ForbiddenError],
    [404, NotFoundError],
    [409, BadRequestError],
    [422, BadRequestError],
    [500, ServiceError],
    [503, ServiceError],
    [302, QuizApiError],
  ])('with status %i', async (status, type) => {
    const { service, api } = createMockService();
    service.intercept({ path: '/api/v1/quizzes/q-1', method: 'DELETE' }).reply(status, { message: 'Not  today' });

    const error = await failure(api.quizzes.delete('q-1'));

    expect(error).toBeInstanceOf(type);
    expect(error).toMatchObject({
      message: `DELETE /v1/quizzes/q-1 (quizzes.delete) answered ${status}: Not today`,
      name: type.name,
      operation: 'quizzes.delete',
      method: 'DELETE',
      path: '/v1/quizzes/q-1',
      status,
      serviceMessage: 'Not today',
    });
  });

  test('with the title of an HTML page', async () => {
    const { service, api } = createMockService();
    service.intercept({ path: '/api/v1/quizzes', method: 'POST' })
      .reply(502, '<!DOCTYPE html><html><head><title>Bad\nGateway</title></head><body>…</body></html>');

    await expect(api.quizzes.create({ name: 'x' })).rejects.toThrow('POST /v1/quizzes (quizzes.create) answered 502: Bad Gateway');
  });

  test('with only the status for an empty body', async () => {
    const { service, api } = createMockService();
    service.intercept({ path: '/api/v1/quizzes', method: 'POST' }).reply(400, '');

    expect(await failure(api.quizzes.create({ name: 'x' }))).toMatchObject({
      message: 'POST /v1/quizzes (quizzes.create) answered 400',
    });
  });

  test('with a shortened message', async () => {
    const { service, api } = createMockService();
    service.intercept({ path: '/api/v1/quizzes', method: 'POST' }).reply(400, 'x'.repeat(200_000));

    expect(await failure(api.quizzes.create({ name: 'x' }))).toMatchObject({ serviceMessage: `${'x'.repeat(300)}…` });
  });
});

test('only a 403 with 403.4 means that SSL is required', async () => {
  const { service, api } = createMockService();
  service.intercept({ path: '/api/v1/groups' }).reply(403, { code: '403.4', message: 'SSL required' });
  service.intercept({ path: '/api/v1/groups' }).reply(403, { message: 'Forbidden' });

  expect(await failure(api.groups.list())).toMatchObject({
    isSslRequired: true,
    message: 'GET /v1/groups (groups.list) answered 403 because SSL is required: SSL required',
  });
  expect(await failure(api.groups.list())).toMatchObject({ isSslRequired: false });
});

test('no error contains the key or a password, even when the service repeats them', async () => {
  const { service, api } = createMockService({ apiKey: 'canary-key' });
  service.intercept({ path: '/api/v1/users', method: 'POST' })
    .reply(422, { message: 'canary-password is too weak for canary-key' });

  const error = await failure(api.users.create({ user_name: 'ada', password: 'canary-password' }));

  expect(error).toMatchObject({ serviceMessage: '[secret] is too weak for [secret]' });
  expect(JSON.stringify([error, String(error), error instanceof Error && error.stack])).not.toContain('canary');
});

describe('an answer that is not JSON', () => {
  test('is an HTML page, even with status 200', async () => {
    const { service, api } = createMockService();
    service.intercept({ path: '/api/v1/quizzes/q-1' }).reply(200, '<html><title>Sign in</title></html>');

    const error = await failure(api.quizzes.get('q-1'));

    expect(error).toBeInstanceOf(NotJsonError);
    expect(error).toMatchObject({
      message: 'GET /v1/quizzes/q-1 (quizzes.get) answered 200 with a page where JSON belongs: Sign in',
      status: 200,
    });
  });

  test.each(['', '[', '[1', '[{"quiz_id":"q-1"', '<html></html>', 'null,', '[] []', '[,]'])('in a list: %j', async (text) => {
    const { service, api } = createMockService();
    service.intercept({ path: '/api/v1/quizzes' }).reply(200, text);

    expect(await failure(api.quizzes.list())).toBeInstanceOf(NotJsonError);
  });
});

describe('the error for invalid JSON content', () => {
  test('names the field', async () => {
    const { service, api } = createMockService();
    service.intercept({ path: '/api/v1/quizzes/q-1' }).reply(200, quizAnswer({ status: 'ajar' }));

    const error = await failure(api.quizzes.get('q-1'));

    expect(error).toBeInstanceOf(InvalidResponseError);
    expect(error).toMatchObject({ field: 'status', status: 200 });
    expect(String(error)).toContain('GET /v1/quizzes/q-1 (quizzes.get) answered 200, but status is wrong: ');
  });

  test('names the index in a list', async () => {
    const { service, api } = createMockService();
    const quizzes = [{ quiz_id: 'q-1', name: 'x', date_assigned: '2024-05-06 17:10:00' }, { quiz_id: 7, name: 'y' }];
    service.intercept({ path: '/api/v1/users' }).reply(200, [userAnswer(), userAnswer({ quizzes })]);

    expect(await failure(api.users.list())).toMatchObject({ field: '[1].quizzes[1].quiz_id' });
  });

  test('covers an object instead of a list and a list instead of an object', async () => {
    const { service, api } = createMockService();
    service.intercept({ path: '/api/v1/quizzes' }).reply(200, { quizzes: [] });
    service.intercept({ path: '/api/v1/quizzes/q-1' }).reply(200, [quizAnswer()]);

    expect(await failure(api.quizzes.list())).toMatchObject({ name: 'InvalidResponseError', field: '' });
    expect(await failure(api.quizzes.get('q-1'))).toMatchObject({ name: 'InvalidResponseError', field: '' });
  });

  test('does not repeat the content', async () => {
    const { service, api } = createMockService();
    service.intercept({ path: '/api/v1/users/u-1' }).reply(200, userAnswer({ email_address: { private: 'ada@example.com' } }));

    const error = await failure(api.users.get('u-1'));

    expect(error).toMatchObject({ field: 'email_address' });
    expect(String(error)).not.toContain('ada@example.com');
  });
});

test('refuses an id that cannot be a path segment before any request', async () => {
  const { api } = createMockService();

  for (const id of ['', '.', '..', '\ud800']) {
    await expect(api.quizzes.get(id)).rejects.toThrow(TypeError);
    await expect(api.users.assignQuiz(id, 'q-1')).rejects.toThrow(TypeError);
  }
});

test.each(['ftp://quiz.example', 'quiz.example', 'https://ada:secret@quiz.example', 'https://quiz.example/?a=b', 'https://quiz.example/#x'])(
  'a base URL of %s is refused without repeating it',
  (baseUrl) => {
    expect(() => createMockService({ baseUrl })).toThrow('baseUrl must be an http or https address');
  },
);

test('the error after the last retry says when the service accepts requests again', async () => {
  const { service, api } = createMockService({ now: () => Date.UTC(2025, 0, 1) });
  service.intercept({ path: '/api/v1/groups' }).reply(429, { message: 'Exceeded request rate limit' }, { headers: { 'retry-after': '20' } });

  const error = await failure(api.groups.list({ deadline: Date.UTC(2025, 0, 1) + 10_000 }));

  expect(error).toBeInstanceOf(RateLimitedError);
  expect(error).toMatchObject({ retryAt: new Date('2025-01-01T00:00:20Z'), serviceMessage: 'Exceeded request rate limit' });
});

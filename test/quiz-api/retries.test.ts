import { describe, expect, test } from 'vitest';
import type { CallOptions, ObservedCall } from '../../src/quiz-api/transport.ts';
import type { QuizApi } from '../../src/quiz-api/quiz-api.ts';
import { createMockService, createOpenBudget } from '../support/mock-service.ts';
import { quizAnswer, successAnswer, userAnswer } from '../support/service-answers.ts';

const startMs = Date.UTC(2025, 0, 1);

/** A service that always returns the same answer, and a client that does not wait. */
function createFailingService(
  method: string,
  path: string,
  answer: { status: number; headers?: Record<string, string> } | Error,
) {
  const budget = createOpenBudget();
  const waits: number[] = [];
  const calls: ObservedCall[] = [];
  const mock = createMockService({
    budget,
    now: () => startMs,
    sleep: async (ms) => {
      waits.push(ms);
    },
    onCall: (call) => calls.push(call),
  });
  const interceptor = mock.service.intercept({ path, method });
  if (answer instanceof Error) interceptor.replyWithError(answer).persist();
  else interceptor.reply(answer.status, { message: 'no' }, { headers: answer.headers ?? {} }).persist();
  return { ...mock, budget, waits, calls };
}

type Example = [
  operation: string,
  method: string,
  path: string,
  run: (api: QuizApi, options?: CallOptions) => Promise<unknown>,
];

const idempotent: Example[] = [
  ['quizzes.get', 'GET', '/api/v1/quizzes/q', ({ quizzes }, options) => quizzes.get('q', options)],
  [
    'quizzes.update',
    'POST',
    '/api/v1/quizzes/q',
    ({ quizzes }, options) => quizzes.update('q', { name: 'x' }, options),
  ],
  ['users.find', 'POST', '/api/v1/users/find', ({ users }, options) => users.find('x', options)],
  ['users.update', 'POST', '/api/v1/users/u', ({ users }, options) => users.update('u', { suspended: true }, options)],
  ['users.assignQuiz', 'POST', '/api/v1/users/u/quizzes', ({ users }, options) => users.assignQuiz('u', 'q', options)],
  [
    'users.unassignQuiz',
    'DELETE',
    '/api/v1/users/u/quizzes',
    ({ users }, options) => users.unassignQuiz('u', 'q', options),
  ],
  ['users.assignGroup', 'POST', '/api/v1/users/u/groups', ({ users }, options) => users.assignGroup('u', 'g', options)],
  [
    'users.unassignGroup',
    'DELETE',
    '/api/v1/users/u/groups',
    ({ users }, options) => users.unassignGroup('u', 'g', options),
  ],
  [
    'quizzes.assignGroup',
    'POST',
    '/api/v1/quizzes/q/groups',
    ({ quizzes }, options) => quizzes.assignGroup('q', 'g', options),
  ],
  [
    'quizzes.unassignGroup',
    'DELETE',
    '/api/v1/quizzes/q/groups',
    ({ quizzes }, options) => quizzes.unassignGroup('q', 'g', options),
  ],
];

const notIdempotent: Example[] = [
  ['quizzes.create', 'POST', '/api/v1/quizzes', ({ quizzes }, options) => quizzes.create({ name: 'x' }, options)],
  ['quizzes.copy', 'POST', '/api/v1/quizzes/q/copy', ({ quizzes }, options) => quizzes.copy('q', {}, options)],
  ['quizzes.delete', 'DELETE', '/api/v1/quizzes/q', ({ quizzes }, options) => quizzes.delete('q', options)],
  [
    'responses.delete',
    'DELETE',
    '/api/v1/quizzes/q/responses/r',
    ({ responses }, options) => responses.delete('q', 'r', options),
  ],
  ['users.create', 'POST', '/api/v1/users', ({ users }, options) => users.create({ user_name: 'x' }, options)],
  ['users.delete', 'DELETE', '/api/v1/users/u', ({ users }, options) => users.delete('u', options)],
];

const connectionLost = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });

describe('an idempotent operation is tried three times', () => {
  test.each(idempotent)('%s after a 500', async (_, method, path, run) => {
    const { api, budget, waits } = createFailingService(method, path, { status: 500 });

    await expect(run(api)).rejects.toMatchObject({ name: 'ServiceError', status: 500 });
    expect(budget.taken).toBe(3);
    expect(budget.answered).toBe(3);
    expect(waits).toEqual([150, 300]);
  });

  test.each(idempotent)('%s after a lost connection', async (_, method, path, run) => {
    const { api, calls } = createFailingService(method, path, connectionLost);

    await expect(run(api)).rejects.toMatchObject({ name: 'ConnectionError', status: undefined });
    expect(calls.map((call) => call.status)).toEqual(['error', 'error', 'error']);
  });
});

describe('a change that its caller looks up', () => {
  const changes = idempotent.filter(([operation, method]) => method !== 'GET' && operation !== 'users.find');

  test.each(changes)('%s is tried once after a lost connection', async (_, method, path, run) => {
    const { api, budget } = createFailingService(method, path, connectionLost);

    await expect(run(api, { isLookedUp: true })).rejects.toMatchObject({ name: 'ConnectionError' });
    expect(budget.taken).toBe(1);
  });

  test.each(changes)('%s is tried once after a 500', async (_, method, path, run) => {
    const { api, budget } = createFailingService(method, path, { status: 500 });

    await expect(run(api, { isLookedUp: true })).rejects.toMatchObject({ name: 'ServiceError' });
    expect(budget.taken).toBe(1);
  });

  test.each(changes)('%s is tried three times where there is no connection', async (_, method, path, run) => {
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const { api, budget } = createFailingService(method, path, refused);

    await expect(run(api, { isLookedUp: true })).rejects.toMatchObject({ name: 'ConnectionError' });
    expect(budget.taken).toBe(3);
  });
});

describe('an operation that is not idempotent is tried once', () => {
  test.each(notIdempotent)('%s after a 500', async (_, method, path, run) => {
    const { api, budget } = createFailingService(method, path, { status: 500 });

    await expect(run(api)).rejects.toMatchObject({ name: 'ServiceError' });
    expect(budget.taken).toBe(1);
  });

  test.each(notIdempotent)('%s after a lost connection', async (_, method, path, run) => {
    const { api, budget } = createFailingService(method, path, connectionLost);

    await expect(run(api)).rejects.toThrow(`${method} ${path.slice(4)}`);
    expect(budget.taken).toBe(1);
  });
});

test.each([400, 403, 404, 422])('does not retry a %i', async (status) => {
  const { api, budget } = createFailingService('GET', '/api/v1/quizzes/q', { status });

  await expect(api.quizzes.get('q')).rejects.toMatchObject({ status });
  expect(budget.taken).toBe(1);
});

test('does not retry an invalid answer', async () => {
  const budget = createOpenBudget();
  const { service, api } = createMockService({ budget });
  service.intercept({ path: '/api/v1/quizzes/q' }).reply(200, '<html></html>').times(2);

  await expect(api.quizzes.get('q')).rejects.toMatchObject({ name: 'NotJsonError' });
  expect(budget.taken).toBe(1);
});

test('returns a success after failures', async () => {
  const { service, api } = createMockService({ sleep: async () => {} });
  service.intercept({ path: '/api/v1/quizzes/q' }).reply(503, '').times(1);
  service.intercept({ path: '/api/v1/quizzes/q' }).replyWithError(connectionLost).times(1);
  service.intercept({ path: '/api/v1/quizzes/q' }).reply(200, quizAnswer());

  await expect(api.quizzes.get('q')).resolves.toMatchObject({ quiz_id: 'q-1' });
});

test('throws the last error instead of waiting beyond the deadline', async () => {
  const { api, budget, waits } = createFailingService('GET', '/api/v1/quizzes/q', { status: 500 });

  await expect(api.quizzes.get('q', { deadline: startMs + 299 })).rejects.toMatchObject({ name: 'ServiceError' });
  expect(waits).toEqual([150]);
  expect(budget.taken).toBe(2);
});

describe('a 429', () => {
  test.each([...idempotent, ...notIdempotent])('repeats %s up to ten times', async (_, method, path, run) => {
    const { api, budget, waits } = createFailingService(method, path, { status: 429, headers: { 'retry-after': '7' } });

    await expect(run(api)).rejects.toMatchObject({ name: 'RateLimitedError', availableAt: new Date(startMs + 7000) });
    expect(budget.refusals).toEqual(Array.from({ length: 10 }, () => 7000));
    expect(budget.answered).toBe(0);
    expect(waits).toEqual([]);
  });

  test.each([
    ['seconds', '3', 3000],
    ['a date', new Date(startMs + 9000).toUTCString(), 9000],
    ['a date that is past', new Date(startMs - 9000).toUTCString(), 0],
  ])('with a Retry-After of %s updates the budget', async (_form, retryAfter, ms) => {
    const { api, budget } = createFailingService('GET', '/api/v1/groups', {
      status: 429,
      headers: { 'retry-after': retryAfter },
    });

    await expect(api.groups.list()).rejects.toMatchObject({ name: 'RateLimitedError' });
    expect(budget.refusals[0]).toBe(ms);
  });

  test.each([[{}], [{ 'retry-after': 'soon' }]])(
    'without a usable Retry-After (%j) increases the wait each time',
    async (headers) => {
      const { api, budget } = createFailingService('GET', '/api/v1/groups', { status: 429, headers });

      await expect(api.groups.list()).rejects.toMatchObject({ name: 'RateLimitedError' });
      expect(budget.refusals.slice(0, 6)).toEqual([3000, 6000, 12_000, 24_000, 45_000, 45_000]);
    },
  );

  test('is thrown at once if the service accepts requests only after the deadline', async () => {
    const { api, budget } = createFailingService('POST', '/api/v1/quizzes', {
      status: 429,
      headers: { 'retry-after': '7' },
    });

    await expect(api.quizzes.create({ name: 'x' }, { deadline: startMs + 6999 })).rejects.toMatchObject({
      name: 'RateLimitedError',
      availableAt: new Date(startMs + 7000),
    });
    expect(budget.refusals).toEqual([7000]);
  });
});

test('reports every request with its status and the problem of the answer', async () => {
  const calls: ObservedCall[] = [];
  let time = startMs;
  const { service, api } = createMockService({
    sleep: async () => {},
    now: () => (time += 5),
    onCall: (call) => calls.push(call),
  });
  service.intercept({ path: '/api/v1/users/u', method: 'POST' }).reply(500, '');
  service.intercept({ path: '/api/v1/users/u', method: 'POST' }).reply(200, successAnswer);
  service.intercept({ path: '/api/v1/users/u-1' }).reply(200, userAnswer({ user_id: null }));

  await api.users.update('u', { first_name: 'Ada' });
  await expect(api.users.get('u-1')).rejects.toThrow('user_id');

  expect(calls).toEqual([
    {
      operation: 'users.update',
      method: 'POST',
      status: 500,
      failure: 'ServiceError',
      durationMs: expect.any(Number),
      waitedMs: expect.any(Number),
    },
    {
      operation: 'users.update',
      method: 'POST',
      status: 200,
      failure: undefined,
      durationMs: expect.any(Number),
      waitedMs: expect.any(Number),
    },
    {
      operation: 'users.get',
      method: 'GET',
      status: 200,
      failure: 'InvalidResponseError',
      durationMs: expect.any(Number),
      waitedMs: expect.any(Number),
    },
  ]);
  expect(Math.min(...calls.map((call) => call.durationMs))).toBeGreaterThan(0);
});

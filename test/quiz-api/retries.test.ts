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

type Run = (api: QuizApi, options?: CallOptions) => Promise<unknown>;

const idempotent: Readonly<Record<string, Run>> = {
  'GET quizzes/q': ({ quizzes }, options) => quizzes.get('q', options),
  'POST quizzes/q': ({ quizzes }, options) => quizzes.update('q', { name: 'x' }, options),
  'POST users/find': ({ users }, options) => users.find('x', options),
  'POST users/u': ({ users }, options) => users.update('u', { suspended: true }, options),
  'POST users/u/quizzes': ({ users }, options) => users.assignQuiz('u', 'q', options),
  'DELETE users/u/quizzes': ({ users }, options) => users.unassignQuiz('u', 'q', options),
  'POST users/u/groups': ({ users }, options) => users.assignGroup('u', 'g', options),
  'DELETE users/u/groups': ({ users }, options) => users.unassignGroup('u', 'g', options),
  'POST quizzes/q/groups': ({ quizzes }, options) => quizzes.assignGroup('q', 'g', options),
  'DELETE quizzes/q/groups': ({ quizzes }, options) => quizzes.unassignGroup('q', 'g', options),
};
const notIdempotent: Readonly<Record<string, Run>> = {
  'POST quizzes': ({ quizzes }, options) => quizzes.create({ name: 'x' }, options),
  'POST quizzes/q/copy': ({ quizzes }, options) => quizzes.copy('q', {}, options),
  'DELETE quizzes/q': ({ quizzes }, options) => quizzes.delete('q', options),
  'DELETE quizzes/q/responses/r': ({ responses }, options) => responses.delete('q', 'r', options),
  'POST users': ({ users }, options) => users.create({ user_name: 'x' }, options),
  'DELETE users/u': ({ users }, options) => users.delete('u', options),
};
const examples = [idempotent, notIdempotent].flatMap((some) =>
  Object.entries(some).map(([line, run]) => {
    const [method = '', path = ''] = line.split(' ');
    const isRead = method === 'GET' || path === 'users/find';
    return { line, run, method, path: `/api/v1/${path}`, isIdempotent: some === idempotent, isRead };
  }),
);

const connection = (code: string) => Object.assign(new Error('socket hang up'), { code });
const connectionLost = connection('ECONNRESET');

test.each(examples)(
  '$line is tried three times if it is idempotent, and once where its caller looks it up or it makes something new',
  async ({ run, method, path, isIdempotent, isRead }) => {
    const failed = createFailingService(method, path, { status: 500 });
    await expect(run(failed.api)).rejects.toMatchObject({ name: 'ServiceError', status: 500 });
    expect(failed.waits).toEqual(isIdempotent ? [150, 300] : []);
    expect([failed.budget.taken, failed.budget.answered]).toEqual(isIdempotent ? [3, 3] : [1, 1]);

    const lost = createFailingService(method, path, connectionLost);
    await expect(run(lost.api)).rejects.toMatchObject({
      name: 'ConnectionError',
      status: undefined,
      message: expect.stringContaining(`${method} ${path.slice(4)}`),
    });
    expect(lost.calls.map(({ status }) => status)).toEqual(Array(isIdempotent ? 3 : 1).fill('error'));

    if (isRead || !isIdempotent) return;
    for (const [answer, times] of [
      [connectionLost, 1],
      [{ status: 500 }, 1],
      // Nothing was sent.
      [connection('ECONNREFUSED'), 3],
    ] as const) {
      const { api, budget } = createFailingService(method, path, answer);
      await expect(run(api, { isLookedUp: true })).rejects.toThrow();
      expect(budget.taken).toBe(times);
    }
  },
);

test.each([
  [400, '{"message":"no"}', 'BadRequestError'],
  [403, '{"message":"no"}', 'ForbiddenError'],
  [404, '{"message":"no"}', 'NotFoundError'],
  [422, '{"message":"no"}', 'BadRequestError'],
  [200, '<html></html>', 'NotJsonError'],
])('does not retry a %i with %s', async (status, body, name) => {
  const budget = createOpenBudget();
  const { service, api } = createMockService({ budget });
  service.intercept({ path: '/api/v1/quizzes/q' }).reply(status, body).times(2);
  await expect(api.quizzes.get('q')).rejects.toMatchObject({ name });
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
  test.each(examples)('repeats $line up to ten times', async ({ method, path, run }) => {
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

  const timed = { durationMs: expect.any(Number), waitedMs: expect.any(Number) };
  const update = { operation: 'users.update', method: 'POST', ...timed };
  const get = { operation: 'users.get', method: 'GET', ...timed };
  expect(calls).toEqual([
    { ...update, status: 500, failure: 'ServiceError' },
    { ...update, status: 200, failure: undefined },
    { ...get, status: 200, failure: 'InvalidResponseError' },
  ]);
  expect(Math.min(...calls.map((call) => call.durationMs))).toBeGreaterThan(0);
});

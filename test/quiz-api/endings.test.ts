import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createMemoryLedger } from '../../src/quiz-api/budget/rate-windows.ts';
import { createRequestBudget } from '../../src/quiz-api/budget/request-budget.ts';
import { createQuizApi, type QuizApiOptions } from '../../src/quiz-api/quiz-api.ts';
import { createMockService, createOpenBudget } from '../support/mock-service.ts';
import { quizAnswer } from '../support/service-answers.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';
import { startServer } from './scripted-server.ts';

const neverMs = 3_600_000;

async function serve(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  options: Partial<QuizApiOptions> = {},
) {
  const server = await startServer(answer);
  const api = createQuizApi({ baseUrl: server.baseUrl, apiKey: 'key-1', sleep: async () => {}, ...options });
  onTestFinished(server.stop);
  onTestFinished(api.close);
  return { server, api };
}

/** A client with so many requests a minute, by a clock that stands still. */
function openBudgeted(limit: number) {
  const { now, sleep } = createVirtualClock();
  const ledger = createMemoryLedger({ windows: [{ limit, windowMs: 60_000 }], marginMs: 0, now });
  const budget = createRequestBudget({ ledger, now, sleep });
  return { now, budget, ...createMockService({ now, sleep, budget }) };
}

const reason = new Error('the person closed the form');

describe('a call ends', () => {
  test('without a retry when no answer comes within the time of one attempt', async () => {
    const budget = createOpenBudget();
    const { service, api } = createMockService({ timeoutMs: 20, budget });
    service.intercept({ path: '/api/v1/groups' }).reply(200, []).delay(neverMs);
    await expect(api.groups.list()).rejects.toMatchObject({
      name: 'TimeoutError',
      message: 'GET /v1/groups (groups.list) had no answer within 20 ms',
    });
    expect(budget).toMatchObject({ taken: 1, answered: 1 });
  });

  test('before it starts if its deadline has passed', async () => {
    const budget = createOpenBudget();
    const { api } = createMockService({ budget });
    await expect(api.groups.list({ deadline: Date.now() - 1 })).rejects.toMatchObject({
      name: 'DeadlinePassedError',
      message: 'GET /v1/groups (groups.list) was not sent: its deadline had passed',
    });
    expect(budget.taken).toBe(0);
  });

  test('unsent if its deadline passes while it waits for its turn', async () => {
    const budget = {
      ...createOpenBudget(),
      take: async ({ signal }: { signal?: AbortSignal | undefined }) =>
        new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error))),
    };
    const { api } = createMockService({ budget });
    await expect(api.groups.list({ deadline: Date.now() + 20 })).rejects.toMatchObject({ name: 'DeadlinePassedError' });
  });

  test('at its deadline while it waits for an answer', async () => {
    const { service, api } = createMockService();
    service.intercept({ path: '/api/v1/groups' }).reply(200, []).delay(neverMs);
    await expect(api.groups.list({ deadline: Date.now() + 20 })).rejects.toMatchObject({
      name: 'TimeoutError',
      message: 'GET /v1/groups (groups.list) had no answer before its deadline',
    });
  });

  test('at its deadline while the body arrives', async () => {
    const { api } = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('[{"group_id":');
    });
    await expect(api.groups.list({ deadline: Date.now() + 100 })).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  test('at once because the budget is spent, if its turn comes after its deadline', async () => {
    const { now, service, api } = openBudgeted(1);
    service.intercept({ path: '/api/v1/groups' }).reply(200, []);
    await api.groups.list();
    await expect(api.groups.list({ deadline: now() + 30_000 })).rejects.toMatchObject({
      name: 'BudgetError',
      availableAt: new Date(now() + 60_007),
      message: `GET /v1/groups (groups.list) was not sent: its turn comes at ${new Date(now() + 60_007).toISOString()}, after its deadline`,
    });
  });

  test('at once where the person has used up their share', async () => {
    const { now, service, api } = openBudgeted(2);
    service.intercept({ path: '/api/v1/groups' }).reply(200, []).times(2);
    await api.groups.list({ personId: 'U1' });
    await expect(api.groups.list({ personId: 'U1' })).rejects.toMatchObject({
      name: 'PersonShareError',
      availableAt: new Date(now() + 60_000),
    });
    expect(await api.groups.list({ personId: 'U2' })).toEqual([]);
  });

  test('with the reason of the caller before it starts', async () => {
    const budget = createOpenBudget();
    const { api } = createMockService({ budget });
    await expect(api.groups.list({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(budget.taken).toBe(0);
  });

  test('with the reason of the caller while it waits for its turn', async () => {
    const { budget, api } = openBudgeted(1);
    await budget.take();
    const controller = new AbortController();
    const call = api.groups.list({ signal: controller.signal });
    await expect.poll(async () => (await budget.left()).waiting.person).toBe(1);
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
    expect((await budget.left()).waiting.person).toBe(0);
  });

  test('with the reason of the caller while it waits for an answer', async () => {
    const controller = new AbortController();
    const { api } = await serve(() => controller.abort(reason));
    await expect(api.groups.list({ signal: controller.signal })).rejects.toBe(reason);
  });

  test('with the reason of the caller while it waits for a retry', async () => {
    const controller = new AbortController();
    const { service, api } = createMockService({
      sleep: async (_ms, signal) => {
        controller.abort(reason);
        signal?.throwIfAborted();
      },
    });
    service.intercept({ path: '/api/v1/groups' }).reply(500, '').persist();
    await expect(api.groups.list({ signal: controller.signal })).rejects.toBe(reason);
  });

  test('when the service stops in the middle of its answer', async () => {
    const { api } = await serve(
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).write('[{"group_id":');
      },
      { timeoutMs: 100 },
    );
    await expect(api.groups.list()).rejects.toMatchObject({ name: 'TimeoutError', status: 200 });
  });
});

describe('a connection', () => {
  test.each([
    ['of a single resource', '{"quiz_id":"q-1","na'],
    ['of a list', `[${JSON.stringify(quizAnswer())},{"na`],
  ])('is retried when it is cut in the middle of the body %s', async (kind, beginning) => {
    let requests = 0;
    const isList = kind === 'of a list';
    const { api } = await serve((_request, response) => {
      requests += 1;
      if (requests > 2) {
        response.end(JSON.stringify(isList ? [quizAnswer()] : quizAnswer()));
        return;
      }
      response.writeHead(200, { 'content-length': '1000' }).write(beginning, () => response.destroy());
    });
    const result = await (isList ? api.quizzes.list() : api.quizzes.get('q-1'));
    expect(result).toMatchObject(isList ? [{ quiz_id: 'q-1' }] : { quiz_id: 'q-1' });
    expect(requests).toBe(3);
  });

  test('fails with the cause when it is always cut', async () => {
    const { api } = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('{', () => response.destroy());
    });
    await expect(api.quizzes.get('q-1')).rejects.toMatchObject({
      name: 'ConnectionError',
      status: 200,
      message: expect.stringContaining(
        'GET /v1/quizzes/q-1 (quizzes.get) lost its connection in the middle of the answer',
      ),
    });
  });

  test('fails with the cause when it cannot be opened', async () => {
    const { server, api } = await serve(() => {});
    await server.stop();
    await expect(api.groups.list()).rejects.toMatchObject({
      name: 'ConnectionError',
      status: undefined,
      message: 'GET /v1/groups (groups.list) found no connection (ECONNREFUSED)',
    });
  });

  test('is reused for the next call', async () => {
    const ports = new Set<number | undefined>();
    const { api } = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      response.end('[]');
    });
    for (let call = 0; call < 5; call += 1) await api.groups.list();
    expect(ports.size).toBeLessThan(5);
  });
});

test('a failure of the budget is not reported as a failure of the service', async () => {
  const { api } = createMockService({
    budget: {
      ...createOpenBudget(),
      take: async () => {
        throw new Error('the store is away');
      },
    },
  });
  await expect(api.groups.list()).rejects.toMatchObject({
    name: 'QuizApiError',
    message: 'GET /v1/groups (groups.list) was not sent: the request budget failed',
    cause: new Error('the store is away'),
  });
});

test('closing waits for calls in flight', async () => {
  const arrived = Promise.withResolvers<ServerResponse>();
  const { api } = await serve((_request, response) => arrived.resolve(response));
  const call = api.groups.list();
  const response = await arrived.promise;
  const closed = api.close();
  response.end('[]');
  await expect(call).resolves.toEqual([]);
  await closed;
});

test('a change is not sent where it must not be any more, and its permit goes back; what only reads is', async () => {
  const cancel = vi.fn<() => void>();
  const open = createOpenBudget();
  const budget = { ...open, take: async () => ({ ...(await open.take()), cancel }) };
  const { service, api } = createMockService({ budget });
  service.intercept({ path: '/api/v1/groups' }).reply(200, []);
  const beforeChange = () => {
    throw new Error('the turn is lost');
  };
  await expect(api.quizzes.update('q-1', { status: 'closed' }, { beforeChange })).rejects.toThrow('the turn is lost');
  expect(cancel).toHaveBeenCalledOnce();
  expect(await api.groups.list({ beforeChange })).toEqual([]);
});

describe('calls that share the time in which they may wait for their turns', () => {
  const openSpent = () => {
    const now = Date.now();
    const budget = createRequestBudget({ ledger: createMemoryLedger({ windows: [{ limit: 1, windowMs: 60_000 }] }) });
    return { now, ...createMockService({ budget }) };
  };

  test('are not sent when they would have to wait longer, though their deadline is far', async () => {
    const { now, service, api } = openSpent();
    service.intercept({ path: '/api/v1/groups' }).reply(200, []);
    const turns = { waitLeftMs: 2_000 };
    await api.groups.list({ turns });
    expect(turns.waitLeftMs).toBeLessThanOrEqual(2_000);
    await expect(api.groups.list({ turns, deadline: now + neverMs })).rejects.toMatchObject({ name: 'BudgetError' });
  });

  test('may wait again once a change is sent', async () => {
    const { service, api } = openSpent();
    service.intercept({ path: '/api/v1/quizzes/q-1', method: 'DELETE' }).reply(200, {});
    const turns = { waitLeftMs: 2_000 };
    await api.quizzes.delete('q-1', { turns });
    expect(turns.waitLeftMs).toBe(Infinity);
  });
});

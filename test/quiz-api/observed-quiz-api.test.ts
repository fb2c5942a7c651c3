import { expect, onTestFinished, test } from 'vitest';
import { createMetrics } from '../../src/observability/metrics.ts';
import { createObservedQuizApi, createServiceHealth } from '../../src/quiz-api/observed-quiz-api.ts';
import { recordingLog } from '../support/log.ts';
import { createOpenBudget } from '../support/mock-service.ts';
import { userAnswer } from '../support/service-answers.ts';
import { startServer } from './scripted-server.ts';

async function setUp(answers: (readonly [number, string])[]) {
  const agents: (string | undefined)[] = [];
  const server = await startServer((request, response) => {
    agents.push(request.headers['user-agent']);
    const [status = 200, body = '[]'] = answers.shift() ?? [];
    response.writeHead(status).end(body);
  });
  onTestFinished(server.stop);
  const { log, lines } = recordingLog();
  const metrics = createMetrics();
  const observed = createObservedQuizApi({
    baseUrl: server.baseUrl,
    apiKey: 'key-1',
    timeZone: 'UTC',
    version: '1.2.3',
    timeoutMs: 5_000,
    agentOptions: undefined,
    budget: createOpenBudget(),
    redis: undefined,
    keptRequests: { get: async () => undefined, set: async () => undefined },
    log,
    metrics,
    rankOf: () => 'administrator',
    now: () => 0,
  });
  onTestFinished(observed.api.close);
  const unreadable = async () => {
    const text = await metrics.registry.metrics();
    return [...text.matchAll(/^invigilator_quiz_unreadable_records\{list="(\w+)"\} (\d+)$/gm)].map(
      ([, list, count]) => `${list} ${count}`,
    );
  };
  const logged = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  return { ...observed, logged, unreadable, agents };
}

test('records that cannot be read are in the log once, without personal data, and in the metric', async () => {
  const odd = JSON.stringify([userAnswer(), userAnswer({ user_id: null, first_name: 'Canary' }), { name: 'Canary' }]);
  const { api, logged, unreadable } = await setUp([
    [200, odd],
    [200, odd],
    [200, '[]'],
  ]);
  expect(await unreadable()).toEqual([]);
  expect(await api.users.list()).toHaveLength(1);
  await api.users.list();
  expect(await unreadable()).toContain('users 2');
  expect(logged().filter(({ level }) => level === 'warn')).toEqual([
    expect.objectContaining({
      list: 'users',
      count: 2,
      reason: 'user_id is missing',
      msg: 'records of the quiz service cannot be read and are left out',
    }),
  ]);
  expect(JSON.stringify(logged())).not.toContain('Canary');
  await api.users.list();
  expect(await unreadable()).toEqual([]);
});

test('every request names the bot and its version', async () => {
  const { api, agents } = await setUp([]);
  await api.users.list();
  await api.users.create({ user_name: 'ada' });
  expect(agents).toEqual(['invigilator/1.2.3', 'invigilator/1.2.3']);
});

test('the log of a failed call has its status', async () => {
  const { api, logged } = await setUp([[403, '<html><title>Firewall</title>']]);
  await expect(api.groups.list()).rejects.toThrow('answered 403');
  expect(logged()).toContainEqual(
    expect.objectContaining({ level: 'warn', operation: 'groups.list', status: 403, failure: 'FirewallError' }),
  );
});

test.each([
  ['FirewallError', false],
  ['WrongAddressError', false],
  ['NotJsonError', false],
  ['ServiceError', false],
  ['ForbiddenError', false],
  ['SslRequiredError', false],
  ['NotFoundError', true],
  ['BadRequestError', true],
  [undefined, true],
])('after %s, the service counts as well: %j', (failure, isWell) => {
  const health = createServiceHealth();
  health.observe({ failure });
  expect(health.isWell()).toBe(isWell);
});

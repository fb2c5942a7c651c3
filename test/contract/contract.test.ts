import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createQuizApi } from '../../src/quiz-api/quiz-api.ts';
import { operations as served } from '../../src/sandbox/quiz-service/api/handle-call.ts';
import type { Case, Expectation } from './expectation.ts';
import { cases } from './cases.ts';
import { rawHttp, throughClient } from './drivers.ts';
import { operationNames, operations, pathParameters } from './operations.ts';
import { createServiceFixtures, type ServiceFixtures } from './service-fixture.ts';
import { testApiKey, startTestService } from '../sandbox/quiz-service/support/service.ts';

let fixtures: ServiceFixtures;

beforeAll(async () => {
  fixtures = await createServiceFixtures();
});
afterAll(() => fixtures.remove());

const drivers = [rawHttp, throughClient];
const passedRules = new Map(drivers.map(({ name }) => [name, new Set<string>()]));
const ruleOf = ({ operation, title }: Case) => `${operation}: ${title}`;

describe.each(drivers)('through $name', (driver) => {
  test.each(cases)('$operation: $title', async (rule) => {
    const fixture = await fixtures.open(rule.fault);
    onTestFinished(() => fixture.close());
    let createdId = '';
    for (const { operation, given, expected } of [rule, ...(rule.afterwards ?? [])]) {
      const outcome = await driver.call(fixture, operation, given(fixtures.sample, createdId));
      expect(outcome.seen).toStrictEqual(expected(fixtures.sample, createdId)[driver.side]);
      createdId ||= outcome.id;
    }
    passedRules.get(driver.name)?.add(ruleOf(rule));
  });
});

describe('the contract', () => {
  test('has the operations of section 4: 9 on quizzes, 5 on responses, 11 on users, 1 on groups', () => {
    const count = (pattern: RegExp) => operationNames.filter((name) => pattern.test(operations[name].path)).length;
    expect([/^\/v1\/quizzes(?!.*responses)/, /responses/, /^\/v1\/users/, /^\/v1\/groups/].map(count)).toEqual([
      9, 5, 11, 1,
    ]);
  });

  test('has exactly the operations that the sandbox service serves', () => {
    const specified = operationNames.map((name) => `${operations[name].method} /api${operations[name].path}`);
    const found = served.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
    expect(found.toSorted()).toEqual(specified.toSorted());
  });

  test('has as many operations as the client', () => {
    const { quizzes, responses, users, groups } = createQuizApi({ baseUrl: 'https://quiz.example', apiKey: 'none' });
    // `using` is `list` with another end.
    const calls = [quizzes, responses, users, groups]
      .flatMap((resource) => Object.keys(resource))
      .filter((name) => name !== 'using');
    expect(calls.length).toBe(operationNames.length);
  });

  test.each(operationNames)('covers success and every refusal of %s', (operation) => {
    const { parameters, path } = operations[operation];
    const refersToResource =
      path.includes('{') || parameters.some((name) => name.endsWith('_id')) || operation === 'Find a user';
    const own = cases.filter((rule) => rule.operation === operation);
    const statuses = own.map(({ expected }) => statusOf(expected(fixtures.sample, '')));
    const refusals = [403, 429, 500, ...(refersToResource ? [404] : []), ...(parameters.length > 0 ? [400, 422] : [])];
    expect(new Set(statuses)).toEqual(new Set([200, ...refusals]));

    const given = own
      .filter((_, index) => statuses[index] === 200)
      .flatMap((rule) => Object.keys(rule.given(fixtures.sample, '')));
    expect(new Set(given)).toEqual(new Set([...pathParameters(operations[operation]), ...parameters]));
  });

  test('was checked completely by both drivers', () => {
    const rules = new Set(cases.map(ruleOf));
    expect(rules.size).toBe(cases.length);
    for (const { name } of drivers) expect(passedRules.get(name)).toEqual(rules);
  });
});

function statusOf({ wire }: Expectation): unknown {
  return typeof wire === 'object' && wire !== null && 'status' in wire ? wire.status : undefined;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Starts a service and a client with the limits of section 8. They share a virtual clock that advances while the client waits. */
async function startWithLimits() {
  const startMs = Date.UTC(2026, 0, 5);
  let time = startMs;
  const now = () => time;
  const service = await startTestService({ sample: 'empty', now, ratePerMinute: 60, ratePerHour: 2000 });
  const answers: { status: number | 'error'; atMs: number }[] = [];
  const api = createQuizApi({
    baseUrl: service.url,
    apiKey: testApiKey,
    now,
    sleep: async (ms) => {
      time += ms;
    },
    onCall: ({ status }) => answers.push({ status, atMs: time - startMs }),
  });
  onTestFinished(() => api.close());
  return { service, api, answers };
}

test('the client uses both limits of the service fully and never gets a 429', async () => {
  const { api, answers } = await startWithLimits();
  for (let call = 0; call < 2001; call += 1) await api.groups.list();

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const atMs = answers.map((answer) => answer.atMs);
  expect(atMs[59]).toBe(0);
  expect(atMs[60]).toBeGreaterThanOrEqual(minuteMs);
  expect(atMs[1999]).toBeLessThan(34 * minuteMs);
  expect(atMs[2000]).toBeGreaterThanOrEqual(hourMs);
  expect(atMs[2000]).toBeLessThan(hourMs + minuteMs);
});

test('the client gets one 429 for a limit that another program has exhausted and waits it out', async () => {
  const { service, api, answers } = await startWithLimits();
  for (let call = 0; call < 60; call += 1)
    await fetch(`${service.url}/api/v1/groups`, { headers: { 'x-api-key': testApiKey } });

  expect(await api.groups.list()).toEqual([]);
  expect(answers.map(({ status }) => status)).toEqual([429, 200]);
});

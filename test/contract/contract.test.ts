import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createQuizApi } from '../../src/quiz-api/quiz-api.ts';
import { operations as served } from '../../src/sandbox/quiz-service/api/handle-call.ts';
import type { Case } from './case.ts';
import { cases } from './cases.ts';
import { rawHttp, throughClient } from './drivers.ts';
import type { Expectation } from './expectation.ts';
import { operationNames, operations, pathParameters } from './operations.ts';
import { prepareStages, type Stages } from './stage.ts';

let stages: Stages;

beforeAll(async () => {
  stages = await prepareStages();
});
afterAll(() => stages.strike());

const drivers = [rawHttp, throughClient];
const held = new Map(drivers.map(({ name }) => [name, new Set<string>()]));
const sentenceOf = ({ operation, title }: Case) => `${operation}: ${title}`;

describe.each(drivers)('through $name', (driver) => {
  test.each(cases)('$operation: $title', async (message) => {
    const stage = await stages.set(message.trouble);
    onTestFinished(() => stage.close());
    let made = '';
    for (const { operation, given, expected } of [message, ...(message.afterwards ?? [])]) {
      const outcome = await driver.call(stage, operation, given(stages.sample, made));
      expect(outcome.seen).toStrictEqual(expected(stages.sample, made)[driver.side]);
      made ||= outcome.id;
    }
    held.get(driver.name)?.add(sentenceOf(message));
  });
});

describe('the contract', () => {
  test('has the operations of section 4: 9 on quizzes, 5 on responses, 11 on users, 1 on groups', () => {
    const count = (pattern: RegExp) => operationNames.filter((name) => pattern.test(operations[name].path)).length;
    expect([/^\/v1\/quizzes(?!.*responses)/, /responses/, /^\/v1\/users/, /^\/v1\/groups/].map(count)).toEqual([9, 5, 11, 1]);
  });

  test('has what the service serves, and nothing else', () => {
    const specified = operationNames.map((name) => `${operations[name].method} /api${operations[name].path}`);
    const found = served.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
    expect(found.toSorted()).toEqual(specified.toSorted());
  });

  test('has as many operations as the client', () => {
    const { quizzes, responses, users, groups } = createQuizApi({ baseUrl: 'https://quiz.example', apiKey: 'none' });
    expect([quizzes, responses, users, groups].flatMap((resource) => Object.keys(resource)).length).toBe(operationNames.length);
  });

  test.each(operationNames)('says of %s how it succeeds and every way it is refused', (operation) => {
    const { parameters, path } = operations[operation];
    const namesSomething = path.includes('{') || parameters.some((name) => name.endsWith('_id')) || operation === 'Find a user';
    const own = cases.filter((message) => message.operation === operation);
    const statuses = own.map(({ expected }) => statusOf(expected(stages.sample, '')));
    const refusals = [403, 429, 500, ...(namesSomething ? [404] : []), ...(parameters.length > 0 ? [400, 422] : [])];
    expect(new Set(statuses)).toEqual(new Set([200, ...refusals]));

    const given = own
      .filter((_, index) => statuses[index] === 200)
      .flatMap((message) => Object.keys(message.given(stages.sample, '')));
    expect(new Set(given)).toEqual(new Set([...pathParameters(operations[operation]), ...parameters]));
  });

  test('was held by both drivers in every sentence', () => {
    const messages = new Set(cases.map(sentenceOf));
    expect(messages.size).toBe(cases.length);
    for (const { name } of drivers) expect(held.get(name)).toEqual(messages);
  });
});

function statusOf({ wire }: Expectation): unknown {
  return typeof wire === 'object' && wire !== null && 'status' in wire ? wire.status : undefined;
}

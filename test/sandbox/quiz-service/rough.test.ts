import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { callOddities, recordOddities, oddities } from '../../../src/sandbox/quiz-service/rough/catalog.ts';
import { isFields, type Resource, type SeenCall, sources } from '../../../src/sandbox/quiz-service/rough/changes.ts';
import type { QuizService, QuizServiceOptions } from '../../../src/sandbox/quiz-service/service.ts';
import {
  idsIn,
  readAccount,
  type ReadAccount,
  send,
  startServiceAtNoon,
  writeAndFail,
} from './support/rough-account.ts';
import { startTestService } from './support/service.ts';

interface Face {
  service: QuizService;
  account: ReadAccount;
  calls: SeenCall[];
}

let rough: Face;
let smooth: Face;

async function openFace(options: Pick<QuizServiceOptions, 'rough'>): Promise<Face> {
  const service = await startServiceAtNoon(options);
  const account = await readAccount(service);
  return { service, account, calls: [...account.calls, ...(await writeAndFail(service))] };
}

beforeAll(async () => {
  rough = await openFace({ rough: true });
  smooth = await openFace({});
});

afterAll(async () => {
  await rough.service.close();
  await smooth.service.close();
});

describe('each oddity of a record occurs on the rough face, and not on the smooth one', () => {
  test.for(recordOddities)('$name', ({ resource, shows }) => {
    expect(rough.account.records[resource].some(shows)).toBe(true);
    expect(smooth.account.records[resource].some(shows)).toBe(false);
  });
});

describe('each oddity of an answer occurs on the rough face, and not on the smooth one', () => {
  test.for(callOddities)('$name', ({ shows }) => {
    expect(rough.calls.some(shows)).toBe(true);
    expect(smooth.calls.some(shows)).toBe(false);
  });
});

test('each list also has records without an oddity', () => {
  for (const [resource, records] of Object.entries(rough.account.records) as [Resource, unknown[]][]) {
    const ofResource = recordOddities.filter((oddity) => oddity.resource === resource);
    const good = records.filter((record) => !ofResource.some(({ shows }) => shows(record)));
    expect(good.length / records.length).toBeGreaterThan(0.3);
  }
});

test('a record has the same oddity in a list and on its own', async () => {
  for (const quizId of idsIn(rough.account.records.quiz, 'quiz_id')) {
    const listed = rough.account.records.quiz.find((quiz) => isFields(quiz) && String(quiz['quiz_id']) === quizId);
    const { text } = await send(rough.service, `/api/v1/quizzes/${quizId}`);
    expect(JSON.parse(text.replace(/^\ufeff/, ''))).toEqual(listed);
  }
});

test('the same seed makes the same account, also of what is added to it', async () => {
  const again = await openFace({ rough: true });
  onTestFinished(() => again.service.close());
  const textsOf = ({ service, calls }: Face) =>
    calls.map(({ status, text }) => `${status} ${text.replaceAll(service.url, '')}`);
  expect(textsOf(again)).toEqual(textsOf(rough));

  const other = await openFace({ rough: { seed: 7 } });
  onTestFinished(() => other.service.close());
  expect(textsOf(other)).not.toEqual(textsOf(rough));
});

test.for(['user', 'quiz', 'group'] as const)(
  'the default seed leaves each %s of the smooth account without an oddity',
  (resource) => {
    const withoutDates = (records: unknown[]) =>
      records.filter(isFields).map((record) => ({ ...record, quizzes: undefined, date_created: undefined }));
    expect(withoutDates(rough.account.records[resource])).toEqual(
      expect.arrayContaining(withoutDates(smooth.account.records[resource])),
    );
  },
);

test('of many users, the share that is asked for is odd', async () => {
  const service = await startTestService({ rough: { oneIn: 100 }, sample: { users: 5000, responses: 0 } });
  const { text } = await send(service, '/api/v1/users');
  const crowd = (JSON.parse(text) as { data: unknown[] }).data.slice(-5000);
  const odd = crowd.filter((user) => recordOddities.some(({ resource, shows }) => resource === 'user' && shows(user)));
  expect(odd.length / crowd.length).toBeGreaterThan(0.005);
  expect(odd.length / crowd.length).toBeLessThan(0.015);
});

test('a single oddity can be asked for, in every record', async () => {
  const service = await startTestService({ rough: { oddities: ['user-email-address-null'], oneIn: 1 } });
  const users: unknown = JSON.parse((await send(service, '/api/v1/users')).text);
  expect(users).toEqual(
    expect.arrayContaining([expect.objectContaining({ user_name: 'rosa@quiz.example', first_name: 'Rosa' })]),
  );
  expect((users as { email_address: unknown }[]).every((user) => user.email_address === null)).toBe(true);
  await expect(startTestService({ rough: { oddities: ['user-email-adress-null'] } })).rejects.toThrow(
    'There is no oddity user-email-adress-null.',
  );
});

const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

test('docs/reference/oddities.md lists all oddities with their number', async () => {
  const page = [
    '# Oddities of the rough account',
    '',
    `For people who change the bot: the ${oddities.length} ways in which the rough account of the sandbox (\`npm run sandbox -- --rough\`) differs from the specification. Generated: \`npx vitest run test/sandbox/quiz-service/rough.test.ts --update\`.`,
    '',
    row('', 'Name', 'Where', 'What', 'Source'),
    '|---|---|---|---|---|',
    ...oddities.map(({ name, where, what, source }, index) =>
      row(`${index + 1}`, name, where, what.replaceAll('|', '\\|'), sources[source]),
    ),
  ];
  await expect(`${page.join('\n')}\n`).toMatchFileSnapshot('../../../docs/reference/oddities.md');
});

test('each oddity has a name of its own', () => {
  expect(new Set(oddities.map(({ name }) => name)).size).toBe(oddities.length);
});

import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { submittedLater } from '../../../src/sandbox/quiz-service/rough/calls.ts';
import {
  callOddities,
  oddities,
  recordOddities,
  webhookOddities,
} from '../../../src/sandbox/quiz-service/rough/rough-account.ts';
import {
  isFields,
  type Resource,
  type SeenCall,
  type SeenWebhook,
  sources,
} from '../../../src/sandbox/quiz-service/rough/changes.ts';
import type { QuizService, QuizServiceOptions } from '../../../src/sandbox/quiz-service/service.ts';
import {
  idsIn,
  noonMs,
  readAccount,
  type ReadAccount,
  send,
  startServiceAtNoon,
  writeAndFail,
} from './support/rough-account.ts';
import { takeAsGuest } from './support/respondent.ts';
import { newcomer, startReceiver, startTestService } from './support/service.ts';
import { addWebhook, signatureSchemes } from '../../../src/sandbox/quiz-service/webhooks/webhooks.ts';

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

const secret = 'hush';
const submissions = 20;
const quizName = 'Site induction';

async function startAtNoon(options: Partial<QuizServiceOptions>): Promise<QuizService> {
  const service = await startServiceAtNoon(options);
  onTestFinished(() => service.close());
  return service;
}

function quizIdIn(service: QuizService, name: string): string {
  const quiz = service.database.get<{ quiz_id: string }>('SELECT quiz_id FROM quizzes WHERE name = ?', [name]);
  if (!quiz) throw new Error(`There is no quiz ${name}`);
  return quiz.quiz_id;
}

/** Makes all calls that lead to an event. @returns the number of events */
async function causeEvents(service: QuizService, quizId: string): Promise<number> {
  const responseIds: string[] = [];
  for (let i = 0; i < submissions; i += 1) {
    responseIds.push(await takeAsGuest(service, quizId, [], { email_address: `guest-${i}@guest.example` }));
  }
  await send(service, `/api/v1/quizzes/${quizId}/responses/${responseIds[0]}`, { method: 'DELETE' });
  await send(service, '/api/v1/users', { method: 'POST', form: newcomer });
  const user = service.database.get<{ user_id: string }>('SELECT user_id FROM users WHERE user_name = ?', [
    newcomer.user_name,
  ]);
  await send(service, `/api/v1/users/${user?.user_id}`, { method: 'POST', form: { first_name: 'New' } });
  await send(service, `/api/v1/users/${user?.user_id}`, { method: 'DELETE' });
  return submissions + 4;
}

test('each oddity of a webhook occurs on the rough face, and not on the smooth one', async () => {
  async function receiveAll(options: Partial<QuizServiceOptions>, quiz: string): Promise<SeenWebhook[]> {
    const receiver = await startReceiver();
    const service = await startAtNoon(options);
    for (const scheme of signatureSchemes) {
      addWebhook(service.database, {
        webhook_id: scheme,
        url: receiver.url,
        secret,
        scheme,
        events: ['response.submitted'],
        date_created: '',
      });
    }
    const events = await causeEvents(service, quizIdIn(service, quiz));
    const perWebhook = options.rough === undefined ? submissions : events;
    return (await receiver.next(perWebhook * signatureSchemes.length)).map(({ headers, body }) => ({
      headers,
      text: body,
      secret,
    }));
  }

  const odd = await receiveAll({ rough: true }, quizName);
  const plain = await receiveAll({}, 'Workplace safety basics');
  const occurring = (webhooks: SeenWebhook[]) =>
    webhookOddities.filter(({ shows }) => webhooks.some(shows)).map(({ name }) => name);
  expect(occurring(odd)).toEqual(webhookOddities.map(({ name }) => name));
  expect(occurring(plain)).toEqual([]);
});

test('webhooks are signed with the timestamp and the secret, whatever the form of the timestamp', async () => {
  const receiver = await startReceiver();
  const service = await startAtNoon({ rough: true, webhook: { url: receiver.url, secret } });
  for (let i = 0; i < 12; i += 1) await takeAsGuest(service, quizIdIn(service, quizName));
  const received = await receiver.next(12);
  const timestamps = received.map(({ headers }) => String(headers['x-webhook-timestamp']));
  expect(received.map(({ headers }) => headers['x-webhook-signature'])).toEqual(
    timestamps.map((timestamp) => createHash('sha256').update(`${timestamp} ${secret}`).digest('hex')),
  );
  expect(new Set(timestamps)).toEqual(new Set([String(noonMs / 1000), String(noonMs), '2026-09-01T12:00:00.000Z']));
});

/** All but that a response is shown late. */
const lasting = oddities.map(({ name }) => name).filter((name) => name !== submittedLater.name);

test('a webhook holds the response as the REST interface shows it, in the zone of the account', async () => {
  const receiver = await startReceiver();
  const service = await startTestService({
    rough: { oneIn: 2, oddities: lasting },
    webhook: { url: receiver.url, secret },
  });
  const quizId = quizIdIn(service, quizName);
  for (let i = 0; i < 8; i += 1) {
    const responseId = await takeAsGuest(service, quizId);
    const { text } = await send(service, `/api/v1/quizzes/${quizId}/responses/${responseId}`);
    const shown: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    const [delivery] = (await receiver.next(i + 1)).slice(-1);
    expect(shown === null ? null : { ...shown, access_code: undefined }).toEqual(
      delivery?.event.data === null ? null : { ...delivery?.event.data, access_code: undefined },
    );
  }
});

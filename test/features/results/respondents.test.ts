import { expect, test, describe } from 'vitest';
import fc from 'fast-check';
import { byRespondent, isAttemptOf, progressOf, type Progress } from '../../../src/features/results/respondents.ts';
import type { User, Quiz } from '../../../src/quiz-api/records.ts';
import { quizUser } from '../../support/builders/users.ts';
import { growthOf } from '../../support/measurements.ts';
import { quizResponse } from '../../support/builders/responses.ts';
import { likeliestFirst, readQuizzes } from '../../../src/features/results/show-results.ts';
import { QuizApiError } from '../../../src/quiz-api/errors.ts';
import type { QuizApi } from '../../../src/quiz-api/quiz-api.ts';

const attempt = (response_id: string, user_id: string | null, email_address = '') => ({
  response_id,
  user_id,
  email_address,
});
const user = (user_id: string, user_name: string, email_address = '') =>
  quizUser({ user_id, user_name, email_address });
const contextOf = (users: readonly User[]) => ({ directory: { users: { get: async () => users } }, call: {} }) as never;
const people = async (users: readonly User[], ...attempts: readonly ReturnType<typeof attempt>[]) =>
  (await byRespondent(contextOf(users), attempts)).map((own) => own.map(({ response_id }) => response_id));

test('attempts of one user ID are of one person, whatever their addresses and the case of the ID', async () => {
  expect(
    await people(
      [user('u-1', 'kim@a.example'), user('u-2', 'zoe@a.example')],
      attempt('1', 'u-1', 'kim@a.example'),
      attempt('2', 'U-1', 'kim@b.example'),
      attempt('3', 'u-2', 'kim@a.example'),
    ),
  ).toEqual([['1', '2'], ['3']]);
});

test('attempts of one full address are of one person, in any case of letters', async () => {
  expect(
    await people(
      [],
      attempt('1', null, 'Kim@A.example'),
      attempt('2', null, ' kim@a.example '),
      attempt('3', null, 'kim@b.example'),
    ),
  ).toEqual([['1', '2'], ['3']]);
});

test('an attempt without a user ID is of the only user with its address', async () => {
  const attempts = [attempt('1', 'u-1'), attempt('2', 'u-2'), attempt('3', null, ' KIM@a.example ')] as const;
  const zoe = user('u-2', 'zoe@a.example');
  expect(await people([user('u-1', 'kim', 'Kim@a.example'), zoe], ...attempts)).toEqual([['1', '3'], ['2']]);
  const namesake = user('u-2', 'zoe', 'kim@A.example');
  expect(await people([user('u-1', 'kim@a.example'), namesake], ...attempts)).toEqual([['1'], ['2'], ['3']]);
});

test.each(['', 'kim', 'kim@', '@a.example', 'kim at a.example', 'kim@example'])(
  'two guests with the address %j are two people',
  async (address) => {
    const users = [user('u-1', address, address)];
    expect(
      await people(users, attempt('1', null, address), attempt('2', null, address), attempt('3', '', address)),
    ).toEqual([['1'], ['2'], ['3']]);
  },
);

test('an attempt is a user’s by user ID, or without one by a full address', async () => {
  const kim = user('u-1', 'kim@a.example', 'Kim@b.example');
  const isKims = await isAttemptOf(contextOf([kim, user('u-2', 'zoe@a.example')]), kim);
  expect(
    [attempt('1', 'u-1'), attempt('2', null, 'KIM@A.example'), attempt('3', null, 'kim@b.example')].map(isKims),
  ).toEqual([true, true, true]);
  expect(
    [
      attempt('1', 'u-2', 'kim@a.example'),
      attempt('2', null, 'kim'),
      attempt('3', null),
      attempt('4', '', 'kim@c.example'),
    ].map(isKims),
  ).toEqual([false, false, false, false]);
});

const person = fc.record({
  user_id: fc.constantFrom('u-1', 'u-2', 'u-3'),
  user_name: fc.constantFrom('kim@a.example', 'KIM@a.example', 'zoe', 'zoe@b.example'),
  email_address: fc.constantFrom('', 'kim@a.example', 'zoe@b.example', 'not an address'),
});
const response = fc.record({
  user_id: fc.constantFrom('u-1', 'U-2', 'u-9', '', null),
  email_address: fc.constantFrom('', ' Kim@a.example', 'zoe@b.example', 'not an address'),
  status: fc.constantFrom('submitted', 'not_submitted', 'odd'),
  pass: fc.constantFrom(true, false, null),
});

test('each person is as far as their furthest attempt', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(person, { selector: ({ user_id }) => user_id }),
      fc.array(response, { maxLength: 12 }),
      (some, given) => {
        const users = some.map(quizUser);
        const responses = given.map((overrides, index) => quizResponse({ response_id: `r-${index}`, ...overrides }));
        const progress = progressOf(users, responses);
        for (const one of users) {
          const hasAddress = (other: (typeof users)[number], address: string) =>
            /.@.+[.]/.test(address) &&
            [other.user_name, other.email_address].some((name) => name.toLowerCase() === address);
          const own = responses.filter(({ user_id, email_address }) => {
            const address = email_address.trim().toLowerCase();
            const withAddress = users.filter((other) => hasAddress(other, address));
            return user_id ? user_id.toLowerCase() === one.user_id : withAddress.length === 1 && withAddress[0] === one;
          });
          const submitted = own.filter(({ status }) => status === 'submitted');
          const expected: Progress = submitted.some(({ outcome }) => outcome === 'passed')
            ? 'passed'
            : submitted.some(({ outcome }) => outcome !== 'failed')
              ? 'submitted'
              : submitted.length > 0
                ? 'failed'
                : own.length > 0
                  ? 'begun'
                  : 'not taken';
          expect(progress.get(one.user_id)).toBe(expected);
        }
      },
    ),
  );
});

test('users and responses take time in proportion', () => {
  const [one, passed] = [user('u-1', 'kim@a.example'), quizResponse()];
  const ids = Array.from({ length: 20_000 }, (_, index) => `u-${index}`);
  const users = ids.map((user_id) => ({ ...one, user_id, user_name: `${user_id}@a.example` }));
  const responses = ids.map((user_id) => ({ ...passed, user_id }));
  expect(
    growthOf((count) => void progressOf(users.slice(0, count), responses.slice(0, count)), ids.length),
  ).toBeLessThan(20);
});

const quiz = (quiz_id: string, status: Quiz['status'] = 'open', day = '2026-11-01'): Quiz => ({
  quiz_id,
  name: quiz_id,
  status,
  date_created: new Date(day),
});
const many = Array.from({ length: 10 }, (_, index) => quiz(`q-${index}`));
const call = { operation: 'responses.list', method: 'GET', path: '/v1/quizzes/q-1/responses' } as const;
const spent = new QuizApiError('budget spent', call, 'was not sent', { availableAt: new Date(0) });

/** @param failures by quiz */
async function read(quizzes: readonly Quiz[], failures: Readonly<Record<string, Error>> = {}) {
  const priorities: string[] = [];
  const used: string[] = [];
  const using = async (quizId: string, { priority = 'person' }, use: (responses: never[]) => Promise<void>) => {
    priorities.push(priority);
    if (failures[quizId]) throw failures[quizId];
    await use([]);
  };
  const api = { responses: { using } } as unknown as QuizApi;
  const count = await readQuizzes({ api, call: {} }, quizzes, async ({ quiz_id }) => void used.push(quiz_id));
  return { count, priorities, used };
}

describe('reading the responses to many quizzes', () => {
  test('takes a tenth of a minute’s requests from people, and the others from what they leave', async () => {
    const { count, priorities } = await read(many);
    expect(count).toBe(10);
    expect(priorities).toEqual([...Array(6).fill('person'), ...Array(4).fill('background')]);
  });

  test('ends where the requests are used up, and says how many quizzes it read', async () => {
    const { count, used } = await read(many, { 'q-7': spent });
    expect(count).toBe(7);
    expect(used).toHaveLength(7);
  });

  test('fails where nothing can be read', async () => {
    await expect(read(many, { 'q-0': spent })).rejects.toBe(spent);
  });

  test('passes over a quiz that is deleted meanwhile', async () => {
    const gone = new QuizApiError('gone', call, 'is gone');
    const { count, used } = await read(many, { 'q-3': gone });
    expect(count).toBe(10);
    expect(used).not.toContain('q-3');
  });
});

test('quizzes that people can take come first, and of these the newest', () => {
  const quizzes = [
    quiz('design', 'in_design'),
    quiz('closed', 'closed'),
    quiz('old'),
    quiz('new', 'open', '2026-11-20'),
  ];
  expect(likeliestFirst(quizzes).map(({ quiz_id }) => quiz_id)).toEqual(['new', 'old', 'closed', 'design']);
});

import { expect, test } from 'vitest';
import { changeEach } from '../../src/operations/change-each.ts';
import {
  BadRequestError,
  BudgetError,
  DeadlinePassedError,
  PersonShareError,
  QuizApiError,
  RateLimitedError,
  TimeoutError,
} from '../../src/quiz-api/errors.ts';
import { PlatformError } from '../../src/domain/errors.ts';
import { StoreAwayError, StoreFullError } from '../../src/storage/storage.ts';

const call = { operation: 'users.assignQuiz', method: 'POST', path: '/' };
const soon = new Date(0);
const ofBudget = (cause: unknown) => new QuizApiError(call, 'was not sent: the request budget failed', { cause });

test('begins no further change while the bot stops, and says which are not made', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `P${index}`);
  const bot = { isStopping: false };
  const changed: string[] = [];
  const { succeeded, problems } = await changeEach(names, {
    couldNot: (name) => `Couldn’t add ${name}`,
    isStopping: () => bot.isStopping,
    change: async (name) => {
      changed.push(name);
      if (changed.length === 10) bot.isStopping = true;
    },
  });
  expect([succeeded, changed]).toEqual([names.slice(0, 10), names.slice(0, 10)]);
  expect(problems).toEqual(
    names.slice(10).map((name) => `Couldn’t add ${name}: the bot restarted before it could send this.`),
  );
});

test.each<[string, Error, string]>([
  ['the budget has no room', new BudgetError(call, soon), 'the bot’s requests to the quiz service are used up for now'],
  [
    'the service refuses more requests',
    new RateLimitedError(call, 'refused it', { retryAt: soon }),
    'the bot’s requests to the quiz service are used up for now',
  ],
  ['a person’s share is spent', new PersonShareError(call, soon), 'you’ve done a lot in a short time'],
  [
    'the time is over before it is sent',
    new DeadlinePassedError(call, soon),
    'the bot ran out of time before it could send this',
  ],
  ['the store is away', new StoreAwayError('gone'), 'the bot can’t reach its own database right now'],
  [
    'the store, which keeps the budget, is away',
    ofBudget(new StoreAwayError('gone')),
    'the bot can’t reach its own database right now',
  ],
  ['the store is full', ofBudget(new StoreFullError('full')), 'the bot can’t write to its own database'],
  [
    'Slack does not answer',
    new PlatformError('x', { kind: 'unclear', explanation: 'Slack isn’t answering the bot right now.' }),
    'Slack isn’t answering the bot right now',
  ],
  [
    'the service does not answer',
    new TimeoutError(call, 'had no answer'),
    'the quiz service didn’t answer, so check whether it was done',
  ],
  [
    'the service refuses it',
    new BadRequestError(call, 'refused it', { status: 400, serviceMessage: 'No such user.' }),
    'No such user',
  ],
  ['the bot has a fault', new Error('no'), 'something went wrong in the bot'],
])('says why a thing stays as it was, where %s', async (_, error, reason) => {
  const { problems } = await changeEach(['Rosa', 'Kim'], {
    couldNot: (name) => `Couldn’t add ${name}`,
    change: async (name) => {
      if (name === 'Kim') throw error;
    },
  });
  expect(problems).toEqual([`Couldn’t add Kim: ${reason}.`]);
});

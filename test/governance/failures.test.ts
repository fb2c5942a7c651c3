import { expect, test } from 'vitest';
import { explainFailure, mayBeDone } from '../../src/governance/failures.ts';
import { BadRequestError, BudgetError, ConnectionError, NotFoundError, ServiceError, TimeoutError } from '../../src/quiz-api/errors.ts';
import { StoreAwayError } from '../../src/storage/store-away.ts';

const call = { operation: 'quizzes.create', method: 'POST', path: '/v1/quizzes' };

test('what had no answer, or a failed one, may have been done', () => {
  for (const error of [new ConnectionError(call, 'lost its connection'), new TimeoutError(call, 'had no answer'), new ServiceError(call, 'answered 500')]) {
    expect(mayBeDone(error)).toBe(true);
  }
});

test('what was refused or never sent was not done', () => {
  const refused = [new BadRequestError(call, 'answered 422'), new NotFoundError(call, 'answered 404', { isFromService: true }), new BudgetError(call, new Date(0))];
  for (const error of refused) expect(mayBeDone(error)).toBe(false);
});

test('of a store that is away, a person reads that, and the reference that stands in the log', () => {
  const { sentence, isOurs } = explainFailure(new StoreAwayError(new Error('connect ECONNREFUSED 10.0.0.7:6379')), 'ab12', 0);
  expect(sentence).toBe('The bot’s store is away, so it can do nothing right now. Try again in a minute (reference ab12).');
  expect(isOurs).toBe(true);
});

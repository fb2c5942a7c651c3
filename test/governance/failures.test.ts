import { expect, test } from 'vitest';
import { mayBeDone } from '../../src/governance/failures.ts';
import { BadRequestError, BudgetError, ConnectionError, NotFoundError, ServiceError, TimeoutError } from '../../src/quiz-api/errors.ts';

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

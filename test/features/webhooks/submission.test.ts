import { expect, test } from 'vitest';
import { submissionOf } from '../../../src/quiz-api/responses.ts';
import { submittedResponse } from '../../support/builders/responses.ts';

test('a response without a name or a date is announced all the same', () => {
  expect(submissionOf(submittedResponse({ first_name: '', last_name: '', date_submitted: null }), false)).toMatchObject(
    { name: 'Guest', submittedAt: null, isBackfilled: false },
  );
  expect(submissionOf(submittedResponse({ first_name: '\u202E\n', last_name: '' }), false).name).toBe('Guest');
  expect(submissionOf(submittedResponse({ first_name: 'x'.repeat(300) }), false).name).toHaveLength(150);
});

import { expect, test } from 'vitest';
import { submissionOf } from '../../../src/quiz-api/responses.ts';
import { submittedResponse } from '../../support/builders/responses.ts';

test('of a response, name and result are announced, and whose it is goes with them', () => {
  expect(submissionOf(submittedResponse({ quiz_name: 'Fire safety', percentage_score: 87.5 }), true)).toEqual({
    quizId: 'q-1',
    quizName: 'Fire safety',
    responseId: 'r-1',
    userId: 'u-1',
    name: 'Rosa Almeida',
    points: 9,
    availablePoints: 10,
    percentage: 87.5,
    grade: 'A',
    outcome: 'passed',
    attempt: 2,
    durationSeconds: 245,
    submittedAt: Date.UTC(2018, 10, 2, 0, 5, 47),
    isBackfilled: true,
  });
});

test('a response without a name or a date is announced all the same', () => {
  expect(submissionOf(submittedResponse({ first_name: '', last_name: '', date_submitted: null }), false)).toMatchObject(
    { name: 'Guest', submittedAt: null, isBackfilled: false },
  );
  expect(submissionOf(submittedResponse({ first_name: '\u202E\n', last_name: '' }), false).name).toBe('Guest');
  expect(submissionOf(submittedResponse({ first_name: 'x'.repeat(300) }), false).name).toHaveLength(150);
});

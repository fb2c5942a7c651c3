import { passedWords } from '../../../src/operations/wording/result-words.ts';
import { expect, test } from 'vitest';
import { countOutcomes, type SubmissionOutcome } from '../../../src/domain/submission-outcome.ts';

const counted = (counts: Partial<Record<SubmissionOutcome, number>>) =>
  countOutcomes(
    Object.entries(counts).flatMap(([outcome, count]) =>
      Array.from({ length: count }, () => outcome as SubmissionOutcome),
    ),
  );

test.each<[Partial<Record<SubmissionOutcome, number>>, string]>([
  [{}, ''],
  [{ passed: 12, failed: 8 }, '12 passed (60%)'],
  [{ failed: 2 }, '0 passed (0%)'],
  [{ passed: 2_000, failed: 1_000 }, '2,000 passed (66.7%)'],
  [{ passed: 8, failed: 2, unmarked: 2 }, '8 passed (80% of 10 graded), 2 waiting to be marked'],
  [{ passed: 1, 'not graded': 1_500 }, '1 passed (100% of 1 graded), 1,500 not graded'],
  [{ 'not graded': 3 }, 'not graded'],
  [{ unmarked: 3 }, 'waiting to be marked'],
  [{ 'not graded': 3, unmarked: 1 }, '3 not graded, 1 waiting to be marked'],
])('%j are worded “%s”', (counts, words) => {
  expect(passedWords(counted(counts))).toBe(words);
});

import { expect, test } from 'vitest';
import { inEnglish } from '../../../../src/domain/said.ts';
import { threadPage } from '../../../../src/features/alerts/pages/submissions.ts';
import { drawn } from '../../../support/draw.ts';

const threadMessage = (...thread: Parameters<typeof threadPage>) => drawn(threadPage(...thread));

const counts = {
  quizId: 'q-1',
  quizName: 'Fire safety',
  day: '2026-11-21',
  submitted: 1,
  passed: 1,
  failed: 0,
  unmarked: 0,
  scored: 1,
  percentagesTotal: 90,
};

test('the message of a thread shows quiz, day, counts, pass rate and average, with a button for the results', () => {
  expect(
    threadMessage({ ...counts, submitted: 12, passed: 9, failed: 3, scored: 12, percentagesTotal: 975 }),
  ).toMatchObject({
    text: '🧵 Fire safety, Sat 21 Nov: 12 submissions, 9 passed (75%), average 81.3%',
    blocks: [
      {
        text: { text: '🧵 *Fire safety* · Sat 21 Nov\n12 submissions · 9 passed (75%) · average 81.3%' },
        accessory: { action_id: 'ask:show-results' },
      },
    ],
  });
});

test('the wording does not change with the counts', () => {
  const wording = (submitted: number) =>
    inEnglish(
      JSON.stringify(
        threadMessage({ ...counts, submitted, passed: submitted, scored: submitted, percentagesTotal: 90 * submitted }),
      ),
    ).replaceAll(`${submitted.toLocaleString('en')} `, 'N ');
  expect(wording(3_700)).toBe(wording(37));
});

test.each([
  ['an empty thread', { submitted: 0, passed: 0, scored: 0, percentagesTotal: 0 }, '0 submissions'],
  ['a survey', { submitted: 3, passed: 0, scored: 0, percentagesTotal: 0 }, '3 submissions, not graded'],
  [
    'essays',
    { submitted: 3, passed: 0, unmarked: 3, scored: 0, percentagesTotal: 0 },
    '3 submissions, waiting to be marked',
  ],
  [
    'essays of which one is marked',
    { submitted: 3, unmarked: 2 },
    '3 submissions, 1 passed (100% of 1 graded), 2 waiting to be marked, average 90%',
  ],
])('%s has no average and no pass rate without graded submissions', (_, over, figures) => {
  expect(threadMessage({ ...counts, ...over }).text).toBe(`🧵 Fire safety, Sat 21 Nov: ${figures}`);
});

import { expect, test } from 'vitest';
import { threadMessage } from '../../../src/slack/views/submission-thread.ts';

const counts = { quizId: 'q-1', quizName: 'Fire safety', day: '2026-11-21', submitted: 1, passed: 1, percentagesTotal: 90 };

test('the message of a thread shows quiz, day, counts, pass rate and mean, with a button for the results', () => {
  expect(threadMessage({ ...counts, submitted: 12, passed: 9, percentagesTotal: 975 }, 'Europe/Berlin')).toMatchObject({
    text: '🧵 Fire safety, Sat, 21 Nov 2026: 12 submitted · 9 passed (75 %) · mean 81.3 %',
    blocks: [
      { text: { text: '🧵 *Fire safety* · Sat, 21 Nov 2026\n12 submitted · 9 passed (75 %) · mean 81.3 %' }, accessory: { action_id: 'ask:results' } },
      { elements: [{ text: 'The submissions of this day (Europe/Berlin) are in the thread.' }] },
    ],
  });
});

test('the wording does not change with the counts', () => {
  const wording = (submitted: number) => JSON.stringify(threadMessage({ ...counts, submitted, passed: submitted, percentagesTotal: 90 * submitted }, 'UTC')).replaceAll(`${submitted.toLocaleString('en')} `, 'N ');
  expect(wording(3_700)).toBe(wording(37));
});

test('an empty thread also shows figures', () => {
  expect(threadMessage({ ...counts, submitted: 0, passed: 0, percentagesTotal: 0 }, 'UTC').text).toContain('0 submitted · 0 passed (0 %) · mean 0 %');
});

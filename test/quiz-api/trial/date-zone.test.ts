import { expect, test } from 'vitest';
import { datesIn, fitOf, offsetInWords, offsetOf } from '../../../src/quiz-api/trial/date-zone.ts';

const sentAt = Date.parse('2026-11-02T07:05:50Z');
const withinMs = 10 * 60_000;

test.each([
  ['2026-11-02 07:05:47', 'UTC'],
  ['2026-11-02 07:06:20', 'UTC'],
  ['2026-11-02 06:58:00', 'UTC'],
  ['2026-11-02 00:05:47', 'UTC−07:00'],
  ['2026-11-02 12:50:47', 'UTC+05:45'],
  ['2026-11-02 21:05:00', 'UTC+14:00'],
])('%s was written in %s', (text, zone) => {
  expect(offsetInWords(offsetOf(text, sentAt, withinMs)!)).toBe(zone);
});

test.each(['2026-11-02 06:52:00', '2026-10-30 07:05:47', '2026-11-02T07:05:47', ''])('%j tells no zone', (text) => {
  expect(offsetOf(text, sentAt, withinMs)).toBeUndefined();
});

test('compares an offset with that of the configured zone at the time', () => {
  expect(fitOf('America/Denver', -7 * 3_600_000, sentAt).fits).toBe(true);
  expect(fitOf('America/Denver', -7 * 3_600_000, Date.parse('2026-07-02T07:05:50Z')).fits).toBe(false);
  expect(fitOf('UTC', -7 * 3_600_000, sentAt).text).toBe('QUIZ_TIME_ZONE=UTC is UTC at that time: it does not fit.');
});

test('finds the newest date and the offsets of dates in records', () => {
  const { newest, offsets } = datesIn([
    { a: '2026-11-02 07:05:47', list: [{ b: '2026-11-03 00:00:00' }] },
    { a: '2026-11-09T07:05:47-07:00', b: '2026-11-09T07:05:47.123Z', c: null },
  ]);
  expect({ newest, offsets: [...offsets] }).toEqual({
    newest: '2026-11-03 00:00:00',
    offsets: [
      ['-07:00', 1],
      ['Z', 1],
    ],
  });
});

import { duration } from '../../src/operations/wording/result-words.ts';
import { day, moment } from '../../src/time/date-words.ts';
import { asSent } from '../support/as-sent.ts';
import { expect, test } from 'vitest';

test.each([
  [0, '0 s'],
  [-3, '0 s'],
  [59, '59 s'],
  [60, '1 min'],
  [65, '1 min 5 s'],
  [3_600, '1 h'],
  [3_725, '1 h 2 min'],
  [90_000, '25 h'],
])('%d seconds are “%s”', (seconds, words) => {
  expect(duration(seconds)).toBe(words);
});

test('shows times in the zone of each reader, and in the configured zone where Slack cannot', () => {
  const date = new Date('2026-07-01T22:30:00Z');
  expect(asSent(moment(date, 'UTC'), 'markup')).toBe(
    '<!date^1782945000^{date_short_pretty} {time}|1 Jul 2026, 22:30 UTC>',
  );
  expect(asSent(day(date, 'Asia/Tokyo'), 'markup')).toBe('<!date^1782945000^{date_short_pretty}|2 Jul 2026>');
});

import { duration } from '../../src/operations/wording/result-words.ts';
import { day, moment } from '../../src/time/date-words.ts';
import { standardNames } from '../../src/domain/own-names.ts';
import { createRender } from '../../src/words/render.ts';
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
  const inTokyo = createRender(standardNames, undefined, 'Asia/Tokyo');
  expect(inTokyo(moment(date), 'markup')).toBe('<!date^1782945000^{date_short_pretty} {time}|2 Jul 2026, 07:30 GMT+9>');
  expect(inTokyo(day(date), 'markup')).toBe('<!date^1782945000^{date_short_pretty}|2 Jul 2026>');
  expect(inTokyo(day(date))).toBe('2 Jul 2026');
});

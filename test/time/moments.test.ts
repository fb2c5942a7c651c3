import { createCatalogues } from '../../src/words/catalogues.ts';
import { createPhrases } from '../../src/words/translate.ts';
import { duration } from '../../src/operations/wording/result-words.ts';
import { day, fixedDay, moment } from '../../src/time/date-words.ts';
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

test('a day that ends at midnight is not the next one, in any language', () => {
  const end = Date.UTC(2031, 0, 8) - 1;
  const { catalogueOf } = createCatalogues();
  const german = createRender(
    standardNames,
    createPhrases('de', { catalogue: catalogueOf('de'), formality: 'formal' }),
  );
  expect([createRender(standardNames)(day(end)), german(day(end)), german(fixedDay(end, 'UTC'))]).toEqual([
    '7 Jan 2031',
    '7. Jan. 2031',
    '7. Jan. 2031',
  ]);
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readTime } from '../../../src/operations/dates/typed-time.ts';
import { dateForms, type DateForm } from '../../../src/time/date-words.ts';
import { dateFormat } from '../../../src/time/wall-clock.ts';
import { languageCodes, locales } from '../../../src/words/languages.ts';

const dayMs = 24 * 60 * 60_000;
const timeZone = 'UTC';
const days: readonly DateForm[] = ['day', 'dayOfYear', 'weekday', 'weekdayAndYear'];
const moments: readonly DateForm[] = ['weekdayTime', 'weekdayTimeAndYear', 'momentWithoutZone'];

/** One in each month, and each weekday. */
const shown = Array.from({ length: 12 }, (_, month) => Date.UTC(2026, month, 3 + month * 2, 14, 5));

describe.each(languageCodes)('a date as the bot shows it in %s', (language) => {
  test.each([...days, ...moments])('is understood when it is typed: %s', (form) => {
    const isDay = days.includes(form);
    const wrong = shown.flatMap((atMs) => {
      const typed = dateFormat(locales[language], dateForms[form], timeZone).format(atMs);
      const time = readTime(typed, { nowMs: atMs - 3 * dayMs, timeZone, direction: 'future' });
      const isRead =
        time?.kind === 'moment' &&
        (isDay ? Math.floor(time.atMs / dayMs) === Math.floor(atMs / dayMs) : time.atMs === atMs);
      return isRead ? [] : [typed];
    });
    expect(wrong).toEqual([]);
  });
});

test('every date as the bot shows it, in any language, form and zone, is understood when it is typed soon before', () => {
  const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland'];
  const from = Date.UTC(2026, 0, 1) / 60_000;
  const to = Date.UTC(2032, 0, 1) / 60_000;
  fc.assert(
    fc.property(
      fc.constantFrom(...languageCodes),
      fc.constantFrom(...days, ...moments),
      fc.constantFrom(...zones),
      fc.integer({ min: from, max: to }),
      fc.integer({ min: 2, max: 180 }),
      (language, form, zone, minute, daysBefore) => {
        const atMs = minute * 60_000;
        const format = dateFormat(locales[language], dateForms[form], zone);
        const typed = format.format(atMs);
        const nowMs = atMs - daysBefore * dayMs;
        const time = readTime(typed, { nowMs, timeZone: zone, direction: 'future' });
        expect([typed, time?.kind]).toEqual([typed, 'moment']);
        if (time?.kind !== 'moment') return;
        // An hour that the clock shows twice is one of the two.
        expect(format.format(time.atMs)).toBe(typed);
        // The longest day has 25 hours.
        expect(Math.abs(time.atMs - atMs)).toBeLessThan(dayMs + dayMs / 24);
      },
    ),
    { numRuns: 1_000 },
  );
});

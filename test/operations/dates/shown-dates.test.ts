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

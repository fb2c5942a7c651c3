import fc from 'fast-check';
import { expect, test, describe } from 'vitest';
import { beginningOfDay, isDay, wallClock } from '../../src/time/wall-clock.ts';
import { createSteadyClock } from '../../src/time/clock.ts';
import { createCatalogues } from '../../src/words/catalogues.ts';
import { createPhrases } from '../../src/words/translate.ts';
import { duration } from '../../src/operations/wording/result-words.ts';
import { day as sentDay, fixedDay, moment as sentMoment } from '../../src/time/date-words.ts';
import { standardNames } from '../../src/domain/own-names.ts';
import { createRender } from '../../src/words/render.ts';
import { diagnoseHolidays, isHoliday, readHolidays } from '../../src/time/working-hours.ts';
import { runs } from '../support/drawn.ts';

test.each(['2026-11-01', '2024-02-29'])('%s is a day', (day) => {
  expect(isDay(day)).toBe(true);
});

test.each(['', '2026-02-29', '2026-13-01', '2026-1-1', '2026-11-01T00:00', '+002026-11-01', 'yesterday'])(
  '“%s” is none, and begins never',
  (text) => {
    expect(isDay(text)).toBe(false);
    expect(beginningOfDay(text, 'UTC')).toBeUndefined();
  },
);

test.each([
  ['2026-11-01', 'UTC', '2026-11-01T00:00:00Z'],
  ['2026-11-01', 'Asia/Tokyo', '2026-10-31T15:00:00Z'],
  ['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00Z'],
  ['2026-11-01', 'America/Havana', '2026-11-01T04:00:00Z'],
])('%s begins in %s at %s, also where clocks skip midnight or show it twice', (day, timeZone, begins) => {
  expect(beginningOfDay(day, timeZone)).toBe(Date.parse(begins));
});

test('a clock shows a moment as Intl writes it, also right before and after it changes', () => {
  const moments = fc.oneof(
    fc.integer({ min: Date.parse('1970-01-01'), max: Date.parse('2037-12-31') }),
    // Berlin, New York, St. John’s and Samoa, within some hours of a change.
    fc
      .tuple(
        fc.constantFrom('2026-03-29T01:00Z', '2026-11-01T06:00Z', '2010-11-07T02:31Z', '2011-12-30T10:00Z'),
        fc.integer({ min: -6 * 3_600_000, max: 6 * 3_600_000 }),
      )
      .map(([change, after]) => Date.parse(change) + after),
  );
  const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'America/St_Johns', 'Pacific/Apia');
  fc.assert(
    fc.property(moments, zones, (moment, timeZone) => {
      const written = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone });
      expect(new Date(wallClock(timeZone).shownAt(moment)).toISOString().slice(0, 19)).toBe(
        written.format(moment).replace(' ', 'T'),
      );
    }),
    { numRuns: runs(2_000) },
  );
});

test('a day begins at the first moment at which the zone shows it', () => {
  const days = fc
    .date({ min: new Date('2000-01-01'), max: new Date('2037-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));
  const zones = fc.constantFrom(
    'UTC',
    'Europe/Berlin',
    'Africa/Cairo',
    'America/Havana',
    'Asia/Beirut',
    'Australia/Lord_Howe',
    'Pacific/Auckland',
    'America/Sao_Paulo',
  );
  fc.assert(
    fc.property(days, zones, (day, timeZone) => {
      const shownDayAt = (moment: number) => new Date(wallClock(timeZone).shownAt(moment)).toISOString().slice(0, 10);
      const begins = beginningOfDay(day, timeZone)!;
      expect(shownDayAt(begins)).toBe(day);
      expect(shownDayAt(begins - 1) < day).toBe(true);
    }),
  );
});

const dayMs = 24 * 3_600_000;

function clock() {
  let [wall, measured] = [1_000 * dayMs, 0];
  const jumps: number[] = [];
  const steady = createSteadyClock({ now: () => Math.trunc(wall), monotonic: () => measured });
  steady.onJump((byMs) => jumps.push(byMs));
  return {
    steady,
    jumps,
    behindMs: () => wall - steady.now(),
    pass(ms: number) {
      wall += ms;
      measured += ms;
    },
    set: (byMs: number) => (wall += byMs),
  };
}

describe('the steady clock', () => {
  test('is the wall clock while nobody sets that', () => {
    const { behindMs, pass, jumps } = clock();
    for (let n = 0; n < 10; n += 1) {
      pass(60_000);
      expect(behindMs()).toBe(0);
    }
    expect(jumps).toEqual([]);
  });

  test('hardly moves while the wall clock is 40 days ahead for 40 seconds', () => {
    const { steady, jumps, pass, set, behindMs } = clock();
    const before = steady.now();
    set(40 * dayMs);
    pass(20_000);
    expect(steady.now() - before).toBeLessThan(3_600_000);
    pass(20_000);
    steady.now();
    set(-40 * dayMs);
    expect(behindMs()).toBe(0);
    expect(jumps).toEqual([40 * dayMs, -40 * dayMs]);
  });

  test('follows a clock that stays ahead, within a day', () => {
    const { behindMs, pass, set } = clock();
    set(40 * dayMs);
    pass(16 * 3_600_000);
    expect(behindMs()).toBeGreaterThan(0);
    pass(8 * 3_600_000);
    expect(behindMs()).toBe(0);
  });

  test('goes on from an earlier run of the bot', () => {
    const { steady, behindMs } = clock();
    steady.resumeFrom(960 * dayMs);
    expect(behindMs()).toBe(40 * dayMs);
  });

  test.each([
    ['an hour', 3_600_000],
    ['two days', 2 * dayMs],
    ['31 days', 31 * dayMs],
    ['a year', 365 * dayMs],
  ])('has whole milliseconds while it follows after a stop of %s', (_, stoppedMs) => {
    const { steady, pass } = clock();
    steady.resumeFrom(1_000 * dayMs - stoppedMs);
    let last = steady.now();
    for (let n = 0; n < 100; n += 1) {
      pass(3_000.37);
      const now = steady.now();
      expect(now).toBe(Math.trunc(now));
      expect(now).toBeGreaterThan(last);
      last = now;
    }
  });
});

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
  expect(inTokyo(sentMoment(date), 'markup')).toBe(
    '<!date^1782945000^{date_short_pretty} {time}|2 Jul 2026, 07:30 GMT+9>',
  );
  expect(inTokyo(sentDay(date), 'markup')).toBe('<!date^1782945000^{date_short_pretty}|2 Jul 2026>');
  expect(inTokyo(sentDay(date))).toBe('2 Jul 2026');
});

test('a day that ends at midnight is not the next one, in any language', () => {
  const end = Date.UTC(2031, 0, 8) - 1;
  const { catalogueOf } = createCatalogues();
  const german = createRender(
    standardNames,
    createPhrases('de', { catalogue: catalogueOf('de'), formality: 'formal' }),
  );
  expect([createRender(standardNames)(sentDay(end)), german(sentDay(end)), german(fixedDay(end, 'UTC'))]).toEqual([
    '7 Jan 2031',
    '7. Jan. 2031',
    '7. Jan. 2031',
  ]);
});

const now = Date.parse('2026-11-23T10:00:00Z');
const { holidays } = readHolidays(['2026-12-25', 'europe/berlin:2026-10-03', 'Asia/Kolkata: 2027-01-26']);

test.each([
  ['2026-12-25', 'Europe/Berlin', true],
  ['2026-12-25', 'Asia/Tokyo', true],
  ['2026-10-03', 'Europe/Berlin', true],
  ['2026-10-03', 'Europe/Paris', false],
  ['2026-10-03', 'UTC', false],
  ['2027-01-26', 'Asia/Kolkata', true],
  // Another name of the same zone.
  ['2027-01-26', 'Asia/Calcutta', true],
  ['2026-12-24', 'Europe/Berlin', false],
])('%s in %s: %s', (day, zone, expected) => {
  expect(isHoliday(day, zone, holidays)).toBe(expected);
});

test.each([
  ['2026-02-30', ['2026-02-30 names no day that exists']],
  ['Europe/Berln:2026-10-03', ['Europe/Berln:2026-10-03 names no time zone that exists']],
  ['+02:00:2026-10-03', ['+02:00:2026-10-03 names no time zone that exists']],
  [':2026-10-03', [':2026-10-03 names no time zone that exists']],
  ['2026-10-03:Europe/Berlin', ['2026-10-03:Europe/Berlin names no day that exists']],
  ['Europe/Berlin', ['Europe/Berlin names no day that exists']],
  ['Europe/Berlin:2026-10-03', []],
])('what is wrong with %s', (entry, problems) => {
  expect(readHolidays([entry]).problems).toEqual(problems);
});

test('the doctor says how many days are to come, and finds that none is', () => {
  expect(diagnoseHolidays(new Set(), now)).toEqual([]);
  expect(
    diagnoseHolidays(readHolidays(['2026-12-24', '2026-11-23', 'UTC:2026-12-31', '2026-11-22']).holidays, now),
  ).toEqual([
    { state: 'right', text: 'HOLIDAYS: days to come on which campaigns write to nobody: 2 for everyone, 1 in UTC' },
  ]);
  expect(diagnoseHolidays(readHolidays(['2025-12-25', 'Europe/Berlin:2026-10-03']).holidays, now)).toEqual([
    { state: 'fault', text: expect.stringContaining('add the next days') },
  ]);
});

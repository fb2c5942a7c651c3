import fc from 'fast-check';
import { expect, test, describe } from 'vitest';
import { beginningOfDay, isDay, wallClock } from '../../src/time/wall-clock.ts';
import { createSteadyClock } from '../../src/time/clock.ts';

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
    { numRuns: 2_000 },
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

import { formatInTimeZone } from 'date-fns-tz';
import { describe, expect, test } from 'vitest';
import { nextEscalation, nextMessageOf, type MemberProgress } from '../../../src/features/campaigns/next-step.ts';
import type { Schedule } from '../../../src/domain/campaign.ts';
import { readHolidays, nextWorkingMoment } from '../../../src/time/working-hours.ts';
import fc from 'fast-check';
import { runs } from '../../support/drawn.ts';

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Santiago',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Africa/Casablanca',
  'Asia/Kathmandu',
  'America/St_Johns',
];
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const monday = Date.parse('2026-11-23T10:00:00Z');
const none: ReadonlySet<string> = new Set();

/** Written with another library than the rules. */
const isOpen = (at: number, zone: string, holidays: ReadonlySet<string>) => {
  const [weekday, hour, day] = formatInTimeZone(at, zone, 'i H yyyy-MM-dd').split(' ');
  return Number(weekday) <= 5 && Number(hour) >= 9 && Number(hour) < 18 && !holidays.has(day ?? '');
};

describe('working hours', () => {
  test('in ten zones over two years, the moment is open, and none before it is', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: 0, max: 2 * 365 * 24 * 60 }),
        fc.uniqueArray(fc.integer({ min: 0, max: 729 }), { maxLength: 30 }),
        fc.uniqueArray(fc.integer({ min: 0, max: 729 }), { maxLength: 30 }),
        fc.uniqueArray(fc.integer({ min: 0, max: 729 }), { maxLength: 30 }),
        (zone, minutes, offDays, offHere, offElsewhere) => {
          const start = Date.parse('2026-01-01T00:00:00Z');
          const dates = (days: number[]) => days.map((day) => new Date(start + day * dayMs).toISOString().slice(0, 10));
          const elsewhere = zone === 'Asia/Tokyo' ? 'Asia/Seoul' : 'Asia/Tokyo';
          const { holidays } = readHolidays([
            ...dates(offDays),
            ...dates(offHere).map((day) => `${zone}:${day}`),
            ...dates(offElsewhere).map((day) => `${elsewhere}:${day}`),
          ]);
          const off = new Set(dates([...offDays, ...offHere]));
          const at = start + minutes * 60_000;
          const next = nextWorkingMoment(at, zone, holidays);
          expect(isOpen(next, zone, off)).toBe(true);
          for (let before = at; before < next; before += 15 * 60_000) expect(isOpen(before, zone, off)).toBe(false);
        },
      ),
      { numRuns: runs(200) },
    );
  });

  test('a calendar without a working day ends the search', () => {
    const holidays = new Set(
      Array.from({ length: 800 }, (_, day) => new Date(monday + day * dayMs).toISOString().slice(0, 10)),
    );
    expect(nextWorkingMoment(monday, 'UTC', holidays)).toBeGreaterThan(monday + 399 * dayMs);
  });
});

const schedule: Schedule = {
  dueAt: monday + 14 * dayMs,
  remindBeforeMs: [7 * dayMs, dayMs],
  overdueEveryMs: dayMs,
  escalateAfterMs: 3 * dayMs,
  endsAt: monday + 28 * dayMs,
};
const timeZone = 'Europe/Berlin';
const added: MemberProgress = { timeZone, addedAt: monday, snoozedUntil: 0, remindNowAt: 0 };
const next = (member: Partial<MemberProgress>, plan: Partial<Schedule> = {}) => {
  const message = nextMessageOf({ ...schedule, ...plan }, { ...added, ...member }, none);
  return message && `${message.kind} ${new Date(message.at).toISOString()}`;
};

describe('the next message of a person', () => {
  test('is the first one, once', () => {
    expect(next({})).toBe('first 2026-11-23T10:00:00.000Z');
    expect(next({ lastMessageAt: monday })).toBe('reminder 2026-11-30T10:00:00.000Z');
  });

  test('comes at the end of a snooze, in working hours, whatever is planned meanwhile', () => {
    expect(next({ lastMessageAt: monday, snoozedUntil: monday + 9 * dayMs })).toBe('reminder 2026-12-02T10:00:00.000Z');
    const snoozed = { lastMessageAt: monday + 7 * dayMs, snoozedUntil: monday + 7.5 * dayMs };
    expect(next(snoozed)).toBe('reminder 2026-12-01T08:00:00.000Z');
    expect(next({ ...snoozed, lastMessageAt: monday + 8 * dayMs })).toBe('reminder 2026-12-07T08:00:00.000Z');
  });

  test('leaves out a reminder that is planned for the day of the last message', () => {
    const onSunday = { dueAt: Date.parse('2026-12-08T14:00:00Z'), remindBeforeMs: [2 * dayMs, dayMs] };
    const mondayMorning = Date.parse('2026-12-07T08:00:00Z');
    expect(next({ lastMessageAt: monday }, onSunday)).toBe('reminder 2026-12-07T08:00:00.000Z');
    expect(next({ lastMessageAt: mondayMorning }, onSunday)).toBe('reminder 2026-12-09T14:00:00.000Z');
    const evening = { ...onSunday, dueAt: Date.parse('2026-12-08T19:00:00Z') };
    expect(next({ lastMessageAt: mondayMorning }, evening)).toBe('reminder 2026-12-08T08:00:00.000Z');
  });

  test('leaves out a reminder within a day of when they were asked, as of a week before where they have a week', () => {
    const week = { dueAt: Date.parse('2026-11-30T17:00:00Z'), overdueEveryMs: null };
    expect(next({ asksFrom: monday, lastMessageAt: monday }, week)).toBe('reminder 2026-11-30T08:00:00.000Z');
  });

  test.each([
    ['Sunday evening', '2026-12-06T19:00:00Z', dayMs, '2026-12-04T16:00:00.000Z'],
    ['Monday at 9', '2026-12-07T08:00:00Z', dayMs, '2026-12-04T16:00:00.000Z'],
    ['Monday at 9, two hours before', '2026-12-07T08:00:00Z', 2 * hourMs, '2026-12-04T16:00:00.000Z'],
    ['a weekday at 20:00, an hour before', '2026-12-09T19:00:00Z', hourMs, '2026-12-09T16:00:00.000Z'],
    ['Monday at noon', '2026-12-07T11:00:00Z', dayMs, '2026-12-07T08:00:00.000Z'],
  ])('reminds before the due time: %s', (_, due, beforeMs, at) => {
    const plan = { dueAt: Date.parse(due), remindBeforeMs: [beforeMs], overdueEveryMs: null };
    expect(next({ lastMessageAt: monday }, plan)).toBe(`reminder ${at}`);
    expect(next({ lastMessageAt: Date.parse(at) }, plan)).toBe(undefined);
  });

  test('comes at once when a person asks for it, still in working hours and once a day', () => {
    const asked = (lastMessageAt: number, remindNowAt: number) => next({ lastMessageAt, remindNowAt });
    expect(asked(monday, monday + 25 * hourMs)).toBe('reminder 2026-11-24T11:00:00.000Z');
    expect(asked(monday, monday + hourMs)).toBe('reminder 2026-11-24T08:00:00.000Z');
    expect(asked(monday + 2 * hourMs, monday + hourMs)).toBe('reminder 2026-11-30T10:00:00.000Z');
  });

  test.each([
    ['today', '2026-11-23T16:00:00Z', '2026-11-23T11:00:00.000Z'],
    ['when the next working day begins', '2026-11-24T08:00:00Z', '2026-11-23T11:00:00.000Z'],
    ['right after that', '2026-11-24T08:01:00Z', '2026-11-24T08:00:00.000Z'],
    ['before it can come at all', '2026-11-23T11:00:00Z', '2026-11-24T08:00:00.000Z'],
  ])('is not held back until the next day where the quiz is due by then: %s', (_, due, at) => {
    const asked = { lastMessageAt: monday, remindNowAt: monday + hourMs };
    expect(next(asked, { dueAt: Date.parse(due) })).toBe(`reminder ${at}`);
  });

  test('goes on after the due time, and ends with the campaign', () => {
    const overdue = { lastMessageAt: monday + 14 * dayMs };
    expect(next(overdue)).toBe('reminder 2026-12-08T10:00:00.000Z');
    expect(next(overdue, { overdueEveryMs: null })).toBeUndefined();
    expect(next({ lastMessageAt: monday + 27.5 * dayMs })).toBeUndefined();
    expect(next({ lastMessageAt: monday }, { dueAt: null })).toBeUndefined();
  });
});

test('escalations come after the set time, then weekly, in the hours of the lead', () => {
  const at = (upTo: number) => {
    const moment = nextEscalation(schedule, upTo, { timeZone }, none);
    return moment && new Date(moment).toISOString();
  };
  expect(at(0)).toBe('2026-12-10T10:00:00.000Z');
  expect(at(monday + 17 * dayMs)).toBe('2026-12-17T10:00:00.000Z');
  expect(at(monday + 24 * dayMs)).toBeUndefined();
});

/** Drives a campaign minute by quarter hour through a year, and looks at what was sent; the rules decide only when. */
test('through a year in ten zones: one message a day at most, in working hours, the first one once, and none after the result', () => {
  fc.assert(
    fc.property(
      fc.record({
        zone: fc.constantFrom(...zones),
        dueAfterDays: fc.integer({ min: 1, max: 200 }),
        before: fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 4 }),
        overdueDays: fc.option(fc.integer({ min: 1, max: 10 }), { nil: undefined }),
        doneAfterDays: fc.integer({ min: 0, max: 400 }),
        startHour: fc.integer({ min: 0, max: 167 }),
        holidays: fc.uniqueArray(fc.integer({ min: 0, max: 380 }), { maxLength: 40 }),
      }),
      ({ zone, dueAfterDays, before, overdueDays, doneAfterDays, startHour, holidays: offDays }) => {
        const start = monday + startHour * hourMs;
        const holidays = new Set(offDays.map((day) => new Date(monday + day * dayMs).toISOString().slice(0, 10)));
        const plan: Schedule = {
          dueAt: start + dueAfterDays * dayMs,
          remindBeforeMs: before.map((days) => days * dayMs),
          overdueEveryMs: overdueDays === undefined ? null : overdueDays * dayMs,
          escalateAfterMs: null,
          endsAt: start + 365 * dayMs,
        };
        const doneAt = start + doneAfterDays * dayMs;
        const sent: { kind: string; at: number }[] = [];
        let member: MemberProgress = { ...added, timeZone: zone, addedAt: start };
        for (let now = start; now < doneAt;) {
          const message = nextMessageOf(plan, member, holidays);
          if (message === undefined) break;
          if (message.at > now) {
            now = message.at;
            continue;
          }
          sent.push({ kind: message.kind, at: now });
          member = { ...member, lastMessageAt: now };
        }
        const days = sent.map(({ at }) => formatInTimeZone(at, zone, 'yyyy-MM-dd'));
        expect(new Set(days).size).toBe(sent.length);
        expect(sent.every(({ at }) => isOpen(at, zone, holidays))).toBe(true);
        expect(sent.filter(({ kind }) => kind === 'first').length).toBe(sent.length > 0 ? 1 : 0);
        expect(sent[0]?.kind ?? 'first').toBe('first');
        expect(sent.every(({ at }) => at < doneAt && at < (plan.endsAt ?? 0))).toBe(true);
        // Nobody is forgotten: a message comes on the day of each planned reminder, or before the third working day after it.
        const planned = plan.remindBeforeMs
          .map((ms) => (plan.dueAt ?? 0) - ms)
          .filter((at) => at > (sent[0]?.at ?? Infinity));
        const forgotten = planned.filter((at) => {
          const deadline = nextWorkingMoment(nextWorkingMoment(at, zone, holidays) + 2 * dayMs, zone, holidays);
          const day = formatInTimeZone(at, zone, 'yyyy-MM-dd');
          return (
            deadline < doneAt &&
            deadline < (plan.endsAt ?? 0) &&
            !days.includes(day) &&
            !sent.some((message) => message.at >= at && message.at <= deadline)
          );
        });
        expect(forgotten).toEqual([]);
      },
    ),
    { numRuns: runs(200) },
  );
});

import type { Validity } from '../domain/campaign.ts';
import { wallClock, type WallTime } from '../time/wall-clock.ts';
import { endOfWork, nextWorkingMoment, startOfNextDay, type Holidays } from '../time/working-hours.ts';

/** The calendar by which an obligation is counted. */
export interface Calendar {
  timeZone: string;
  holidays: Holidays;
}

const dayMs = 24 * 60 * 60_000;

/** Passes of the same day are valid equally long, and most are of few days. */
const ends = new Map<string, number>();
const endsAtMost = 10_000;
/** People who came in on the same day have the same due time. */
const dueTimes = new WeakMap<Holidays, Map<string, number>>();
const dueTimesAtMost = 10_000;

/**
 * When the validity of a pass ends: the end of a day, in milliseconds since the epoch; infinite where passes count for good.
 *
 * @param passedAt in milliseconds since the epoch
 * @param renewDays a pass so many days before a date for all counts until the same date of the next year
 */
export function validUntil(
  passedAt: number,
  validity: Validity | undefined,
  renewDays: number,
  { timeZone }: Pick<Calendar, 'timeZone'>,
): number {
  if (validity === undefined) return Infinity;
  const clock = wallClock(timeZone);
  const day = Math.floor(clock.shownAt(passedAt) / dayMs);
  const key = `${day} ${timeZone} ${JSON.stringify(validity)} ${renewDays}`;
  const known = ends.get(key);
  if (known !== undefined) return known;
  const last = 'months' in validity ? monthsLater(day, validity.months) : nextDate(day, validity.until, renewDays);
  const end = clock.firstMomentOf((last + 1) * dayMs);
  if (ends.size >= endsAtMost) ends.clear();
  ends.set(key, end);
  return end;
}

/**
 * When something is due that has to be done within so many days: at 17:00 on that day, and at the earliest on the next working
 * day. In milliseconds since the epoch.
 */
export function dueWithin(days: number, fromMs: number, { timeZone, holidays }: Calendar): number {
  const clock = wallClock(timeZone);
  const day = Math.floor(clock.shownAt(fromMs) / dayMs);
  const key = `${day} ${timeZone} ${days}`;
  const ofHolidays = dueTimes.get(holidays) ?? new Map<string, number>();
  dueTimes.set(holidays, ofHolidays);
  const known = ofHolidays.get(key);
  if (known !== undefined) return known;
  const nextWorkingDay = nextWorkingMoment(startOfNextDay(fromMs, timeZone), timeZone, holidays);
  const last = clock.firstMomentOf((day + days) * dayMs + dayMs / 2);
  const due = Math.max(endOfWork(last, timeZone), endOfWork(nextWorkingDay, timeZone));
  if (ofHolidays.size >= dueTimesAtMost) ofHolidays.clear();
  ofHolidays.set(key, due);
  return due;
}

/** The day, in days since the epoch, so many months later; the last one of a month that has no such day. */
function monthsLater(day: number, months: number): number {
  const date = new Date(day * dayMs);
  return dayOf(date.getUTCFullYear(), date.getUTCMonth() + months, date.getUTCDate());
}

/** The next such date. Within the renewal time before it, the one after. */
function nextDate(day: number, { month, day: ofMonth }: { month: number; day: number }, renewDays: number): number {
  const year = new Date(day * dayMs).getUTCFullYear();
  const dates = [0, 1, 2, 3].map((more) => dayOf(year + more, month - 1, ofMonth));
  return dates.find((date) => date - renewDays > day)!;
}

function dayOf(year: number, month: number, day: number): WallTime {
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(day, last)) / dayMs;
}

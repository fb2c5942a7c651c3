import { dayMs } from '../domain/durations.ts';
import type { Validity } from '../domain/campaign.ts';
import { wallClock, type WallTime } from '../time/wall-clock.ts';
import { endOfWork, nextWorkingMoment, startOfNextDay, type Holidays } from '../time/working-hours.ts';

/** The calendar by which an obligation is counted. */
export interface Calendar {
  timeZone: string;
  holidays: Holidays;
}

/** What was worked out, by day: passes of a day are valid equally long, and who came in on it has the same due time. */
type KnownDays = Map<number, number>;
const rulesAtMost = 100;
const knownByRule = new Map<string, KnownDays>();
/** The latest question about a rule. To write a key for each of hundreds of thousands would take longer than all the rest. */
const latest = new WeakMap<object, { timeZone: string; days: number; known: KnownDays }>();

/** @param rule one object for each question, whose content `written` gives */
function knownDays(rule: object, written: () => string, timeZone: string, days: number): KnownDays {
  const last = latest.get(rule);
  if (last?.timeZone === timeZone && last.days === days) return last.known;
  const known = lookUp(`${written()} ${timeZone} ${days}`);
  latest.set(rule, { timeZone, days, known });
  return known;
}

function lookUp(key: string): KnownDays {
  const known = knownByRule.get(key) ?? new Map<number, number>();
  if (knownByRule.size >= rulesAtMost) knownByRule.clear();
  knownByRule.set(key, known);
  return known;
}

/**
 * When the validity of a pass ends: the end of a day, in milliseconds since the epoch; infinite where passes count for good.
 *
 * @param passedAt in milliseconds since the epoch
 * @param renewDays a pass so many days before a date for all counts until the same date of the next year
 */
export function validUntil(
  passedAt: number,
  validity: Validity | null,
  renewDays: number,
  { timeZone }: Pick<Calendar, 'timeZone'>,
): number {
  if (validity === null) return Infinity;
  const clock = wallClock(timeZone);
  const day = Math.floor(clock.shownAt(passedAt) / dayMs);
  const known = knownDays(validity, () => JSON.stringify(validity), timeZone, renewDays);
  const knownEnd = known.get(day);
  if (knownEnd !== undefined) return knownEnd;
  const last = 'months' in validity ? monthsLater(day, validity.months) : nextDate(day, validity.until, renewDays);
  const end = clock.firstMomentOf((last + 1) * dayMs);
  known.set(day, end);
  return end;
}

/**
 * When something is due that has to be done within so many days: at 17:00 on that day, and at the earliest on the next working
 * day. In milliseconds since the epoch.
 */
export function dueWithin(days: number, fromMs: number, { timeZone, holidays }: Calendar): number {
  const clock = wallClock(timeZone);
  const day = Math.floor(clock.shownAt(fromMs) / dayMs);
  const known = knownDays(holidays, () => [...holidays].join(), timeZone, days);
  const knownDue = known.get(day);
  if (knownDue !== undefined) return knownDue;
  const nextWorkingDay = nextWorkingMoment(startOfNextDay(fromMs, timeZone), timeZone, holidays);
  const last = clock.firstMomentOf((day + days) * dayMs + dayMs / 2);
  const due = Math.max(endOfWork(last, timeZone), endOfWork(nextWorkingDay, timeZone));
  known.set(day, due);
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

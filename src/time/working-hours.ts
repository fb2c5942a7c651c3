import { hourMs, dayMs } from '../domain/durations.ts';
import { wallClock, type WallTime, isDay, knownTimeZone, startOfDay } from './wall-clock.ts';
import { fault, right, type Diagnosis } from '../domain/finding.ts';

/** People are written to from 9 to 18 on their own clock, Monday to Friday. */
const opensAtMs = 9 * hourMs;
const closesAtMs = 18 * hourMs;
const lastHourMs = closesAtMs - hourMs;
const endOfWorkMs = 17 * hourMs;
/** Longer than any row of holidays. A calendar without any working day stops here. */
const daysLookedAt = 400;

/**
 * Returns the first moment from `atMs` on at which a person in the zone may be written to. What falls into a night, a weekend
 * or a holiday comes at its end.
 * @throws {RangeError} for an unknown zone
 */
export function nextWorkingMoment(atMs: number, timeZone: string, holidays: Holidays): number {
  const clock = wallClock(timeZone);
  const shown = clock.shownAt(atMs);
  const today = startOfDay(shown);
  if (isWorkingDay(today, timeZone, holidays) && shown >= today + opensAtMs && shown < today + closesAtMs) return atMs;
  const first = shown < today + opensAtMs ? today : today + dayMs;
  for (let day = first; day < first + daysLookedAt * dayMs; day += dayMs) {
    if (!isWorkingDay(day, timeZone, holidays)) continue;
    const opens = clock.firstMomentOf(day + opensAtMs);
    // A zone can skip a whole day: then the clock shows a later one, which has its turn.
    if (startOfDay(clock.shownAt(opens)) === day) return Math.max(atMs, opens);
  }
  return clock.firstMomentOf(first + daysLookedAt * dayMs + opensAtMs);
}

/**
 * Returns the begin of the last full hour before `atMs` in which a person in the zone may be written to: 17:00 on a working day.
 * @throws {RangeError} for an unknown zone
 */
export function lastWorkingHourBefore(atMs: number, timeZone: string, holidays: Holidays): number {
  const clock = wallClock(timeZone);
  const shown = clock.shownAt(atMs);
  const today = startOfDay(shown);
  for (let day = today; day > today - daysLookedAt * dayMs; day -= dayMs) {
    if (!isWorkingDay(day, timeZone, holidays) || day + lastHourMs > shown) continue;
    const begins = clock.firstMomentOf(day + lastHourMs);
    if (startOfDay(clock.shownAt(begins)) === day) return begins;
  }
  return clock.firstMomentOf(today - daysLookedAt * dayMs + lastHourMs);
}

/** When work ends on the day of a moment, 17:00, in milliseconds since the epoch: what is due on a day is due then. */
export function endOfWork(atMs: number, timeZone: string): number {
  const clock = wallClock(timeZone);
  return clock.firstMomentOf(startOfDay(clock.shownAt(atMs)) + endOfWorkMs);
}

/** When the next day begins on a person's clock, in milliseconds since the epoch. */
export function startOfNextDay(atMs: number, timeZone: string): number {
  const clock = wallClock(timeZone);
  return clock.firstMomentOf(startOfDay(clock.shownAt(atMs)) + dayMs);
}

/**
 * When a message comes that is planned for a moment: in working hours, and on another day than the last one. Where what it speaks of
 * would be due by then, it comes before that all the same.
 *
 * @param setting.dueAt infinite where it is due at no time
 */
export function turnOfDay(
  plannedAt: number,
  {
    lastAt,
    dueAt,
    timeZone,
    holidays,
  }: { lastAt: number | undefined; dueAt: number; timeZone: string; holidays: Holidays },
): number {
  const soonest = nextWorkingMoment(plannedAt, timeZone, holidays);
  const nextDay = lastAt === undefined ? 0 : startOfNextDay(lastAt, timeZone);
  const usual = nextDay <= plannedAt ? soonest : nextWorkingMoment(nextDay, timeZone, holidays);
  return soonest < dueAt && dueAt <= usual ? soonest : usual;
}

function isWorkingDay(day: WallTime, timeZone: string, holidays: Holidays): boolean {
  const date = new Date(day);
  const weekday = date.getUTCDay();
  return weekday !== 0 && weekday !== 6 && !isHoliday(date.toISOString().slice(0, 10), timeZone, holidays);
}

/** Days without messages: `2026-12-25` for everyone, `Europe/Berlin:2026-10-03` for the people in a zone, as Intl writes it. */
export type Holidays = ReadonlySet<string>;

const separator = ':';

/** Intl takes long to tell how it writes a zone. There are some 600. */
const written = new Map<string, string>();

/** @param day in ISO format */
export function isHoliday(day: string, timeZone: string, holidays: Holidays): boolean {
  if (holidays.size === 0) return false;
  if (!written.has(timeZone)) written.set(timeZone, knownTimeZone(timeZone) ?? timeZone);
  return holidays.has(day) || holidays.has(`${written.get(timeZone)}${separator}${day}`);
}

/** Reads days as an operator writes them. `problems`: what is wrong with entries, a clause each. */
export function readHolidays(entries: readonly string[]): { holidays: Holidays; problems: string[] } {
  const holidays = new Set<string>();
  const problems: string[] = [];
  for (const entry of entries) {
    const [, zone, day = ''] = /^(?:(.*):)?(.*)$/.exec(entry)?.map((part: string | undefined) => part?.trim()) ?? [];
    const known = knownTimeZone(zone);
    if (!isDay(day)) problems.push(`${entry} names no day that exists`);
    else if (zone !== undefined && known === undefined) problems.push(`${entry} names no time zone that exists`);
    else holidays.add(known === undefined ? day : `${known}${separator}${day}`);
  }
  return { holidays, problems };
}

/** Says how many days are to come, and where; nothing without holidays. */
export function diagnoseHolidays(holidays: Holidays, nowMs: number): Diagnosis[] {
  if (holidays.size === 0) return [];
  const today = new Date(nowMs).toISOString().slice(0, 10);
  const coming = [...holidays]
    .map((entry) => ({ zone: entry.split(separator).at(-2), day: entry.split(separator).at(-1) ?? '' }))
    .filter(({ day }) => day >= today);
  if (coming.length === 0)
    return [
      fault(
        'HOLIDAYS has no day that is still to come, so campaigns write on every day from Monday to Friday: add the next days, or remove it',
      ),
    ];
  const counts = [...Map.groupBy(coming, ({ zone }) => zone)].map(
    ([zone, days]) => `${days.length} ${zone === undefined ? 'for everyone' : `in ${zone}`}`,
  );
  return [right(`HOLIDAYS: days to come on which campaigns write to nobody: ${counts.join(', ')}`)];
}

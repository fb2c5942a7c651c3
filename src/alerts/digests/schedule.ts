import type { Delivery } from '../../domain/subscription.ts';
import { wallClock, type WallClock, type WallTime } from '../../time/wall-clock.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/**
 * When a digest comes next in a zone, in milliseconds since the epoch; always after `afterMs`. An hourly one comes
 * whenever a clock there shows a full hour. A daily one comes once each day: at the first moment after its time where a
 * change skips that, at the first of two moments where it comes twice, and not on a day that was skipped as a whole.
 * @throws {RangeError} for a zone there is not
 */
export function nextDigestAt(delivery: Extract<Delivery, { kind: 'digest' }>, timeZone: string, afterMs: number): number {
  const clock = wallClock(timeZone);
  return delivery.every === 'hour' ? nextFullHour(clock, afterMs) : nextDaily(clock, msOfDay(delivery.at), afterMs);
}

/** Minute by minute: clocks change by half hours, too, and at any minute of an hour. */
function nextFullHour(clock: WallClock, afterMs: number): number {
  let moment = Math.floor(afterMs / minuteMs) * minuteMs + minuteMs;
  while (clock.shownAt(moment) % hourMs !== 0) moment += minuteMs;
  return moment;
}

function nextDaily(clock: WallClock, timeOfDayMs: number, afterMs: number): number {
  // The day before, since a gap before midnight puts what it skips into the next day.
  let day = dayOf(clock.shownAt(afterMs)) - dayMs;
  for (;;) {
    const moment = clock.firstMomentOf(day + timeOfDayMs);
    if (moment > afterMs && exists(day, clock)) return moment;
    day += dayMs;
  }
}

function dayOf(time: WallTime): WallTime {
  return Math.floor(time / dayMs) * dayMs;
}

function exists(day: WallTime, clock: WallClock): boolean {
  return dayOf(clock.shownAt(clock.firstMomentOf(day))) === day;
}

/** Of `08:30`. */
function msOfDay(at: string): number {
  const [hours = 0, minutes = 0] = at.split(':').map(Number);
  return hours * hourMs + minutes * minuteMs;
}

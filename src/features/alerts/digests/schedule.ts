import type { Delivery } from '../../../domain/subscription.ts';
import { wallClock, type WallClock, type WallTime } from '../../../time/wall-clock.ts';

export type DigestDelivery = Extract<Delivery, { kind: 'digest' }>;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** No two digests are further apart, with a skipped day between them. A longer wait means that the clock was set back. */
export const longestDigestWaitMs = 3 * dayMs;

/**
 * Returns when the next digest is due in a zone, in milliseconds since the epoch; always after `afterMs`. An hourly
 * digest is due whenever a clock of the zone shows a full hour. A daily digest is due once a day: where a clock change
 * skips its time, at the first moment after it; where its time comes twice, at the first; not on a day that is skipped
 * as a whole.
 * @throws {RangeError} for an unknown zone
 */
export function nextDigestAt(delivery: DigestDelivery, timeZone: string, afterMs: number): number {
  const clock = wallClock(timeZone);
  return delivery.every === 'hour' ? nextFullHour(clock, afterMs) : nextDaily(clock, msOfDay(delivery.at), afterMs);
}

/** Returns the last due time up to `now`. @param firstAt a due time that has come */
export function lastDigestAt(delivery: DigestDelivery, timeZone: string, firstAt: number, now: number): number {
  let dueAt = firstAt;
  // After a long outage, the hours before the last days need no look.
  let next = nextDigestAt(delivery, timeZone, Math.max(firstAt, now - longestDigestWaitMs));
  while (next <= now) {
    dueAt = next;
    next = nextDigestAt(delivery, timeZone, next);
  }
  return dueAt;
}

/** Goes minute by minute: clocks also change by half hours, and at any minute of an hour. */
function nextFullHour(clock: WallClock, afterMs: number): number {
  let moment = Math.floor(afterMs / minuteMs) * minuteMs + minuteMs;
  while (clock.shownAt(moment) % hourMs !== 0) moment += minuteMs;
  return moment;
}

function nextDaily(clock: WallClock, timeOfDayMs: number, afterMs: number): number {
  // Starts a day early: a gap before midnight moves a skipped time into the next day.
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

/** Reads a time of day such as `08:30`. */
function msOfDay(at: string): number {
  const [hours = 0, minutes = 0] = at.split(':').map(Number);
  return hours * hourMs + minutes * minuteMs;
}

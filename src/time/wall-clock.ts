import { fromZonedTime } from 'date-fns-tz/fromZonedTime';

/**
 * What a clock on the wall shows, as the milliseconds since the epoch at which one in UTC shows the same. So one can
 * count with it; it is not a moment.
 */
export type WallTime = number;

const dayMs = 24 * 60 * 60_000;
const format = { calendar: 'gregory', numberingSystem: 'latn', hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' } as const;

/** The clock on the wall of a zone, and the moments (milliseconds since the epoch) at which it shows something. */
export interface WallClock {
  shownAt(moment: number): WallTime;
  /** The first moment at which it shows a time; where it skips it, the first moment after that. */
  firstMomentOf(time: WallTime): number;
}

/** @throws {RangeError} for a zone there is not */
export function wallClock(timeZone: string): WallClock {
  const written = new Intl.DateTimeFormat('en', { ...format, timeZone });

  function shownAt(moment: number): WallTime {
    const part: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
    for (const { type, value } of written.formatToParts(moment)) part[type] = Number(value);
    const { year = 0, month = 1, day, hour, minute, second } = part;
    return Date.UTC(year, month - 1, day, hour, minute, second);
  }

  /*
   * Around a change, fromZonedTime is wrong in two ways: of a time that comes twice it gives the first or the second
   * one, as the zone of the machine has it; for a time that is skipped it gives a moment before the gap, which may be
   * a day before (Samoa, 30 December 2011).
   */
  function firstMomentOf(time: WallTime): number {
    const found = fromZonedTime(new Date(time).toISOString().slice(0, -1), timeZone).getTime();
    if (shownAt(found) !== time) return endOfGap(time, found);
    const dayBefore = found - dayMs;
    const withEarlierOffset = time - (shownAt(dayBefore) - dayBefore);
    return withEarlierOffset < found && shownAt(withEarlierOffset) === time ? withEarlierOffset : found;
  }

  function endOfGap(time: WallTime, near: number): number {
    let before = near - 2 * dayMs;
    let after = near + 2 * dayMs;
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (shownAt(middle) < time) before = middle;
      else after = middle;
    }
    return after;
  }

  return { shownAt, firstMomentOf };
}

import { dayMs } from '../domain/durations.ts';

/**
 * The date and time that a wall clock shows, as the milliseconds since the epoch at which a clock in UTC shows the same.
 * Made for arithmetic; not a moment.
 */
export type WallTime = number;

/** When the day of a time begins. */
export function startOfDay(time: WallTime): WallTime {
  return Math.floor(time / dayMs) * dayMs;
}

const format = {
  calendar: 'gregory',
  numberingSystem: 'latn',
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
} as const;

/** The wall clock of a time zone, and the moments (milliseconds since the epoch) at which it shows a time. */
export interface WallClock {
  shownAt(moment: number): WallTime;
  /** The first moment at which the clock shows a time; the first moment after the gap where the clock skips that time. */
  firstMomentOf(time: WallTime): number;
}

const clocks = new Map<string, WallClock>();

/** @throws {RangeError} for an unknown time zone */
export function wallClock(timeZone: string): WallClock {
  const known = clocks.get(timeZone);
  if (known) return known;
  if (clocks.size >= zonesAtMost) clocks.clear();
  const made = newClock(timeZone);
  clocks.set(timeZone, made);
  return made;
}

/** Some thirty years, of which a clock is asked about few. */
const daysKnownAtMost = 10_000;

function newClock(timeZone: string): WallClock {
  const written = dateFormat('en', format, timeZone);
  /** By how much the clock is ahead of UTC on a day of UTC, in days since the epoch; null where that changes on the day. */
  const offsets = new Map<number, number | null>();

  /** Writing a moment takes twenty times as long as adding the offset, which is the same all day on all days but two of a year. */
  function shownAt(moment: number): WallTime {
    const day = Math.floor(moment / dayMs);
    const offset = offsets.get(day) ?? offsetOn(day);
    return offset === null ? writtenAt(moment) : Math.floor(moment / 1_000) * 1_000 + offset;
  }

  function offsetOn(day: number): number | null {
    if (offsets.has(day)) return null;
    const [begin, end] = [day * dayMs, (day + 1) * dayMs];
    const offset = writtenAt(begin) - begin;
    const steady = writtenAt(end) - end === offset ? offset : null;
    if (offsets.size >= daysKnownAtMost) offsets.clear();
    offsets.set(day, steady);
    return steady;
  }

  function writtenAt(moment: number): WallTime {
    const part: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
    for (const { type, value } of written.formatToParts(moment)) part[type] = Number(value);
    const { year = 0, month = 1, day, hour, minute, second } = part;
    return Date.UTC(year, month - 1, day, hour, minute, second);
  }

  /** A clock is ahead of UTC as it is a day before or a day after: where it is set meanwhile, each can show the time. */
  function firstMomentOf(time: WallTime): number {
    const moments = [time - dayMs, time + dayMs].map((near) => time - (shownAt(near) - near));
    const found = moments.filter((moment) => shownAt(moment) === time);
    return found.length === 0 ? endOfGap(time) : Math.min(...found);
  }

  function endOfGap(time: WallTime): number {
    let before = time - 2 * dayMs;
    let after = time + 2 * dayMs;
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (shownAt(middle) < time) before = middle;
      else after = middle;
    }
    return after;
  }

  return { shownAt, firstMomentOf };
}

/** Whether a text is an existing day in ISO format, such as `2026-11-01`. */
export function isDay(text: string): boolean {
  const midnight = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(text) : undefined;
  return midnight !== undefined && !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(text);
}

/** When a day begins in a time zone, in milliseconds since the epoch; undefined unless `isDay(day)`. */
export function beginningOfDay(day: string, timeZone: string): number | undefined {
  return isDay(day) ? wallClock(timeZone).firstMomentOf(Date.parse(day)) : undefined;
}

/** The zone as Intl writes it; undefined for a zone it does not know. */
export function knownTimeZone(typed: string | undefined): string | undefined {
  // Intl also takes offsets such as +02:00, which do not follow daylight saving time.
  if (typed === undefined || !/^[a-z]/i.test(typed)) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: typed }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** More zones than a bot usually meets: its own, and those of its subscriptions. */
const zonesAtMost = 50;

const formats = new WeakMap<Intl.DateTimeFormatOptions, Map<string, Intl.DateTimeFormat>>();

/**
 * Returns the format of a zone, created once for the same `options` object. Creating a format takes a hundred times as
 * long as using it, and some 10 KiB outside the heap, which the garbage collector does not see.
 */
export function dateFormat(locale: string, options: Intl.DateTimeFormatOptions, timeZone: string): Intl.DateTimeFormat {
  const ofZones = formats.get(options) ?? new Map<string, Intl.DateTimeFormat>();
  formats.set(options, ofZones);
  const key = `${locale} ${timeZone}`;
  const known = ofZones.get(key);
  if (known) return known;
  if (ofZones.size >= zonesAtMost) ofZones.clear();
  const made = new Intl.DateTimeFormat(locale, { ...options, timeZone });
  ofZones.set(key, made);
  return made;
}

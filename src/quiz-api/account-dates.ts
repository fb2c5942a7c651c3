import * as z from 'zod';
import { dateOf, isUtcDate } from './fields.ts';
import { wallClock } from '../time/wall-clock.ts';

/**
 * Reads the dates of an account: `yyyy-MM-dd hh:mm:ss`, or ISO 8601 with `T`, fractions of a second, an offset or `Z`.
 * A date without an offset is in the zone of the account. Of a time that comes twice when clocks go back, the first
 * moment is meant; a time that is skipped when they go forward means the first moment after the gap.
 */
export type AccountDates = ReturnType<typeof accountDates>;

const known = new Map<string, AccountDates>();

/** @throws {RangeError} for an unknown time zone */
export function accountDatesIn(timeZone: string): AccountDates {
  const found = known.get(timeZone) ?? accountDates(timeZone);
  known.set(timeZone, found);
  return found;
}

/** Makes what depends on the dates of an account, such as a schema, once for each time zone. */
export function forDates<Made>(make: (dates: AccountDates) => Made): (dates: AccountDates) => Made {
  const made = new WeakMap<AccountDates, { value: Made }>();
  return (dates) => {
    const found = made.get(dates) ?? { value: make(dates) };
    made.set(dates, found);
    return found.value;
  };
}

function accountDates(timeZone: string) {
  const toMs = timeZone === 'UTC' ? utcMs : zoneReader(timeZone);

  /** Milliseconds since the epoch; null for anything but a date, and for the year 1, which stands for none. */
  function momentOf(value: unknown): number | null {
    if (typeof value !== 'string') return null;
    if (isUtcDate(value)) return toMs(dateOf(value).getTime());
    const [, day, time, seconds = ':00', fraction = '0', zone] = anyDate.exec(value) ?? [];
    const text = `${day} ${time}${seconds}`;
    if (!isUtcDate(text)) return null;
    const shown = dateOf(text).getTime();
    const fractionMs = Math.floor(Number(`0.${fraction}`) * 1000);
    return (zone === undefined ? toMs(shown) : shown - offsetMs(zone)) + fractionMs;
  }

  /** The same moment as text, `yyyy-MM-dd hh:mm:ss` in UTC, which `dateOf` reads. */
  function textOf(value: unknown): string | null {
    const moment = momentOf(value);
    if (moment === null) return null;
    const iso = new Date(moment).toISOString();
    const text = `${iso.slice(0, 10)} ${iso.slice(11, 19)}`;
    return isUtcDate(text) ? text : null;
  }

  return {
    isUtc: timeZone === 'UTC',
    textOf,
    /** A field with a date, as a `Date`; null where there is none. */
    moment: z
      .unknown()
      .default(null)
      .transform((value) => {
        const moment = momentOf(value);
        return moment === null ? null : new Date(moment);
      }),
    /** A field with a date, as text in UTC, which `dateOf` reads; null where there is none. */
    text: z.unknown().default(null).transform(textOf),
  };
}

/** The day, the time, the seconds, their fraction, and the offset. */
const anyDate = /^\s*(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?(?:[.,](\d+))?\s*(Z|[+-]\d\d(?::?\d\d)?)?\s*$/i;

function offsetMs(zone: string): number {
  if (/z/i.test(zone)) return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3).replace(':', ''));
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000;
}

function utcMs(shown: number): number {
  return shown;
}

const dayMs = 24 * 60 * 60_000;
/** Time zones have existed for less long, and no account has dates of the future after next. */
const [firstZonedMs, lastZonedMs] = [Date.UTC(1900, 0), Date.UTC(2900, 0)];
const daysAtMost = 20_000;

/** Reads what the clock of a zone shows. Most days have one offset, which is looked up once: a list has 100,000 dates. */
function zoneReader(timeZone: string): (shown: number) => number {
  const clock = wallClock(timeZone);
  const offsets = new Map<number, number>();

  function offsetAtMidnight(day: number): number {
    let offset = offsets.get(day);
    if (offset === undefined) {
      offset = day * dayMs - clock.firstMomentOf(day * dayMs);
      if (offsets.size >= daysAtMost) offsets.clear();
      offsets.set(day, offset);
    }
    return offset;
  }

  return (shown) => {
    if (shown < firstZonedMs || shown > lastZonedMs) return shown;
    const day = Math.floor(shown / dayMs);
    const offset = offsetAtMidnight(day);
    return offset === offsetAtMidnight(day + 1) ? shown - offset : clock.firstMomentOf(shown);
  };
}

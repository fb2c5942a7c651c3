import { dayMs } from '../domain/durations.ts';
import * as z from 'zod';
import { htmlToText } from './html-text.ts';
import { wallClock } from '../time/wall-clock.ts';

const writtenUtcDate = /^[1-9]\d{3}-(?:0[1-9]|1[0-2])-\d\d (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/;

/** Whether a text is a real moment of the form `yyyy-MM-dd hh:mm:ss`, on a 24-hour clock. */
export function isUtcDate(text: string): boolean {
  if (!writtenUtcDate.test(text)) return false;
  const day = twoDigits(text, 8);
  return day >= 1 && (day <= 28 || dateOf(text).getUTCDate() === day);
}

/** The moment, in UTC, of a text for which `isUtcDate` holds. */
export function dateOf(text: string): Date {
  return new Date(
    Date.UTC(
      twoDigits(text, 0) * 100 + twoDigits(text, 2),
      twoDigits(text, 5) - 1,
      twoDigits(text, 8),
      twoDigits(text, 11),
      twoDigits(text, 14),
      twoDigits(text, 17),
    ),
  );
}

function twoDigits(text: string, at: number): number {
  return (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48;
}

/*
 * The fields of a record are read as tolerantly as they can be: only an id can make a record unreadable. The usual form
 * is the first member of a union, which `z.compile` runs without a call; everything else goes to a function. The
 * default is for a field that is missing.
 */

/** Whether a text can name a resource: it has to be a segment of a path. */
export function isId(text: string): boolean {
  return text !== '' && text !== '.' && text !== '..' && text.isWellFormed();
}

/** An identifier in its usual form. */
export const usualId = z.string().refine(isId);

/** An identifier: text that is not empty, or a number. */
export const id = z.union([usualId, z.number().transform(String)], 'an id belongs here');

/** An identifier; empty when it is missing or cannot be read. */
export const optionalId = z.union([usualId, z.unknown().transform((value) => idOf(value) ?? '')]).default('');

/** Half of a character that takes two halves cannot be written as UTF-8: it would make every text that has it another one. */
const wellFormed = z.string().refine((written) => written.isWellFormed());

/** Text from text, a number or a flag, well-formed; empty for anything else. */
export const text = z.union([wellFormed, z.unknown().transform(textOf)]).default('');

/** Text as `text` reads it, in which HTML becomes text. */
export const htmlText = text.transform(htmlToText);

/** Text without HTML, in its usual form. */
export const usualText = wellFormed.refine((written) => !/[<&]/.test(written));

/** Text as `text` reads it; null when empty. */
export const optionalText = z
  .unknown()
  .default(null)
  .transform((value) => textOf(value) || null);

/** A flag; false when it is missing or cannot be read. */
export const flag = z.union([z.boolean(), z.unknown().transform((value) => flagOf(value) ?? false)]).default(false);

/** A flag; null when it is missing or cannot be read. */
export const optionalFlag = z.unknown().default(null).transform(flagOf);

/** A number; null when it is missing or cannot be read. */
export const optionalNumber = z.union([z.number(), z.unknown().transform(numberOf)]).default(null);

/** A number; 0 when it is missing or cannot be read. */
export const count = z.union([z.number(), z.unknown().transform((value) => numberOf(value) ?? 0)]).default(0);

/** The text of a moment, `yyyy-MM-dd hh:mm:ss` in UTC on a 24-hour clock. `dateOf` reads it. */
export const writtenDate = z.string().refine(isUtcDate);

/** The address of a page; null where the service has none and writes nothing, or `not_in_use`. */
export const link = z
  .unknown()
  .default(null)
  .transform((value) => (typeof value === 'string' && isWebAddress(value) ? value : null));

/** An array without the items that cannot be read; empty for anything but an array. */
export function listOfReadable<Item>(item: z.ZodType<Item>) {
  const compiled = z.compile(item);
  return z
    .unknown()
    .default(null)
    .transform((items) =>
      itemsIn(items).flatMap((value) => {
        const read = compiled.safeParse(value);
        return read.success ? [read.data] : [];
      }),
    );
}

function itemsIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A compiled check of whether a value fits a schema that transforms nothing. It copies nothing. */
export function fits<Fields extends z.ZodType>(schema: Fields): (value: unknown) => value is z.output<Fields> {
  const compiled = z.compile(schema);
  return (value): value is z.output<Fields> => compiled.validate(value);
}

/** Whether a value of JSON is an object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Text from text, a number or a flag; empty for anything else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value).toWellFormed()
    : '';
}

/** Reads an identifier from text or a number; undefined for anything else. */
export function idOf(value: unknown): string | undefined {
  const read = typeof value === 'number' && Number.isFinite(value) ? String(value) : value;
  return typeof read === 'string' && isId(read) ? read : undefined;
}

/** Reads a flag: `true`, 1, and texts of them such as `"True"`, and their opposites. Null for anything else. */
export function flagOf(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  const written = textOf(value).trim().toLowerCase();
  if (written === 'true' || written === '1') return true;
  return written === 'false' || written === '0' ? false : null;
}

/** Reads a number, or a decimal number as text such as `"8.00"`. Null for anything else. */
export function numberOf(value: unknown): number | null {
  const isWritten = typeof value === 'string' && /^\s*-?\d+(\.\d+)?\s*$/.test(value);
  const number = isWritten ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

function isWebAddress(value: string): boolean {
  const protocol = URL.parse(value)?.protocol;
  return protocol === 'https:' || protocol === 'http:';
}

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
    const dateAndTime = `${day} ${time}${seconds}`;
    if (!isUtcDate(dateAndTime)) return null;
    const shown = dateOf(dateAndTime).getTime();
    const fractionMs = Math.floor(Number(`0.${fraction}`) * 1000);
    return (zone === undefined ? toMs(shown) : shown - offsetMs(zone)) + fractionMs;
  }

  /** The same moment as text, `yyyy-MM-dd hh:mm:ss` in UTC, which `dateOf` reads. */
  function dateTextOf(value: unknown): string | null {
    const moment = momentOf(value);
    if (moment === null) return null;
    const iso = new Date(moment).toISOString();
    const dateText = `${iso.slice(0, 10)} ${iso.slice(11, 19)}`;
    return isUtcDate(dateText) ? dateText : null;
  }

  return {
    isUtc: timeZone === 'UTC',
    textOf: dateTextOf,
    /** A field with a date, as a `Date`; null where there is none. */
    moment: z
      .unknown()
      .default(null)
      .transform((value) => {
        const moment = momentOf(value);
        return moment === null ? null : new Date(moment);
      }),
    /** A field with a date, as text in UTC, which `dateOf` reads; null where there is none. */
    text: z.unknown().default(null).transform(dateTextOf),
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

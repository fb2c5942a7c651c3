import { wallClock } from '../../time/wall-clock.ts';
import { dateOf, isObject, isUtcDate } from '../fields.ts';

const minuteMs = 60_000;
const quarterMs = 15 * minuteMs;
/** From UTC-12 to UTC+14. */
const [westmostMs, eastmostMs] = [-12 * 60 * minuteMs, 14 * 60 * minuteMs];

/**
 * The offset of the zone in which a date was written at a moment; undefined where they are not a zone’s offset apart.
 *
 * @param text `yyyy-MM-dd hh:mm:ss`
 * @param withinMs how much earlier than the moment it may have been written
 */
export function offsetOf(text: string, momentMs: number, withinMs: number): number | undefined {
  if (!isUtcDate(text)) return undefined;
  const apartMs = dateOf(text).getTime() - momentMs;
  const offsetMs = Math.ceil((apartMs - minuteMs) / quarterMs) * quarterMs;
  const isOffset = offsetMs >= westmostMs && offsetMs <= eastmostMs && offsetMs - apartMs <= withinMs;
  return isOffset ? offsetMs : undefined;
}

/** Such as `UTC+01:00`. */
export function offsetInWords(offsetMs: number): string {
  const minutes = Math.abs(Math.round(offsetMs / minuteMs));
  const two = (number: number) => String(number).padStart(2, '0');
  return minutes === 0 ? 'UTC' : `UTC${offsetMs < 0 ? '−' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** How the configured zone fits an offset that was found. */
export function fitOf(timeZone: string, offsetMs: number, atMs: number): { fits: boolean; text: string } {
  const configured = wallClock(timeZone).shownAt(atMs) - atMs;
  const fits = Math.abs(configured - offsetMs) < minuteMs;
  return {
    fits,
    text: `QUIZ_TIME_ZONE=${timeZone} is ${offsetInWords(configured)} at that time: ${fits ? 'it fits' : 'it does not fit'}.`,
  };
}

/** What the dates of records say of their zone. */
export interface DatesSeen {
  /** The newest without an offset. */
  newest: string | undefined;
  /** The offsets that dates have themselves, such as `-07:00`, with how many have them. */
  offsets: Map<string, number>;
}

export function datesIn(records: readonly unknown[]): DatesSeen {
  const seen: DatesSeen = { newest: undefined, offsets: new Map() };
  const look = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) look(item);
    else if (isObject(value)) for (const item of Object.values(value)) look(item);
    else if (typeof value === 'string' && isUtcDate(value)) {
      if (seen.newest === undefined || value > seen.newest) seen.newest = value;
    } else if (typeof value === 'string') {
      const [, offset] = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.,]*\s*(Z|[+-]\d\d:?\d\d)$/i.exec(value) ?? [];
      if (offset !== undefined)
        seen.offsets.set(offset.toUpperCase(), (seen.offsets.get(offset.toUpperCase()) ?? 0) + 1);
    }
  };
  look(records);
  return seen;
}

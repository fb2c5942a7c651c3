import { wallClock } from './wall-clock.ts';

/** Whether a text is a day there is, such as `2026-11-01`. */
export function isDay(text: string): boolean {
  const midnight = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(text) : undefined;
  return midnight !== undefined && !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(text);
}

/** When a day begins in a zone, in milliseconds since the epoch; undefined for what is no day. */
export function beginningOfDay(day: string, timeZone: string): number | undefined {
  return isDay(day) ? wallClock(timeZone).firstMomentOf(Date.parse(day)) : undefined;
}

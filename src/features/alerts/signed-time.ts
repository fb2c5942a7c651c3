import { wallClock } from '../../time/wall-clock.ts';

/** How far a signed timestamp may be in the past or the future. */
const standardToleranceMs = 5 * 60_000;

/** Ten digits are seconds, thirteen are milliseconds. */
const counted = /^\d{10}(\d{3})?$/;
const written = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d{1,9})?)(?: ?(Z|UTC|[+-]\d\d:?\d\d))?$/;

/**
 * Whether a signed timestamp is close to `nowMs` (epoch milliseconds); undefined where it is not a time.
 *
 * Reads seconds or milliseconds since the epoch, and ISO text. A text without a zone is taken as UTC or as the account's
 * own time, because the public help names neither.
 *
 * @param timeZone the account's
 */
export function isTimely(
  timestamp: string,
  nowMs: number,
  timeZone: string,
  toleranceMs = standardToleranceMs,
): boolean | undefined {
  const readings = readingsOf(timestamp, nowMs, timeZone);
  return readings && readings.some((offMs) => Math.abs(offMs) <= toleranceMs);
}

/** How far each reading of the timestamp is from now. */
function readingsOf(timestamp: string, nowMs: number, timeZone: string): number[] | undefined {
  if (counted.test(timestamp)) return [Number(timestamp) * (timestamp.length === 13 ? 1 : 1000) - nowMs];
  const [, day, time, zone] = written.exec(timestamp) ?? [];
  const moment = Date.parse(`${day}T${time}${offsetOf(zone)}`);
  if (Number.isNaN(moment)) return undefined;
  // Comparing what the wall clock shows needs no rule for the hour that comes twice in autumn.
  return zone === undefined ? [moment - nowMs, moment - wallClock(timeZone).shownAt(nowMs)] : [moment - nowMs];
}

function offsetOf(zone: string | undefined): string {
  return zone === undefined || zone === 'UTC' ? 'Z' : zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2');
}

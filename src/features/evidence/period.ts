import { say } from '../../domain/said.ts';
import { momentInWords, readTime, type TimeSetting } from '../../operations/dates/typed-time.ts';
import { InvalidInputError } from '../../operations/errors.ts';
import { startOfNextDay } from '../../time/working-hours.ts';
import type { Period } from './facts.ts';

type Clock = Pick<TimeSetting, 'nowMs' | 'timeZone'>;

/**
 * The period of a pack as people type it: a day alone begins at midnight, and ends with its last moment. Without an end, it ends
 * now; without a beginning, it is twelve months. A time to come is now.
 *
 * @throws {InvalidInputError}
 */
export function readPeriod(typed: { since?: string | undefined; until?: string | undefined }, clock: Clock): Period {
  const end = typed.until === undefined ? undefined : readPast(typed.until, 'until', clock);
  const endMs = end === undefined ? clock.nowMs : end.isDay ? startOfNextDay(end.atMs, clock.timeZone) : end.atMs;
  const until = Math.min(endMs, clock.nowMs);
  const since =
    typed.since === undefined
      ? readPast('12 months ago', 'since', { ...clock, nowMs: until }).atMs
      : readPast(typed.since, 'since', clock).atMs;
  if (since >= until)
    throw new InvalidInputError(
      'since',
      say`The period would begin ${momentInWords(since, clock)} and end ${momentInWords(until, clock)}. Type it like since 2026-01-01 until 2026-06-30.`,
    );
  return { since, until };
}

function readPast(typed: string, field: string, clock: Clock): { atMs: number; isDay: boolean } {
  const time = readTime(typed, { ...clock, direction: 'past' });
  if (time === undefined)
    throw new InvalidInputError(
      field,
      say`“${typed}” isn’t a time I know. Type it like 2026-01-01, last month or 90d.`,
    );
  if (time.kind === 'problem') throw new InvalidInputError(field, `“${typed}”: ${time.message}`);
  return time;
}

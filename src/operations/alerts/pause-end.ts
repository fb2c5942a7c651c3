import { beginningOfDay } from '../../time/wall-clock.ts';
import { InvalidInputError, type TextInput } from '../operation.ts';

const unitsMs: Readonly<Record<string, number>> = { m: 60_000, h: 60 * 60_000, d: 24 * 60 * 60_000 };
const longestMs = 366 * 24 * 60 * 60_000;

/** `Fire safety for 2h`: which, and for how long. What is quoted is a name. */
export function parsePause(line: string): TextInput {
  const [, before = line, time] = /^(.*?)(?:^|\s+)((?:for\s+\d|until\s+\d|(?<=^\s*)(?:for|until)\b)[^"“”„«»]*)$/iu.exec(line) ?? [];
  return { subscription: [before.trim().replace(/^["“”„«](.*)["“”»]$/u, '$1').trim()], ...(time !== undefined && { time: [time] }) };
}

/**
 * When a pause ends, in milliseconds since the epoch: `for 2h`, or at the beginning of a day in the zone; null: not by itself.
 * @throws {InvalidInputError}
 */
export function readPauseEnd(typed: string | undefined, { nowMs, timeZone }: { nowMs: number; timeZone: string }): number | null {
  if (typed === undefined) return null;
  const [, amount, unit = ''] = /^(?:for\s+)?(\d{1,6})\s*([mhd])[a-z]*$/i.exec(typed.trim()) ?? [];
  const [, day] = /^(?:until\s+)?(\d{4}-\d\d-\d\d)$/i.exec(typed.trim()) ?? [];
  const end = day === undefined ? nowMs + Number(amount) * (unitsMs[unit.toLowerCase()] ?? NaN) : (beginningOfDay(day, timeZone) ?? NaN);
  if (Number.isNaN(end)) throw new InvalidInputError('time', `I cannot read “${typed}”: a pause is for 30m, for 2h, for 3d, or until 2026-12-01.`);
  if (end <= nowMs) throw new InvalidInputError('time', `“${typed}” is over already: a pause is for 30m, for 2h, for 3d, or until a day to come.`);
  if (end > nowMs + longestMs) throw new InvalidInputError('time', `“${typed}” is more than a year: leave it out, and alerts wait until somebody resumes them.`);
  return end;
}

import { say } from '../../../domain/said.ts';
import { parseTime } from '../../../operations/dates/time-expression.ts';
import { readTime } from '../../../operations/dates/typed-time.ts';
import { InvalidInputError } from '../../../operations/errors.ts';

const longestPauseMs = 366 * 24 * 60 * 60_000;
const examples = say`Pause for 30m, 2h or 3d, or until tomorrow, friday 8am or 1 dec.`;

/** Whether what follows “for” or “until” is no part of a name. What begins with a digit is a time, even if it cannot be read. */
export function isPause(text: string, word: string): boolean {
  return word !== 'for' || /^\d/.test(text) || parseTime(text.split(' '))?.kind === 'span';
}

/**
 * When a pause ends, in milliseconds since the epoch: `for 2h`, `until friday 8am`; null: not by itself.
 * @throws {InvalidInputError}
 */
export function readPauseEnd(
  typed: string | undefined,
  { nowMs, timeZone }: { nowMs: number; timeZone: string },
): number | null {
  if (typed === undefined) return null;
  const end = readTime(typed.trim().replace(/^(?:for|until)\s+/i, ''), { nowMs, timeZone, direction: 'future' });
  if (end === undefined) throw new InvalidInputError('time', say`“${typed}” isn’t a time I know. ${examples}`);
  if (end.kind === 'problem') throw new InvalidInputError('time', `“${typed}”: ${end.message}`);
  if (end.atMs <= nowMs) throw new InvalidInputError('time', say`“${typed}” is over already. ${examples}`);
  if (end.atMs > nowMs + longestPauseMs)
    throw new InvalidInputError(
      'time',
      say`“${typed}” is more than a year away. Leave the time out to pause until someone resumes.`,
    );
  return end.atMs;
}

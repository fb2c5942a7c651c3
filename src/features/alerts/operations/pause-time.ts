import { parseTime } from '../../../operations/dates/time-expression.ts';
import { readTime } from '../../../operations/dates/typed-time.ts';
import { InvalidInputError } from '../../../operations/errors.ts';
import type { TextInput } from '../../../operations/text-input.ts';
import { partsOf, unquote, type Token } from '../../../operations/typed-text.ts';

const longestPauseMs = 366 * 24 * 60 * 60_000;
const examples = 'Pause for 30m, 2h or 3d, or until tomorrow, friday 8am or 1 dec.';

/** Every way to read what is typed after `pause`, the likeliest first: “for” and “until” may be missing. */
export function parsePauseLine(line: string): [TextInput, ...TextInput[]] {
  const typed = parsePause(line);
  const words = partsOf(line);
  const at = words.findIndex(
    (_, index) =>
      words.slice(index).every(({ kind }) => kind === 'word') && parseTime(words.slice(index).map(({ text }) => text)),
  );
  if (typed['time'] !== undefined || at === -1) return [typed];
  const start = words[at]?.start ?? 0;
  return [typed, { subscription: [unquote(line.slice(0, start))], time: [line.slice(start).trim()] }];
}

/** Parts `Fire safety for 2h` into the alerts and the time. What is quoted belongs to a name. */
export function parsePause(line: string): TextInput {
  const parts = partsOf(line);
  const lastQuoted = parts.findLastIndex(({ kind }) => kind === 'quoted');
  const begin = parts.find(
    ({ kind, text }, index) =>
      index > lastQuoted &&
      kind === 'word' &&
      /^(for|until)$/i.test(text) &&
      (index === 0 || isPause(text, parts.slice(index + 1))),
  )?.start;
  return {
    subscription: [unquote(line.slice(0, begin))],
    ...(begin !== undefined && { time: [line.slice(begin).trim()] }),
  };
}

/** Whether “for” or “until” and what follows is no part of a name. What begins with a digit is a time, even if it cannot be read. */
function isPause(word: string, rest: readonly Token[]): boolean {
  const time = parseTime(rest.map(({ text }) => text));
  return /^\d/.test(rest[0]?.text ?? '') || (word.toLowerCase() === 'for' ? time?.kind === 'span' : time !== undefined);
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
  if (end === undefined) throw new InvalidInputError('time', `“${typed}” isn’t a time I know. ${examples}`);
  if (end.kind === 'problem') throw new InvalidInputError('time', `“${typed}”: ${end.message}`);
  if (end.atMs <= nowMs) throw new InvalidInputError('time', `“${typed}” is over already. ${examples}`);
  if (end.atMs > nowMs + longestPauseMs)
    throw new InvalidInputError(
      'time',
      `“${typed}” is more than a year away. Leave the time out to pause until someone resumes.`,
    );
  return end.atMs;
}

import { wordsFrom, tokenize, type Taken, type Token } from '../typed-text.ts';
import { parseTime, parseTimeOfDay } from './time-expression.ts';
import { knownTimeZone } from '../../time/wall-clock.ts';
import type { OperationContext } from '../context.ts';

/** Takes a time of day from tokens, `8:30 pm` or `8 Uhr`: also one that cannot be read, so that somebody can say so. */
export function takeTimeOfDay(tokens: readonly Token[], from: number): Taken | undefined {
  const words = wordsFrom(tokens, from, 3).map((word) => word.toLowerCase().replace(/,$/, ''));
  const [first = ''] = words;
  if (!/^(?:\d|noon$|midnight$)/.test(first)) return undefined;
  if (parseTimeOfDay(words.slice(0, 2).join(' ')) !== undefined && words.length > 1)
    return { texts: [words.slice(0, 2).join(' ')], end: from + 2 };
  for (let length = words.length; length > 0; length -= 1) {
    const time = inOtherLanguage(words.slice(0, length).join(' '));
    if (time !== undefined) return { texts: [time], end: from + length };
  }
  return { texts: [/^\d{1,2}$/.test(first) ? `${first}:00` : first], end: from + 1 };
}

/** `8 Uhr`, `8h30`, `8.30 uur` as English has it. */
function inOtherLanguage(typed: string): string | undefined {
  const [, hour, , minutes = '00'] =
    /^(\d{1,2})(?: ?(h|u|hs|uhr|uur)\.?)(?: ?(\d\d))?$/.exec(typed) ??
    /^(\d{1,2})()[:.](\d\d) ?(?:h|u|hs|uhr|uur)\.?$/.exec(typed) ??
    [];
  return hour === undefined ? undefined : `${hour}:${minutes}`;
}

/** Minutes since midnight, of a time of day in any language; undefined for what is none. */
export function readTimeOfDay(typed: string): number | undefined {
  const tokens = tokenize(typed);
  const taken = takeTimeOfDay(tokens, 0);
  const own = taken?.end === tokens.length ? parseTimeOfDay(taken.texts.join()) : undefined;
  if (own !== undefined) return own;
  const time = parseTime(typed.trim().split(/\s+/));
  return time?.kind === 'point' && time.day === undefined && time.zone === undefined ? time.minutes : undefined;
}

/** The zone in which a person’s “tomorrow” begins: theirs on the platform, or the configured one. */
export function zoneOf({ actor, timeZone }: Pick<OperationContext, 'actor' | 'timeZone'>): string {
  return knownTimeZone(actor.timeZone) ?? timeZone;
}

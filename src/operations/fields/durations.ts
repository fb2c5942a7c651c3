import { invalid, namesNothing, valueOf, type FieldBase, type FieldKind } from './field-kind.ts';

/** A list of times such as `7d, 1d`, in milliseconds, the longest first; `none` for an empty list. */
export interface DurationsField extends FieldBase {
  kind: 'durations';
  /** How many there can be; 1 for a single time. */
  atMost: number;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const longestMs = 366 * dayMs;
const unitMs: Readonly<Record<string, number>> = { h: hourMs, d: dayMs, w: 7 * dayMs };

export const durationsKind: FieldKind<DurationsField, number[]> = {
  ...namesNothing,
  split: (typed) => [typed],
  resolve(typed, { atMost }) {
    const texts = typed
      .flatMap((text) => text.split(/[,;]|\band\b/i))
      .map((text) => text.trim())
      .filter((text) => text !== '');
    if (texts.length === 1 && texts[0]?.toLowerCase() === 'none') return valueOf([]);
    if (texts.length > atMost)
      return invalid(
        atMost === 1
          ? 'Enter a single time, for example 1d.'
          : `You entered ${texts.length} times, and ${atMost} is the limit.`,
      );
    const durations: number[] = [];
    for (const text of texts) {
      const ms = parseDuration(text);
      if (ms === undefined)
        return invalid(
          `“${text}” isn’t a number of hours, days or weeks. Try ${atMost === 1 ? '1d or 12h' : '7d, 1d'}, or none.`,
        );
      if (ms > longestMs) return invalid(`“${text}” is more than a year.`);
      durations.push(ms);
    }
    return valueOf([...new Set(durations)].toSorted((a, b) => b - a));
  },
  identify: (durations) => (durations.length === 0 ? ['none'] : durations.map(shortDuration)),
  describe: (durations) => (durations.length === 0 ? 'none' : durations.map(durationWords).join(', ')),
};

/** `12h`, `7d`, `2 weeks`; undefined for any other text, and for nothing at all. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d{1,5}) ?(h|hrs?|hours?|d|days?|w|wks?|weeks?)$/i.exec(text.trim()) ?? [];
  const ms = Number(amount) * (unitMs[unit.charAt(0).toLowerCase()] ?? 0);
  return amount === undefined || ms === 0 ? undefined : ms;
}

/** As `parseDuration` reads it. */
function shortDuration(ms: number): string {
  return ms % dayMs === 0 ? `${ms / dayMs}d` : `${Math.round(ms / hourMs)}h`;
}

/** `7 days`, `1 hour`. */
export function durationWords(ms: number): string {
  const [count, unit] = ms % dayMs === 0 ? [ms / dayMs, 'day'] : [Math.round(ms / hourMs), 'hour'];
  return `${count.toLocaleString('en')} ${unit}${count === 1 ? '' : 's'}`;
}

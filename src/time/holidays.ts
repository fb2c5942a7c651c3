import { isDay, knownTimeZone } from './wall-clock.ts';
import { fault, right, type Diagnosis } from '../domain/diagnosis.ts';

/** Days without messages: `2026-12-25` for everyone, `Europe/Berlin:2026-10-03` for the people in a zone, as Intl writes it. */
export type Holidays = ReadonlySet<string>;

const separator = ':';

/** Intl takes long to tell how it writes a zone. There are some 600. */
const written = new Map<string, string>();

/** @param day in ISO format */
export function isHoliday(day: string, timeZone: string, holidays: Holidays): boolean {
  if (holidays.size === 0) return false;
  if (!written.has(timeZone)) written.set(timeZone, knownTimeZone(timeZone) ?? timeZone);
  return holidays.has(day) || holidays.has(`${written.get(timeZone)}${separator}${day}`);
}

/** Reads days as an operator writes them. `problems`: what is wrong with entries, a clause each. */
export function readHolidays(entries: readonly string[]): { holidays: Holidays; problems: string[] } {
  const holidays = new Set<string>();
  const problems: string[] = [];
  for (const entry of entries) {
    const [, zone, day = ''] = /^(?:(.*):)?(.*)$/.exec(entry)?.map((part: string | undefined) => part?.trim()) ?? [];
    const known = knownTimeZone(zone);
    if (!isDay(day)) problems.push(`${entry} names no day that exists`);
    else if (zone !== undefined && known === undefined) problems.push(`${entry} names no time zone that exists`);
    else holidays.add(known === undefined ? day : `${known}${separator}${day}`);
  }
  return { holidays, problems };
}

/** Says how many days are to come, and where; nothing without holidays. */
export function diagnoseHolidays(holidays: Holidays, nowMs: number): Diagnosis[] {
  if (holidays.size === 0) return [];
  const today = new Date(nowMs).toISOString().slice(0, 10);
  const coming = [...holidays]
    .map((entry) => ({ zone: entry.split(separator).at(-2), day: entry.split(separator).at(-1) ?? '' }))
    .filter(({ day }) => day >= today);
  if (coming.length === 0)
    return [
      fault(
        'HOLIDAYS has no day that is still to come, so campaigns write on every day from Monday to Friday: add the next days, or remove it',
      ),
    ];
  const counts = [...Map.groupBy(coming, ({ zone }) => zone)].map(
    ([zone, days]) => `${days.length} ${zone === undefined ? 'for everyone' : `in ${zone}`}`,
  );
  return [right(`HOLIDAYS: days to come on which campaigns write to nobody: ${counts.join(', ')}`)];
}

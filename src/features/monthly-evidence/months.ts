import type { Month } from '../../domain/evidence-order.ts';
import { wallClock } from '../../time/wall-clock.ts';
import { nextWorkingMoment, type Holidays } from '../../time/working-hours.ts';
import type { Period } from '../evidence/facts.ts';

/** The month that a clock shows at a moment (milliseconds since the epoch). */
export function monthAt(atMs: number, timeZone: string): Month {
  const shown = new Date(wallClock(timeZone).shownAt(atMs));
  return shown.getUTCFullYear() * 12 + shown.getUTCMonth();
}

export function periodOf(month: Month, timeZone: string): Period {
  return { since: startOf(month, timeZone), until: startOf(month + 1, timeZone) };
}

/** When the pack about a month is due: on the first working day of the next one, at 9. In milliseconds since the epoch. */
export function dueAfter(month: Month, timeZone: string, holidays: Holidays): number {
  return nextWorkingMoment(startOf(month + 1, timeZone), timeZone, holidays);
}

/** `2030-02`, for names of files. */
export function isoMonth(month: Month): string {
  return dateOf(month).toISOString().slice(0, 'yyyy-MM'.length);
}

function startOf(month: Month, timeZone: string): number {
  return wallClock(timeZone).firstMomentOf(dateOf(month).getTime());
}

function dateOf(month: Month): Date {
  return new Date(Date.UTC(Math.floor(month / 12), month % 12, 1));
}

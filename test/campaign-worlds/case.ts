import type { Fact } from './journal.ts';
import type { WorldPlan } from './plan.ts';

/** What a judge goes by. */
export interface Case {
  campaign: number;
  /** About the campaign, in the order of their times. */
  facts: readonly Fact[];
  /** When a message of any campaign came to a person. */
  toldAt: (who: number) => readonly number[];
  people: WorldPlan['people'];
  holidays: readonly string[];
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The clock of a zone: the date as yyyy-MM-dd, the weekday and the time. */
export function clockIn(at: number, timeZone: string): { day: string; weekday: string; time: string } {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    });
    formats.set(timeZone, format);
  }
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return {
    day: `${parts['year']}-${parts['month']}-${parts['day']}`,
    weekday: parts['weekday'] ?? '',
    time: `${parts['hour']}:${parts['minute']}:${parts['second']}`,
  };
}

export function dayOf(at: number, timeZone: string): string {
  return clockIn(at, timeZone).day;
}

export const shown = (at: number) => new Date(at).toISOString().slice(0, 19);

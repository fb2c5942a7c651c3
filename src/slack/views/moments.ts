import { formatInTimeZone } from 'date-fns-tz';
import type { Mrkdwn } from './mrkdwn.ts';

/** A moment that each reader sees in their own zone; `timeZone` is for those whose client cannot. */
export function moment(date: Date, timeZone: string): Mrkdwn {
  const unixS = Math.floor(date.getTime() / 1000);
  return { mrkdwn: `<!date^${unixS}^{date_short_pretty} {time}^${fallback(date, timeZone)}>` };
}

/** A day, likewise. */
export function day(date: Date, timeZone: string): Mrkdwn {
  const unixS = Math.floor(date.getTime() / 1000);
  return { mrkdwn: `<!date^${unixS}^{date_short_pretty}^${formatInTimeZone(date, timeZone, 'd MMM yyyy')}>` };
}

/** A moment where no reader’s own zone can be shown, such as in a table: `2026-11-01 14:05`. */
export function fixedMoment(date: Date, timeZone: string): string {
  return formatInTimeZone(date, timeZone, 'yyyy-MM-dd HH:mm');
}

function fallback(date: Date, timeZone: string): string {
  return formatInTimeZone(date, timeZone, 'd MMM yyyy, HH:mm zzz');
}

/** `3725` seconds as "1 h 2 min", `65` as "1 min 5 s". */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const units = [
    [Math.floor(whole / 3600), 'h'],
    [Math.floor(whole / 60) % 60, 'min'],
    [whole % 60, 's'],
  ] as const;
  const first = units.findIndex(([count]) => count > 0);
  if (first === -1) return '0 s';
  return units
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}

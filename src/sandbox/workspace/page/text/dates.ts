import { zoneOffsetMs } from '../../time-zones.ts';

/** Where dates are read. */
export interface Reader {
  /** Default: the browser's. */
  locale?: string;
  timeZone: string;
}

/** Formats Slack's date tokens: https://docs.slack.dev/messaging/formatting-message-text#date-formatting */
export function formatDate(seconds: number, format: string, now: Date, reader: Reader): string {
  const date = new Date(seconds * 1000);
  return format.replaceAll(/\{(\w+)\}/g, (whole, name: string) => tokens[name]?.(date, now, reader) ?? whole);
}

type Token = (date: Date, now: Date, reader: Reader) => string;

const using =
  (options: Intl.DateTimeFormatOptions): Token =>
  (date, _now, { locale, timeZone }) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone }).format(date);

const dateNum: Token = using({ year: 'numeric', month: '2-digit', day: '2-digit' });

/** Slack leaves out the year within six months. */
const withYear =
  (options: Intl.DateTimeFormatOptions): Token =>
  (date, now, reader) =>
    using(Math.abs(date.getTime() - now.getTime()) < 182 * 86_400_000 ? options : { ...options, year: 'numeric' })(
      date,
      now,
      reader,
    );

const date = withYear({ month: 'long', day: 'numeric' });
const dateShort = withYear({ month: 'short', day: 'numeric' });
const dateLong = withYear({ weekday: 'long', month: 'long', day: 'numeric' });

/** Replaces the date with "yesterday", "today" or "tomorrow" where it applies. */
const pretty =
  (plain: Token): Token =>
  (when, now, reader) => {
    const days = dayOf(when, reader.timeZone) - dayOf(now, reader.timeZone);
    return Math.abs(days) <= 1
      ? new Intl.RelativeTimeFormat(reader.locale, { numeric: 'auto' }).format(days, 'day')
      : plain(when, now, reader);
  };

/** The number of the day on a zone's calendar. */
export const dayOf = (when: Date, timeZone: string): number =>
  Math.floor((when.getTime() + zoneOffsetMs(timeZone, when.getTime())) / 86_400_000);

const tokens: Readonly<Record<string, Token>> = {
  date_num: dateNum,
  date_slash: dateNum,
  date,
  date_short: dateShort,
  date_long: dateLong,
  date_long_full: date,
  date_pretty: pretty(date),
  date_short_pretty: pretty(dateShort),
  date_long_pretty: pretty(dateLong),
  day_divider_pretty: pretty(dateLong),
  time: using({ hour: 'numeric', minute: '2-digit' }),
  time_secs: using({ hour: 'numeric', minute: '2-digit', second: '2-digit' }),
  ago: (when, now, { locale }) => ago(when, now, locale),
};

function ago(when: Date, now: Date, locale?: string): string {
  const minutes = Math.round((when.getTime() - now.getTime()) / 60_000);
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  if (Math.abs(minutes) < 60) return format.format(minutes, 'minute');
  return Math.abs(minutes) < 1440
    ? format.format(Math.round(minutes / 60), 'hour')
    : format.format(Math.round(minutes / 1440), 'day');
}

/** Converts a message timestamp to a date. */
export const momentOf = (ts: string): Date => new Date(Number(ts) * 1000);

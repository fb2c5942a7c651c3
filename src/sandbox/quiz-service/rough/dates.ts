const formats = new Map<string, Intl.DateTimeFormat>();

/** Rewrites a date of the service, which is in UTC, in another zone: `yyyy-MM-dd hh:mm:ss`. */
export function inZone(utcText: string, zone: string): string {
  return zone === 'UTC' ? utcText : format(zone).format(readUtc(utcText)).replace(',', '');
}

/** The offset of the zone at a date of the service, such as `-07:00`. */
export function offsetAt(utcText: string, zone: string): string {
  const minutes = (readUtc(inZone(utcText, zone)) - readUtc(utcText)) / 60_000;
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? '-' : '+'}${twoDigits(hours)}:${twoDigits(rest)}`;
}

/** Whether a value is a date of the service. The year 1 stands for no date. */
export function isDateText(value: unknown): value is string {
  return typeof value === 'string' && /^(?!0001)\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value);
}

function readUtc(text: string): number {
  return Date.parse(`${text.replace(' ', 'T')}Z`);
}

/** Swedish writes dates as the service does. */
function format(zone: string): Intl.DateTimeFormat {
  let found = formats.get(zone);
  if (!found) {
    found = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
    formats.set(zone, found);
  }
  return found;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}

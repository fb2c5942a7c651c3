// The languages and time zones of people. The page uses them, too.

/** The language of Slack for people who changed nothing in their preferences. */
export const usualLocale = 'en-US';

/** The languages of Slack that the page offers, with their names. The bot does not speak the last one. */
export const locales = {
  'en-US': 'English (US)',
  'en-GB': 'English (UK)',
  'de-DE': 'Deutsch',
  'fr-FR': 'Français',
  'es-ES': 'Español',
  'nl-NL': 'Nederlands',
  'pl-PL': 'Polski',
  'it-IT': 'Italiano',
} as const;

const dayMs = 24 * 60 * 60_000;

/** How far a time zone is ahead of UTC at a moment, in milliseconds. @param atMs milliseconds since 1970 */
export function zoneOffsetMs(timeZone: string, atMs: number): number {
  return offsetMs(clockOf(timeZone), atMs);
}

/** The same for many people: making the clock of a zone takes six times as long as reading it. */
export function createZoneOffsets(): typeof zoneOffsetMs {
  const clocks = new Map<string, Intl.DateTimeFormat>();
  return (timeZone, atMs) => {
    const clock = clocks.get(timeZone) ?? clockOf(timeZone);
    clocks.set(timeZone, clock);
    return offsetMs(clock, atMs);
  };
}

function clockOf(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
}

function offsetMs(clock: Intl.DateTimeFormat, atMs: number): number {
  const parts = Object.fromEntries(clock.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(atMs / 1000) * 1000;
}

/** The moment at which the clocks of a zone show a date and time, in milliseconds since 1970. @param wallMs that time, as if in UTC */
export function fromWallTime(timeZone: string, wallMs: number): number {
  const guessMs = wallMs - zoneOffsetMs(timeZone, wallMs);
  return wallMs - zoneOffsetMs(timeZone, guessMs);
}

/** The present or else the next stretch of time that repeats every day in a zone. @param hours HH:mm; `to` may be on the next day */
export function dailyStretch(
  hours: { from: string; to: string },
  timeZone: string,
  atMs: number,
): { fromMs: number; toMs: number } {
  const wallMs = atMs + zoneOffsetMs(timeZone, atMs);
  const midnightMs = Math.floor(wallMs / dayMs) * dayMs;
  const [fromMs, toMs] = [minutesOf(hours.from) * 60_000, minutesOf(hours.to) * 60_000];
  const lengthMs = toMs > fromMs ? toMs - fromMs : toMs - fromMs + dayMs;
  const candidates = [-1, 0, 1].map((day) => midnightMs + day * dayMs + fromMs);
  const beginMs = candidates.find((candidateMs) => candidateMs + lengthMs > wallMs) ?? midnightMs + dayMs + fromMs;
  return { fromMs: fromWallTime(timeZone, beginMs), toMs: fromWallTime(timeZone, beginMs + lengthMs) };
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

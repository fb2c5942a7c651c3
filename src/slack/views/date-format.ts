/** Zones a bot meets: its own, and those of subscriptions. */
const keptAtMost = 50;

const made = new WeakMap<Intl.DateTimeFormatOptions, Map<string, Intl.DateTimeFormat>>();

/**
 * The format of a zone, made once for the same `options`: to make one takes a hundred times as long as to use it, and
 * some 10 KiB outside of the heap, where no collector is in a hurry.
 */
export function dateFormat(locale: string, options: Intl.DateTimeFormatOptions, timeZone: string): Intl.DateTimeFormat {
  const ofZones = made.get(options) ?? new Map<string, Intl.DateTimeFormat>();
  made.set(options, ofZones);
  const key = `${locale} ${timeZone}`;
  const known = ofZones.get(key);
  if (known) return known;
  if (ofZones.size >= keptAtMost) ofZones.clear();
  const format = new Intl.DateTimeFormat(locale, { ...options, timeZone });
  ofZones.set(key, format);
  return format;
}

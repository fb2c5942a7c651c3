/** More zones than a bot usually meets: its own, and those of its subscriptions. */
const zonesAtMost = 50;

const formats = new WeakMap<Intl.DateTimeFormatOptions, Map<string, Intl.DateTimeFormat>>();

/**
 * Returns the format of a zone, created once for the same `options` object. Creating a format takes a hundred times as
 * long as using it, and some 10 KiB outside the heap, which the garbage collector does not see.
 */
export function dateFormat(locale: string, options: Intl.DateTimeFormatOptions, timeZone: string): Intl.DateTimeFormat {
  const ofZones = formats.get(options) ?? new Map<string, Intl.DateTimeFormat>();
  formats.set(options, ofZones);
  const key = `${locale} ${timeZone}`;
  const known = ofZones.get(key);
  if (known) return known;
  if (ofZones.size >= zonesAtMost) ofZones.clear();
  const format = new Intl.DateTimeFormat(locale, { ...options, timeZone });
  ofZones.set(key, format);
  return format;
}

/** FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE: https://www.unicode.org/reports/tr9/#Explicit_Directional_Isolates */
const [open, close] = ['\u2068', '\u2069'];

/** The blocks of scripts that are written from right to left, and RIGHT-TO-LEFT MARK. */
const rightToLeft =
  /[\u0590-\u08FF\u200F\uFB1D-\uFDCF\uFDF0-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;
const isolates = /\u2068[^\u2068\u2069]*\u2069/gu;

/**
 * A name that is shown beside other text: one that holds right-to-left letters is isolated, so that it doesn’t reorder the
 * numbers and names around it. Only for what people look at, never for what is stored, sent to the service or matched.
 */
export function isolated(text: string): string {
  if (!rightToLeft.test(text.replaceAll(isolates, ''))) return text;
  // An isolate ends with its line.
  return text
    .split('\n')
    .map((line) => (rightToLeft.test(line) ? `${open}${line}${close}` : line))
    .join('\n');
}

/** The text without isolates, for what isn’t shown. */
export function withoutIsolates(text: string): string {
  return text.replaceAll(/[\u2066-\u2069]/gu, '');
}

/** Closes the isolates that are open at the end of a text that was cut. */
export function closeIsolates(text: string): string {
  const opened = text.split(open).length - text.split(close).length;
  return opened > 0 ? text + close.repeat(opened) : text;
}

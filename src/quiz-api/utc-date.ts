const writtenUtcDate = /^[1-9]\d{3}-(?:0[1-9]|1[0-2])-\d\d (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/;

/** Whether a text is a real moment of the form `yyyy-MM-dd hh:mm:ss`, on a 24-hour clock. */
export function isUtcDate(text: string): boolean {
  if (!writtenUtcDate.test(text)) return false;
  const day = twoDigits(text, 8);
  return day >= 1 && (day <= 28 || dateOf(text).getUTCDate() === day);
}

/** The moment, in UTC, of a text for which `isUtcDate` holds. */
export function dateOf(text: string): Date {
  return new Date(Date.UTC(
    twoDigits(text, 0) * 100 + twoDigits(text, 2),
    twoDigits(text, 5) - 1,
    twoDigits(text, 8),
    twoDigits(text, 11),
    twoDigits(text, 14),
    twoDigits(text, 17),
  ));
}

function twoDigits(text: string, at: number): number {
  return (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48;
}

const weekday = '(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)';
const month = '(?:january|february|march|april|may|june|july|august|september|october|november|december)';
const period = '(?:week|month|year)';
const day = `(?:today|tomorrow|day after tomorrow|${weekday}|${month}|\\d{4})`;

/** English words of a date that stand as another language has them, and what English says. */
const orders: readonly (readonly [pattern: RegExp, english: string])[] = [
  [/\bo’clock\b/g, 'oclock'],
  // “week last”
  [new RegExp(`\\b(${period}) (next|last|this)\\b`, 'g'), '$2 $1'],
  [new RegExp(`\\b(next|this) week (?:on |of )?(${weekday})\\b`, 'g'), '$1 $2'],
  [new RegExp(`\\b(${weekday}) (?:on |of |in )?(next|this) week\\b`, 'g'), '$2 $1'],
  // “friday next”
  [new RegExp(`\\b(${weekday}) (next|last|this)\\b`, 'g'), '$2 $1'],
  [/^(?:by )?ago (.+)$/, '$1 ago'],
  [/^(\d+) last (\w+)$/, 'last $1 $2'],
  [new RegExp(`\\bin (week|month|year|day|hour)\\b`), 'in 1 $1'],
  [/^(minute|hour|day|week|month|year) ago$/, '1 $1 ago'],
  // How much longer: “um 2 Wochen”, “o tydzień”
  [/^at (?=\d+ (?:day|week|month|year)$)/, ''],
  [/^at (day|week|month|year)$/, '1 $1'],
  [/\bend (?=week|month|year|next|this|last)/, 'end of '],
  [new RegExp(`\\b(\\d{4}) year$`), '$1'],
  [/\bof year (?=\d)/, ''],
  [/\bthis (evening|night|afternoon|morning)\b/, 'today $1'],
  [/\b(?:of|at) (night|evening|morning|afternoon|noon|midnight)\b/, '$1'],
  [/\bat at\b/, 'at'],
  [/\b(\d{1,2})(?::(\d\d))? oclock\b/, 'at $1:$2'],
  [/\bat at\b/, 'at'],
  [/\bat (\d{1,2})\.(\d\d)\b/, 'at $1:$2'],
  // “demain 9 h”, but not “dans 9 h”
  [new RegExp(`(${day},?) (\\d{1,2}) hour$`), '$1 at $2:'],
  [/\bat (\d{1,2})(?: hour)?(?![\d:.])/, 'at $1:'],
  [/\bat (\d{1,2}):(?!\d)/, 'at $1:00'],
  // “tomorrow morning at 9”, “tomorrow evening at 8”
  [/\b(?:morning|afternoon|evening|night) (at (?:1[2-9]|2\d):\d\d)$/, '$1'],
  [/\b(morning|afternoon|evening|night) (at \d{1,2}:\d\d)$/, '$2 $1'],
  [/\bat ([1-9]|1[01]):(\d\d) (?:of )?morning\b/, 'at $1:$2 am'],
  [/\bat ([1-9]|1[01]):(\d\d) (?:of )?(?:afternoon|evening|night)\b/, 'at $1:$2 pm'],
];

/** “friday next at 9” as “next friday at 9:00”, “ago 3 days” as “3 days ago”. */
export function inEnglishOrder(text: string): string {
  return orders.reduce((words, [pattern, english]) => words.replace(pattern, english), text);
}

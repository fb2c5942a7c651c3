import { dayMs } from '../../domain/durations.ts';
import { plainName } from '../../directory/names.ts';
import { once } from '../../domain/said.ts';
import { otherLanguages } from '../other-words/meanings.ts';
import { type DateWord, type OtherLanguage, plainForms, plainPhrases } from '../other-words/other-words.ts';

/**
 * Dates in other languages, in English words: those of `other-words/`, and the names of months and weekdays that Intl has.
 *
 * chrono-node 2.10.3 was looked at for this and turned down: it knows no end of a month, and no weeks in Spanish;
 * it takes 3/4 for a day where this bot asks, finds dates within names, and has 9 MB.
 */

/** January 1970 began on a Thursday. */
const someMonday = Date.UTC(1970, 0, 5);

/** For a language, its words of dates and the English for them. */
interface Dictionary {
  english: ReadonlyMap<string, string>;
  /** The months: behind a day, “sept” is one, and no number. */
  months: ReadonlyMap<string, string>;
  /** The words with which one of these begins. */
  beginnings: ReadonlySet<string>;
  /** Forms of months that only a day stands before: “3 maja”. Alone, they may be names. */
  ofDays: ReadonlySet<string>;
  wordsAtMost: number;
}

/** What English has for them, where that is another word. */
const spoken: Readonly<Partial<Record<DateWord, string>>> = {
  skip: '%',
  ...Object.fromEntries(
    ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'].map(
      (word, index) => [word, String(index + 1)],
    ),
  ),
};

/** Made when a date is first read: it takes as long as loading a hundred modules. */
const dictionaries = once(() => otherLanguages.map(dictionaryOf));

function dictionaryOf({ language, dates }: OtherLanguage): Dictionary {
  const own = (Object.entries(dates) as [DateWord, string][]).flatMap(([word, list]) =>
    plainPhrases(list, language).map((phrase): [string, string] => [phrase, spoken[word] ?? word]),
  );
  const alone = [...namesOf(language, { month: 'long' }), ...namesOf(language, { month: 'short' })];
  const withDay = [
    ...namesOf(language, { month: 'short', day: 'numeric', weekday: 'short' }),
    ...namesOf(language, { month: 'long', day: 'numeric' }),
  ];
  const weekdays = [...namesOf(language, { weekday: 'long' }), ...namesOf(language, { weekday: 'short' })];
  const english = new Map([...withDay, ...alone, ...weekdays, ...own]);
  const known = new Set(alone.map(([name]) => name));
  return {
    english,
    months: new Map([...withDay, ...alone]),
    beginnings: new Set([...english.keys()].map((phrase) => phrase.split(' ', 1).join())),
    ofDays: new Set(withDay.map(([name]) => name).filter((name) => !known.has(name))),
    wordsAtMost: Math.max(...[...english.keys()].map((phrase) => phrase.split(' ').length)),
  };
}

/** What stands before hours that last, and before hours of the clock: both, in French. */
const beforeSpans: ReadonlySet<string> = new Set(
  'for in within pour pendant durant dans sous por durante en dentro de fur voor gedurende over binnen na przez za w ciagu'.split(
    ' ',
  ),
);
const beforeClocks = once(
  () =>
    new Set([
      'until',
      'till',
      'by',
      'at',
      'due',
      'before',
      ...otherLanguages.flatMap(({ language, dates, typed }) =>
        [dates.by, dates.at, typed.until, typed.due].flatMap((list = '') => plainPhrases(list, language)),
      ),
    ]),
);

/**
 * Hours as `1h30` and `18 uur` have them: what stands before them tells a time of day from a span. Undefined for other texts, and for
 * `2h` and `2 uur` alone, which are spans.
 */
export function readHours(text: string): { means: 'clock' | 'span' | 'either'; minutes: number } | undefined {
  const [, before = '', hours, unit, typed, unitOfMinutes] =
    /^(?:(.*?) )?(\d{1,3}) ?(h|hs|u|uur|uren|godz)\.?(?: ?(\d\d))?(?: ?(m|min|mn)\.?)?$/.exec(plainName(text)) ?? [];
  if (hours === undefined || (typed === undefined && unitOfMinutes !== undefined)) return undefined;
  const minutes = 60 * Number(hours) + Number(typed ?? 0);
  const word = before.replace(/ (?:las?|los|el|les?|de|het)$/, '');
  if (unit === 'uren' || unitOfMinutes !== undefined || beforeSpans.has(word)) return { means: 'span', minutes };
  if (beforeClocks().has(word)) return { means: 'clock', minutes };
  if (word !== '' || typed === undefined) return undefined;
  return { means: 'either', minutes };
}

/** The names of the months or weekdays in a language, with the English ones. */
function namesOf(language: OtherLanguage['language'], style: Intl.DateTimeFormatOptions): [string, string][] {
  const what = style.month === undefined ? 'weekday' : 'month';
  const days = Array.from({ length: what === 'month' ? 12 : 7 }, (_, index) =>
    what === 'month' ? Date.UTC(1970, index, 15) : someMonday + index * dayMs,
  );
  const ownFormat = new Intl.DateTimeFormat(language, { ...style, timeZone: 'UTC' });
  const englishFormat = new Intl.DateTimeFormat('en', { [what]: 'long', timeZone: 'UTC' });
  return days.flatMap((day) => {
    const name = ownFormat.formatToParts(day).find(({ type }) => type === what)?.value ?? '';
    const english = englishFormat.format(day).toLowerCase();
    return plainForms(name, language).map((form): [string, string] => [form.replace(/\.$/, ''), english]);
  });
}

/** A date in another language, in English words; once for each language of which it has nothing but words. */
export function inOtherLanguages(text: string): string[] {
  const plain = plainName(text)
    .replaceAll(/\b([ld]')\s*|\bmi-(?=\w)/g, (found) => `${found.replace(/[\s-]/g, '')} `)
    // “1er mai”, “3º de mayo”, “3e”
    .replaceAll(/\b(\d{1,2})-?(?:er|o|a|e|ste|de|go|ego)(?= |$)/g, '$1')
    // “9h30”, “9 h 30”, “9u30”, “9 Uhr 30”
    .replaceAll(/\b(\d{1,2}) ?(?:h|u|uhr) ?(\d\d)\b/g, '$1:$2')
    .replaceAll(/\b(\d{1,2})(h|u|uhr)\b/g, '$1 $2')
    .replaceAll(/\b(\d{1,2})[.:](\d\d) (?:uhr|uur|u|h|hs|horas)\b/g, '$1:$2');
  const typed = plain.split(' ');
  return dictionaries()
    .flatMap((dictionary) => translated(typed, dictionary) ?? [])
    .map(inEnglishOrder);
}

function translated(typed: readonly string[], dictionary: Dictionary): string | undefined {
  const english: string[] = [];
  for (let at = 0; at < typed.length;) {
    const word = typed[at] ?? '';
    const isAfterDay = /^\d{1,2}\.?$/.test(english.at(-1) ?? '');
    const month = isAfterDay ? dictionary.months.get(bare(word)) : undefined;
    const phrase = month === undefined ? phraseAt(typed, at, dictionary) : { english: month, length: 1 };
    if (phrase && !(dictionary.ofDays.has(bare(word)) && !/^(?:\d|end|mid|beginning|of)/.test(english.at(-1) ?? '')))
      english.push(phrase.english);
    else if (/^\d/.test(word)) english.push(word);
    else return undefined;
    at += phrase?.length ?? 1;
  }
  // An article begins the next word; at the end, it belongs to a name.
  return english.at(-1) === '%' ? undefined : english.filter((word) => word !== '%' && word !== '').join(' ');
}

/** The longest words at an index that the dictionary knows. */
function phraseAt(
  typed: readonly string[],
  at: number,
  { english, beginnings, wordsAtMost }: Dictionary,
): { english: string; length: number } | undefined {
  if (!beginnings.has(bare(typed[at] ?? ''))) return undefined;
  for (let length = wordsAtMost; length > 0; length -= 1) {
    const inEnglish = english.get(bare(typed.slice(at, at + length).join(' ')));
    if (inEnglish !== undefined && at + length <= typed.length) return { english: inEnglish, length };
  }
  return undefined;
}

/** Without what stands behind it, as in “Mi., 18. Nov.” */
function bare(phrase: string): string {
  return phrase.replace(/[.,]+$/, '');
}

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
  // “vor Freitag”, but not “vor 3 Tagen”
  [new RegExp(`^ago (?=(?:\\d{1,2}\\.? )?(?:tomorrow|(?:next )?${weekday}|${month})\\b)`), 'by '],
  [/^(?:by )?ago (.+)$/, '$1 ago'],
  [/^(\d+) last (\w+)$/, 'last $1 $2'],
  [new RegExp(`\\bin (week|month|year|day|hour)\\b`), 'in 1 $1'],
  [/^(minute|hour|day|week|month|year) ago$/, '1 $1 ago'],
  // How much longer: “um 2 Wochen”, “d’un mois”, “o tydzień”
  [/^(?:at|of) (?=\d+ (?:day|week|month|year)$)/, ''],
  [/^at (day|week|month|year)$/, '1 $1'],
  [/\bend (?=week|month|year|next|this|last)/, 'end of '],
  [/^(?:by |until )+(?=(?:end|mid|beginning)\b)/, ''],
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
function inEnglishOrder(text: string): string {
  return orders.reduce((words, [pattern, english]) => words.replace(pattern, english), text);
}

import { type Phrases, englishOf, type Node } from './render.ts';
import { IntlMessageFormat } from 'intl-messageformat';
import { locales, type Formality, type Language } from './languages.ts';

/**
 * What is written otherwise in a language. A sentence that the catalogue lacks stays as it is in English. One that begins with a
 * capital letter is also found without it.
 *
 * Translations are ICU messages (https://unicode-org.github.io/icu/userguide/format_parse/messages/): `{0}` is the first part of
 * the English sentence as it is read in the language, `{n0}` its number for `plural`, `{w0}` its English words for `select`, and
 * `{formality}` is `formal` or `informal`.
 *
 * @param catalogue translations by the English sentence with `{0}`, `{1}` for its parts
 * @param onMissing is called with what the catalogue lacks
 */
export function createPhrases(
  language: Language,
  {
    catalogue,
    formality,
    onMissing,
  }: { catalogue: ReadonlyMap<string, string>; formality: Formality; onMissing?: (key: string) => void },
): Phrases {
  const locale = locales[language];
  const formats = new Map<string, Format>();
  const lists = new Map<string, Intl.ListFormat>();
  const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const plainNumbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 1, useGrouping: false });
  const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });

  return {
    sentence(key, own, parts) {
      const found = formatOf(key, own);
      const inLowerCase = found === undefined ? formatOf(withFirst(key, 'toLowerCase'), own) : undefined;
      const format = found ?? inLowerCase;
      if (format === undefined) {
        onMissing?.(key);
        return undefined;
      }
      const values: Record<string, string | number> = { formality };
      for (const [index, { written, english, nodes }] of parts.entries()) {
        // After “8. Dez.”, the sentence has no other full stop.
        values[index] = written.endsWith('.') && format.isLast(index) ? written.slice(0, -1) : written;
        values[`w${index}`] = english.trim();
        values[`n${index}`] = numberIn(nodes) ?? 0;
      }
      const translation = String(format.message.format(values));
      return inLowerCase ? withFirst(translation, 'toUpperCase') : translation;
    },
    number(english) {
      const value = valueOf(english);
      if (value === undefined) return english;
      if (english.endsWith('%')) return percents.format(value / 100);
      if (/[a-z]$/.test(english)) return ordinals[language](numbers.format(value), value);
      return (english.includes(',') || value < 1000 ? numbers : plainNumbers).format(value);
    },
    list(items, type) {
      const format = lists.get(type) ?? new Intl.ListFormat(locale, { type });
      lists.set(type, format);
      return format.format(items);
    },
    locale,
    quotes: quotes[language],
    // “Yesterday” is no noun, and most languages say “on” before a date.
    day: '{date_short}',
    weekday: '{date_long}',
    time: times[language] ?? ' {time}',
  };

  /** @param own writes the bot’s own words for the place */
  function formatOf(key: string, own: (words: string) => string): Format | undefined {
    const translation = catalogue.get(key);
    if (translation === undefined || translation === '') return undefined;
    const written = own(translation);
    const format = formats.get(written) ?? {
      message: new IntlMessageFormat(written, locale, undefined, { ignoreTag: true }),
      isLast: (index) => new RegExp(String.raw`\{${index}\}\.(?!\S)`).test(written),
    };
    formats.set(written, format);
    return format;
  }
}

/** `isLast`: whether a part ends a sentence. */
interface Format {
  message: IntlMessageFormat;
  isLast: (index: number) => boolean;
}

/** The first number in a part. */
function numberIn(nodes: readonly Node[]): number | undefined {
  for (const node of nodes) {
    if (typeof node === 'string') continue;
    const found = node.kind === 'number' ? valueOf(englishOf(node.children)) : numberIn(node.children);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What is written as `1,234`, `71.4%`, `2nd` or `−3`. */
function valueOf(english: string): number | undefined {
  const [, sign = '', digits] = /^([-−]?)([\d,]*\.?\d+)(?:%|st|nd|rd|th)?$/.exec(english) ?? [];
  return digits === undefined ? undefined : Number(digits.replaceAll(',', '')) * (sign === '' ? 1 : -1);
}

const ordinals: Readonly<Record<Language, (number: string, value: number) => string>> = {
  en: (number) => number,
  de: (number) => `${number}.`,
  fr: (number, value) => (value === 1 ? `${number}er` : `${number}e`),
  es: (number) => `${number}.º`,
  nl: (number) => `${number}e`,
  pl: (number) => `${number}.`,
};

/** The text with its first letter as a sentence begins or goes on. */
function withFirst(text: string, change: 'toLowerCase' | 'toUpperCase'): string {
  return text.replace(/\p{L}/u, (letter) => letter[change]());
}

/** How the time follows a day. */
const times: Readonly<Partial<Record<Language, string>>> = { de: ', {time} Uhr', fr: ' à {time}' };

/** Where a name stands in quotation marks, it is a part of its own: these are the language’s. */
const quotes: Readonly<Record<Language, readonly [string, string]>> = {
  en: ['“', '”'],
  de: ['„', '“'],
  fr: ['«\u00A0', '\u00A0»'],
  es: ['«', '»'],
  nl: ['“', '”'],
  pl: ['„', '”'],
};

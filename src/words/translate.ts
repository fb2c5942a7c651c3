import { IntlMessageFormat } from 'intl-messageformat';
import { hiddenLetters, isSaid, readMarkedDate, marks } from '../domain/said.ts';
import { mark } from '../domain/own-names.ts';
import { dateForms } from '../time/date-words.ts';
import { dateFormat } from '../time/wall-clock.ts';
import { locales, type Formality, type Language } from './languages.ts';
import type { Translate } from './to-english.ts';

/**
 * Makes what puts sentences into a language. A sentence that the catalogue lacks stays as it is in English.
 * One that begins with a capital letter is also found without it.
 *
 * Translations are ICU messages (https://unicode-org.github.io/icu/userguide/format_parse/messages/): `{0}` is the first part of
 * the English sentence as it is read in the language, `{n0}` its number for `plural`, `{w0}` its English words for `select`, and
 * `{formality}` is `formal` or `informal`.
 *
 * @param catalogue translations by the English sentence with `{0}`, `{1}` for its parts
 * @param onMissing is called with what the catalogue lacks
 */
export function createTranslate(
  language: Language,
  {
    catalogue,
    formality,
    onMissing,
  }: { catalogue: ReadonlyMap<string, string>; formality: Formality; onMissing?: (key: string) => void },
): Translate {
  const locale = locales[language];
  const formats = new Map<string, IntlMessageFormat>();
  const lists = new Map<string, Intl.ListFormat>();
  const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const plainNumbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 1, useGrouping: false });
  const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });

  return (said) => withDates(isSaid(said) ? render(parseSaid(said)) : said);

  function render(nodes: readonly Node[]): string {
    return nodes.map((node) => (typeof node === 'string' ? node : renderNode(node))).join('');
  }

  function renderNode(node: MarkedNode): string {
    switch (node.kind) {
      case 'sentence':
      case 'count':
        return sentence(node);
      case 'number':
        return number(englishOf(node.children));
      case 'list':
        return list(node);
      case 'date':
        return date(node);
      case 'person':
        return withQuotes(render(node.children).replace(hiddenLetters, ''));
      case 'part':
        return withQuotes(render(node.children));
    }
  }

  function withQuotes(part: string): string {
    return part.replace(/^“([^“”]*)”$/, (_, name: string) => quotes[language].join(name));
  }

  function sentence(node: MarkedNode): string {
    const key = keyOf(node).replaceAll(mark, '');
    const found = formatOf(key) ?? formatOf(unescaped(key));
    const inLowerCase = found === undefined ? formatOf(withFirst(key, 'toLowerCase')) : undefined;
    const format = found ?? inLowerCase;
    if (format === undefined) {
      onMissing?.(key);
      return englishOf([node]);
    }
    const values: Record<string, string | number> = { formality };
    for (const [index, part] of partsOf(node).entries()) {
      values[index] = withQuotes(render(part));
      values[`w${index}`] = englishOf(part).trim();
      values[`n${index}`] = numberIn(part) ?? 0;
    }
    const translation = String(format.format(values));
    return inLowerCase ? withFirst(translation, 'toUpperCase') : translation;
  }

  function formatOf(key: string): IntlMessageFormat | undefined {
    const known = formats.get(key);
    if (known) return known;
    const translation = catalogue.get(key);
    if (translation === undefined || translation === '') return undefined;
    const format = new IntlMessageFormat(translation, locale, undefined, { ignoreTag: true });
    formats.set(key, format);
    return format;
  }

  function number(english: string): string {
    const value = valueOf(english);
    if (value === undefined) return english;
    if (english.endsWith('%')) return percents.format(value / 100);
    if (/[a-z]$/.test(english)) return ordinals[language](numbers.format(value), value);
    return (english.includes(',') || value < 1000 ? numbers : plainNumbers).format(value);
  }

  function list({ children }: MarkedNode): string {
    const items = children.flatMap((node) => (typeof node === 'object' ? [render(node.children)] : []));
    const type = children.some((node) => node === ' or ') ? 'disjunction' : 'conjunction';
    const format = lists.get(type) ?? new Intl.ListFormat(locale, { type });
    lists.set(type, format);
    return format.format(items);
  }

  function date(node: MarkedNode): string {
    const [text = ''] = node.children;
    const source = typeof text === 'string' ? readMarkedDate(text) : undefined;
    const form = Object.entries(dateForms).find(([name]) => name === source?.form)?.[1];
    return source === undefined || form === undefined
      ? englishOf([node])
      : dateFormat(locale, form, source.zone).format(source.atMs);
  }
}

/** Days by their dates: “yesterday” is no noun, and most languages say “on” before a date. */
function withDates(text: string): string {
  return text.replaceAll('{date_short_pretty}', '{date_short}');
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

/** Where a name stands in quotation marks, it is a part of its own: these are the language’s. */
const quotes: Readonly<Record<Language, readonly [string, string]>> = {
  en: ['“', '”'],
  de: ['„', '“'],
  fr: ['«\u00A0', '\u00A0»'],
  es: ['«', '»'],
  nl: ['“', '”'],
  pl: ['„', '”'],
};

/** Markup has three characters escaped. */
function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** A part of what the bot says: text, or what is between marks. */
export type Node = string | MarkedNode;

interface MarkedNode {
  kind: keyof typeof marks;
  children: Node[];
}

const openings = new Map(
  Object.entries(marks).map(([kind, [opening]]) => [opening as string, kind as keyof typeof marks]),
);
const closings: ReadonlySet<string> = new Set(Object.values(marks).map(([, closing]) => closing));

/** What was said as a tree. Marks without their counterpart, as in a text that was cut, are left out. */
export function parseSaid(text: string): Node[] {
  const tokens = text.split(/([\uFDD0-\uFDDD])/);
  let at = 0;

  function readUntil(closing: string | undefined): Node[] {
    const nodes: Node[] = [];
    while (at < tokens.length) {
      const token = tokens[at++] ?? '';
      const kind = openings.get(token);
      if (kind !== undefined) nodes.push({ kind, children: readUntil(marks[kind][1]) });
      else if (token === closing) return nodes;
      else if (!closings.has(token) && token !== '') nodes.push(token);
    }
    return nodes;
  }

  return readUntil(undefined);
}

/** The words of nodes as they are read in English. What stands hidden before the words of a date or a person isn’t read. */
function englishOf(nodes: readonly Node[]): string {
  return nodes
    .map((node) => {
      if (typeof node === 'string') return node;
      const words = englishOf(node.children);
      return node.kind === 'date' || node.kind === 'person' ? words.replace(hiddenLetters, '') : words;
    })
    .join('');
}

/** The parts of a sentence that were put into it, in order. */
function partsOf(sentence: MarkedNode): Node[][] {
  return sentence.children.flatMap((node) => (typeof node === 'object' && node.kind === 'part' ? [node.children] : []));
}

/** A sentence with `{0}`, `{1}` and so on for its parts, or something counted with `#` for the number: what catalogues call it. */
function keyOf(sentence: MarkedNode): string {
  let index = 0;
  return sentence.children
    .map((node) =>
      typeof node === 'object' && node.kind === 'part'
        ? sentence.kind === 'count'
          ? '#'
          : `{${index++}}`
        : englishOf([node]),
    )
    .join('');
}

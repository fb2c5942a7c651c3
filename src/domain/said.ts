import type { Texts } from './note.ts';

/** Makes a value when it is first asked for, and keeps it: for what takes long to make and is not needed at the start. */
export function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

/**
 * What the bot says is English text that knows which sentence it is: marks that nothing shows stand around a sentence and around
 * what was put into it. So it can be kept, joined and sent like any text, and is put into the language of its reader once,
 * where it leaves the bot (`words/translate.ts`). Without its marks (`inEnglish`), it is what the record keeps.
 *
 * The marks are noncharacters, which Unicode reserves for use within a program:
 * https://www.unicode.org/faq/private_use.html#nonchar1
 */
export const marks = {
  sentence: ['\uFDD0', '\uFDD1'],
  part: ['\uFDD2', '\uFDD3'],
  number: ['\uFDD4', '\uFDD5'],
  list: ['\uFDD6', '\uFDD7'],
  date: ['\uFDD8', '\uFDD9'],
  count: ['\uFDDA', '\uFDDB'],
  person: ['\uFDDC', '\uFDDD'],
  mention: ['\uFDDE', '\uFDDF'],
  english: ['\uFDE0', '\uFDE1'],
  name: ['\u2068', '\u2069'],
  moment: ['\u2066', '\u2069'],
  day: ['\u2067', '\u2069'],
} as const;

const anyMark = /[\uFDD0-\uFDEF]/;
const allMarks = /[\uFDD8\uFDDC][\u{E0100}-\u{E01EF}]*|[\uFDD0-\uFDEF]/gu;
const allButPeople = /\uFDD8[\u{E0100}-\u{E01EF}]*|[\uFDD0-\uFDDB\uFDDE-\uFDEF]/gu;
const people = /\uFDDC([\u{E0100}-\u{E01EF}]*)([^\uFDDC\uFDDD]*)\uFDDD/u;
/** Variation selectors hide the ASCII letters of what stands before the words of a date, and before the name of a person. */
const hidden = 0xe0100;
/** Such letters, at the beginning. */
export const hiddenLetters = /^[\u{E0100}-\u{E01EF}]*/u;

/**
 * A sentence with what it says of this case: say`Closed ${named(quiz.name)}.` What stands in the template is the bot’s own, in
 * markup: `*bold*`, a command in backticks. What is put in is from outside, unless it was said itself.
 */
export function say(strings: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  if (strings.every((own) => own === '') && values.every((value) => value === '')) return '';
  const parts = values.map((value) =>
    marked('part', typeof value === 'number' ? marked('number', String(value)) : value),
  );
  return marked('sentence', String.raw({ raw: strings }, ...parts));
}

/** Texts one after the other, of those that are there. */
export function joinSaid(texts: Texts, separator: string): string {
  const [first = '', ...others] = texts.filter((text) => typeof text === 'string');
  return others.length === 0
    ? first
    : marked('sentence', [first, ...others].map((text) => marked('part', text)).join(separator));
}

/** Sentences that follow each other, without those that are empty. */
export function sentences(texts: Texts): string {
  return texts.filter((text) => text).join(' ');
}

/** What is on the record is in English for every reader. */
export function recorded(strings: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return marked('english', say(strings, ...values));
}

/** Names a person of the workspace, by their ID. In a message it notifies them only where they can see it. */
export const mention = (personId: string): string => marked('mention', `@${personId}`);

/** Names a channel of the workspace, by its ID. */
export const channelMention = (channelId: string): string => marked('mention', `#${channelId}`);

/** A text of the bot that isn’t written as a sentence, such as the label of a field. */
export function asSaid(text: string): string {
  return anyMark.test(text) || text === '' ? text : marked('sentence', text);
}

/** Created once: `toLocaleString` looks for its format with every call. */
const wholeNumber = new Intl.NumberFormat('en');

/** A whole number with separators, such as `1,234`. */
export function amount(value: number): string {
  return marked('number', wholeNumber.format(value));
}

/** Such as `1 quiz` or `2 quizzes`. Other languages have other forms for other numbers. */
export function countOf(count: number, one: string, many: string): string {
  return marked('count', `${marked('part', amount(count))} ${count === 1 ? one : many}`);
}

/** A number as it was written in English, such as `71.4%` or `2nd`. */
export function writtenNumber(text: string): string {
  return marked('number', text);
}

/** A date in English words, with what they are made of. */
export function markedDate(words: string, { form, atMs, zone = '' }: DateSource): string {
  return marked('date', hide(`${form} ${Math.floor(atMs / 1000)} ${zone}`) + words);
}

/** What names a user of the quiz account within a text, with the ID of the user: so it can be found when the person is erased. */
export function markedPerson(userId: string, words: string): string {
  return marked('person', hide(Buffer.from(userId).toString('base64url')) + words);
}

/** The text with something else for what names people with their IDs, and for what stands between. */
export function replacePeople(
  text: string,
  person: (userId: string, words: string) => string,
  other: (text: string) => string = (same) => same,
): string {
  const pieces = text.split(people);
  return pieces
    .map((piece, index) => {
      if (index % 3 === 0) return piece === '' ? '' : other(piece);
      return index % 3 === 1 ? '' : person(Buffer.from(unhide(pieces[index - 1]!), 'base64url').toString(), piece);
    })
    .join('');
}

/** ASCII letters as nothing shows them. */
function hide(letters: string): string {
  return Array.from(letters, (letter) => String.fromCodePoint(hidden + letter.charCodeAt(0))).join('');
}

function unhide(text: string): string {
  return Array.from(text, (letter) => String.fromCharCode((letter.codePointAt(0) ?? hidden) - hidden)).join('');
}

/** What the words of a date are made of. */
export interface DateSource {
  /** Its name. */
  form: string;
  /** In milliseconds since the epoch; whole seconds count. */
  atMs: number;
  /** Undefined: that of its reader. */
  zone: string | undefined;
}

/** What stands between the marks of a date; undefined where it was cut. */
export function readMarkedDate(text: string): DateSource | undefined {
  const letters = unhide(hiddenLetters.exec(text)?.[0] ?? '');
  const [form, seconds, zone] = letters.split(' ');
  return form === undefined || seconds === undefined || zone === undefined
    ? undefined
    : { form, atMs: Number(seconds) * 1000, zone: zone || undefined };
}

/** A list in words, such as `a, b and c`. */
export function listed(items: readonly string[], type: 'conjunction' | 'disjunction' = 'conjunction'): string {
  const [first] = items;
  if (items.length <= 1) return first ?? '';
  const text = listFormats[type]().format(items.map((item) => marked('part', item)));
  return marked('list', text);
}

/** Created once: creating a format takes a hundred times as long as using it. */
const listFormats = {
  conjunction: once(() => new Intl.ListFormat('en-GB')),
  disjunction: once(() => new Intl.ListFormat('en-GB', { type: 'disjunction' })),
};

/**
 * Sentences for people are plain text in which names are marked with Unicode isolates (FSI and PDI), so that whatever shows
 * the sentence can set them off: in bold, or in quotation marks. The marks also keep a right-to-left name from turning the
 * rest of the sentence: https://www.unicode.org/reports/tr9/#Explicit_Directional_Isolates
 */
const [open, close] = marks.name;

/**
 * A moment is an isolate, too (LRI and PDI), and a day (RLI and PDI). Before its words stand its seconds since the epoch in tag characters, which
 * nothing shows: https://www.unicode.org/charts/PDF/UE0000.pdf
 */
export const tagZero = 0xe0030;
const tags = /[\u{E0030}-\u{E0039}]/gu;
const markedPart =
  /(\u2068[^\u2068\u2069]*\u2069|[\u2066\u2067][\u{E0030}-\u{E0039}]{1,11}[^\u2066-\u2069\u{E0030}-\u{E0039}]+\u2069)/u;

/** Marks a name from outside within a sentence, on one line. */
export function named(name: string): string {
  return marked('name', shortName(isBlank(name) ? say`Unnamed` : name));
}

/** Marks the name of a user of the account, with their ID: the name goes out of stored sentences when the person is erased. */
export function namedPerson({ userId, name }: { userId: string; name: string }): string {
  return named(markedPerson(userId, name));
}

/** Marks the name of what a change is about, likewise where it is a user. */
export function namedTarget({ kind, id, name }: { kind: string; id: string; name: string }): string {
  return kind === 'user' ? namedPerson({ userId: id, name }) : named(name);
}

/** Lists them likewise. */
export function namedPeople(persons: readonly { userId: string; name: string }[], most?: number): string {
  return phraseList(persons.map(namedPerson), most);
}

/**
 * Marks a moment within a sentence, so that what shows the sentence can write it on the clock of its reader.
 *
 * @param words the moment for places that can’t, such as “Tue 24 Nov, 09:00”
 * @param options.isDay whether only its day is meant
 */
export function markedMoment(atMs: number, words: string, { isDay = false } = {}): string {
  const seconds = String(Math.floor(atMs / 1000));
  if (!/^\d{1,11}$/.test(seconds)) return words;
  const tagged = Array.from(seconds, (digit) => String.fromCodePoint(tagZero + Number(digit))).join('');
  return marked(isDay ? 'day' : 'moment', tagged + onOneLine(words));
}

/** Lists marked names: “⁨Rosa⁩, ⁨Kim⁩ and 3 others”. */
export function namedList(names: readonly string[], most = 10): string {
  return phraseList(names.map(named), most);
}

/** Lists phrases that may hold marked names: “⁨Rosa⁩ and the group ⁨Kitchen⁩”. */
export function phraseList(phrases: readonly string[], most = 10): string {
  return listed(firstOf(phrases, most));
}

/** The first of them, and how many others there are. */
export function firstOf(phrases: readonly string[], most: number): string[] {
  const left = phrases.length - most;
  const shown = phrases.slice(0, left > 0 ? most : phrases.length);
  return left > 0 ? [...shown, left === 1 ? say`1 other` : say`${amount(left)} others`] : shown;
}

/** The longest name in a line of text, in UTF-16 units; the quiz service sets no limit. */
const longestName = 150;

/** Puts a name from outside on one line of a readable length, as `onOneLine` does. */
export function shortName(name: string, most = longestName): string {
  return clip(onOneLine(name).trim(), most);
}

/** The same, no longer than `most` as it is sent, where several have to fit together. */
export function shortText(text: string, most: number): string {
  let short = shortName(text, most);
  while (lengthInAnyLanguage(short) > most) short = shortName(short, Math.floor(short.length * 0.8));
  return short;
}

/** Changes each text in a plain value. */
export function mapTexts<Value>(value: Value, change: (text: string) => string): Value {
  if (typeof value === 'string') return change(value) as Value;
  if (Array.isArray(value)) return value.map((part) => mapTexts(part, change)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, mapTexts(part, change)])) as Value;
}

/** Puts a text from outside on one line, without control characters and characters that turn the direction of what follows. */
export function onOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+/gu, ' ');
}

const characters = once(() => new Intl.Segmenter());

/** Cuts a text at `most` UTF-16 units, with an ellipsis and never through a character as a reader sees it. */
export function clip(text: string, most: number): string {
  if (lengthInEnglish(text) <= most) return text;
  if (isSaid(text)) return clip(inEnglish(text), most);
  // The character that the unit behind the last one belongs to is the first to go.
  const end =
    characters()
      .segment(text.slice(0, most + 64))
      .containing(most - 1)?.index ?? 0;
  return `${text.slice(0, end).trimEnd()}…`;
}

/** Whether a text from outside shows nothing: it is empty, or all of it is spaces and characters that nothing shows. */
export function isBlank(text: string): boolean {
  return /^[\s\p{C}\p{Default_Ignorable_Code_Point}]*$/u.test(text);
}

/** Puts the marks of a kind around a text. */
export function marked(kind: keyof typeof marks, text: string): string {
  const [before, after] = marks[kind];
  return `${before}${text}${after}`;
}

/** Whether a text has marks, and so another form in other languages. */
export function isSaid(text: string): boolean {
  return anyMark.test(text);
}

/** The text as it is read in English: without marks. */
export function inEnglish(text: string): string {
  return anyMark.test(text) ? text.replaceAll(allMarks, '') : text;
}

/** The same for every text in a plain value: for what is logged, or read by a machine. */
export function inEnglishThroughout<Value>(value: Value): Value {
  return throughout(value, inEnglish) as Value;
}

/** Likewise, but with the IDs of those who are named: for what is recorded. */
export function inEnglishWithPeople<Value>(value: Value): Value {
  return throughout(value, (text) => text.replaceAll(allButPeople, '')) as Value;
}

/**
 * Reads JSON from outside, without what looks like a mark: nobody outside says in whose words a text is, or whom it mentions.
 *
 * @throws {SyntaxError}
 */
export function parseFromOutside(json: string): unknown {
  const value: unknown = JSON.parse(json);
  return markInJson.test(json) ? throughout(value, inEnglish) : value;
}

const markInJson = /[\uFDD0-\uFDEF]|\\u[fF][dD][dDeE]/;

function throughout(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((part) => throughout(part, change));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, throughout(part, change)]));
}

/** Begins a sentence with a phrase. `words/translate.ts` also finds “Close {0}” as “close {0}”. */
export function capitalized(phrase: string): string {
  return phrase.replace(
    /^([\uFDD0\uFDD2\uFDD4\uFDD6]*)(.)/u,
    (_, before: string, letter: string) => before + letter.toUpperCase(),
  );
}

/** How many UTF-16 units of a text are seen in English. */
export function lengthInEnglish(text: string): number {
  return inEnglish(text).length;
}

/**
 * How many UTF-16 units a text may have in another language: sentences and dates a third more, numbers and lists a little.
 * Messages are measured often, so it goes over the text once.
 */
export function lengthInAnyLanguage(text: string): number {
  let length = 0;
  /** For each kind that is open, what it says itself; and the kinds. */
  const own: number[] = [];
  const kinds: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const kind = text.charCodeAt(at) - firstMark;
    if (kind < 0 || kind > lastKind) {
      const long = sentLength[text[at]!] ?? 1;
      length += long;
      if (own.length > 0) own[own.length - 1]! += long;
    } else if (kind % 2 === 0) {
      own.push(0);
      kinds.push(kind);
      if (kind === dateKind || kind === personKind) while (isHidden(text, at + 1)) at += 2;
    } else {
      const words = own.pop() ?? 0;
      const closed = kinds.pop();
      if (closed === sentenceKind || closed === countKind || closed === dateKind)
        length += Math.max(2, Math.ceil(words / 3));
      else if (closed === numberKind) length += 1;
      else if (closed === listKind) length += 4;
    }
  }
  return length;
}

/** As markup: escaped, and what stands before the words of a moment. */
const sentLength: Readonly<Record<string, number>> = { '&': 5, '<': 4, '>': 4, '\u2066': 28, '\u2067': 22 };

const firstMark = marks.sentence[0].charCodeAt(0);
const kindOf = (kind: keyof typeof marks) => marks[kind][0].charCodeAt(0) - firstMark;
const [sentenceKind, numberKind, listKind, dateKind, countKind, personKind] = [
  kindOf('sentence'),
  kindOf('number'),
  kindOf('list'),
  kindOf('date'),
  kindOf('count'),
  kindOf('person'),
];
const lastKind = 31;

/** Whether a variation selector begins here. */
function isHidden(text: string, at: number): boolean {
  return text.charCodeAt(at) === 0xdb40 && text.charCodeAt(at + 1) >= 0xdd00 && text.charCodeAt(at + 1) <= 0xddef;
}

/** Whether a text has words that are translated. Commands, code, emoji by name and what stands in angle brackets have none. */
export function isWorded(text: string): boolean {
  if (/^\/quiz[\w-]*(?: [a-z-]+)*$/.test(text)) return false;
  return /\p{L}/u.test(text.replaceAll(/`[^`]*`|:[a-z][\w+-]*:|<[^<>|]*\|?|&\w+;/g, ''));
}

/** A part of a sentence: a name, a moment in words, or what stands between. */
interface SentencePart {
  text: string;
  isName: boolean;
  /** The moment, in milliseconds since the epoch. */
  atMs?: number;
  /** Whether only its day is meant. */
  isDay?: true;
}

/** The parts of a sentence, in order. */
export function partsOfSentence(sentence: string): SentencePart[] {
  return sentence.split(markedPart).flatMap((text, index): SentencePart[] => {
    if (index % 2 === 0) return text === '' ? [] : [{ text, isName: false }];
    if (text.startsWith(open)) return [{ text: text.slice(1, -1), isName: true }];
    const digits = Array.from(text.match(tags) ?? [], (tag) => (tag.codePointAt(0) ?? tagZero) - tagZero);
    return [
      {
        text: withoutMarks(text),
        isName: false,
        atMs: Number(digits.join('')) * 1000,
        ...(text.startsWith(marks.day[0]) && { isDay: true }),
      },
    ];
  });
}

const withoutMarks = (text: string): string => withoutIsolates(text).replaceAll(tags, '');

/** The sentence for places without markup, with its names in quotation marks. */
export function plainSentence(sentence: string): string {
  return partsOfSentence(sentence)
    .map(({ text, isName }) => (isName ? `“${text}”` : withoutMarks(text)))
    .join('');
}

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

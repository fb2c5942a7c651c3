import { amount, listed, markedPerson, say } from './said.ts';
import { onOneLine, shortName, isBlank } from './short-name.ts';

/**
 * Sentences for people are plain text in which names are marked with Unicode isolates (FSI and PDI), so that whatever shows
 * the sentence can set them off: in bold, or in quotation marks. The marks also keep a right-to-left name from turning the
 * rest of the sentence: https://www.unicode.org/reports/tr9/#Explicit_Directional_Isolates
 */
const [open, close] = ['\u2068', '\u2069'];

/**
 * A moment is an isolate, too (LRI and PDI), and a day (RLI and PDI). Before its words stand its seconds since the epoch in tag characters, which
 * nothing shows: https://www.unicode.org/charts/PDF/UE0000.pdf
 */
const [openMoment, openDay] = ['\u2066', '\u2067'];
export const tagZero = 0xe0030;
const tags = /[\u{E0030}-\u{E0039}]/gu;
const marked =
  /(\u2068[^\u2068\u2069]*\u2069|[\u2066\u2067][\u{E0030}-\u{E0039}]{1,11}[^\u2066-\u2069\u{E0030}-\u{E0039}]+\u2069)/u;

/** Marks a name from outside within a sentence, on one line. */
export function named(name: string): string {
  return `${open}${shortName(isBlank(name) ? say`Unnamed` : name)}${close}`;
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
export function namedPeople(people: readonly { userId: string; name: string }[], most?: number): string {
  return phraseList(people.map(namedPerson), most);
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
  return `${isDay ? openDay : openMoment}${tagged}${onOneLine(words)}${close}`;
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
  return sentence.split(marked).flatMap((text, index): SentencePart[] => {
    if (index % 2 === 0) return text === '' ? [] : [{ text, isName: false }];
    if (text.startsWith(open)) return [{ text: text.slice(1, -1), isName: true }];
    const digits = Array.from(text.match(tags) ?? [], (tag) => (tag.codePointAt(0) ?? tagZero) - tagZero);
    return [
      {
        text: withoutMarks(text),
        isName: false,
        atMs: Number(digits.join('')) * 1000,
        ...(text.startsWith(openDay) && { isDay: true }),
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

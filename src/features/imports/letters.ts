import { inEnglish, say } from '../../domain/said.ts';

/** How programs write letters beyond ASCII, a byte each, and what people call that. */
export const encodingNames = {
  'windows-1252': 'Windows-1252',
  'windows-1250': 'Windows-1250',
  'windows-1254': 'Windows-1254',
  'iso-8859-2': 'ISO 8859-2',
  macintosh: 'Mac OS Roman',
  'utf-8': 'UTF-8',
} as const;

export type Encoding = keyof typeof encodingNames;
const encodings = Object.keys(encodingNames) as Encoding[];

/** The letters beyond ASCII of languages in which people have names. */
const languages = [
  'äöüß',
  'àâæçèéêëîïôœùûüÿ',
  'áéíñóúü',
  'àèéìíîòóùú',
  'àáâãçéêíóôõú',
  'áéèêëíïóöúü',
  'åäöæøé',
  'ąćęłńóśźż',
  'áčďéěíňóřšťúůýž',
  'áéíóöőúüű',
  'çğıİöşüâîû',
].map((letters) => new RegExp(`^[a-z${letters}]*$`, 'i'));

export function isEncoding(text: string): text is Encoding {
  return text in encodingNames;
}

/** A way to read the letters of a file. `words`: some of the file’s words as they are then, in the order of the other readings. */
interface Reading {
  encoding: Encoding;
  words: readonly string[];
}

/** The ways to read a file whose letters are a byte each. */
export interface Letters {
  /** The one that was said, or the likeliest. */
  encoding: Encoding;
  /** Somebody said it, or every other way gives words that no language has. */
  isSure: boolean;
  /** Every word may be one in at least one of the ways. */
  isPossible: boolean;
  /** Those that differ, the likeliest first. */
  readings: readonly Reading[];
}

/** Words are looked at up to this many: a file has 5,000 people. */
const wordsAtMost = 40_000;
const wordsShown = 3;

/**
 * Finds out how the letters of a file are written, by the words that come out. A way is possible where each word has the letters
 * of one language in an order of small and capital letters that words have. Where several possible ways differ, only titles in
 * the language of one of them decide: frequent letters are no proof of a name.
 *
 * @param isUtf8 the file is valid UTF-8 as well
 * @returns undefined for a file that no way fits and that is UTF-8 as far as it goes
 */
function findLetters(content: Buffer, isUtf8: boolean, said: Encoding | undefined): Letters | undefined {
  const bytes = content.toString('latin1');
  if (!/[\x80-\xFF]/.test(bytes)) return undefined;
  const words = wordsOf(bytes);
  const read = encodings.map((encoding) => ({
    encoding,
    words: decode(Buffer.from(words.join('\n'), 'latin1'), encoding).split('\n'),
  }));
  const rated = read.map((reading) => ({ ...reading, misfits: misfitsOf(reading, isUtf8) }));
  const possible = rated.filter(({ misfits }) => misfits === 0);
  if (isUtf8 && said === undefined && possible.length === 1) return undefined;
  const different = [...Map.groupBy(rated, (reading) => reading.words.join('\n')).values()].flatMap(([first]) =>
    first && (isUtf8 || first.encoding !== 'utf-8') ? [first] : [],
  );
  const ofTitles = encodingsOfTitles(bytes.slice(0, 2_000));
  const rank = ({ encoding, misfits }: (typeof rated)[number]) => misfits * 2 + (ofTitles.includes(encoding) ? 0 : 1);
  const likely = different.toSorted((a, b) => rank(a) - rank(b));
  const fitting = likely.filter(({ misfits }) => misfits === 0);
  const byTitles = fitting.filter(({ encoding }) => ofTitles.includes(encoding));
  const shown = mostTelling(likely);
  return {
    encoding: said ?? likely[0]?.encoding ?? 'windows-1252',
    isSure: said !== undefined || fitting.length === 1 || byTitles.length === 1,
    isPossible: fitting.length > 0,
    readings: likely.map((reading) => ({
      encoding: reading.encoding,
      words: shown.map((at) => reading.words[at] ?? ''),
    })),
  };
}

function decode(content: Buffer, encoding: Encoding): string {
  return new TextDecoder(encoding).decode(content);
}

/** Those with letters beyond ASCII. A sign that stands alone is no name. */
function wordsOf(bytes: string): string[] {
  const words = new Set<string>();
  for (const [word] of bytes.matchAll(/[A-Za-z'\x80-\xFF]{2,64}/g)) {
    if (/[\x80-\xFF]/.test(word)) words.add(word);
    if (words.size === wordsAtMost) break;
  }
  return [...words];
}

function misfitsOf({ encoding, words }: Reading, isUtf8: boolean): number {
  if (encoding === 'utf-8') return isUtf8 ? 0 : words.length;
  return words.filter((word) => !isWord(word)).length;
}

/** Whether a text, parted at apostrophes and dashes, has letters of one language, and small and capital ones in their places. */
function isWord(text: string): boolean {
  const parts = text.replaceAll(/^[“„«‘‚']+|[”“»’'…®™]+$/g, '').split(/['’]|(?<=\p{L}\p{L})[–—](?=\p{Lu})/u);
  return parts.every(
    (part) =>
      languages.some((language) => language.test(part)) && !/\p{Ll}(?![A-Z])\p{Lu}|(?![a-zß])\p{Ll}\p{Lu}/u.test(part),
  );
}

/** Titles of names and addresses, by the encodings of the computers on which people write them. */
const titlesOf: readonly (readonly [titles: RegExp, encodings: readonly Encoding[]])[] = [
  [
    /\b(?:pr.nom|nom|courriel|apellidos?|nombres?|correo|cognome|nome|sobrenome|apelidos?|voornaam|achternaam)\b/i,
    ['windows-1252', 'macintosh'],
  ],
  [/\b(?:imi.|nazwisko|jm.no|p..jmen.|n.v|vezet.kn.v|keresztn.v)(?![a-z])/i, ['windows-1250', 'iso-8859-2']],
  [/\b(?:ad.|soyad.?|soyisim)(?![a-z])/i, ['windows-1254']],
];

/** The encodings that the titles speak for; none where they speak for several languages. */
function encodingsOfTitles(beginning: string): readonly Encoding[] {
  const [titles = ''] = beginning.split(/[\r\n]/);
  const found = titlesOf.filter(([pattern]) => pattern.test(titles));
  return found.length === 1 ? (found[0]?.[1] ?? []) : [];
}

/** The places of the words in which the readings differ most. */
function mostTelling(readings: readonly Reading[]): number[] {
  const variety = (at: number) => new Set(readings.map(({ words }) => words[at])).size;
  const places = readings[0]?.words.map((_, at) => ({ at, variety: variety(at) })) ?? [];
  return places
    .toSorted((a, b) => b.variety - a.variety || a.at - b.at)
    .slice(0, wordsShown)
    .map(({ at }) => at);
}

/** The letters of an encoding that are a byte beyond ASCII each. */
const bytesOf = (['windows-1252', 'windows-1250', 'windows-1254', 'macintosh'] as const).map(
  (encoding) =>
    new Map(Array.from({ length: 128 }, (_, at) => [decode(Buffer.of(at + 128), encoding), at + 128] as const)),
);

/** What a text was before a program took its UTF-8 for letters of a byte each, such as “Jörg” of “JÃ¶rg”; undefined where it is whole. */
export function beforeDoubleEncoding(text: string): string | undefined {
  if (!/[ÂÃÄÅâĂĹ√ƒ≈¬‚]/.test(text) || text.split(/[\s-]+/).every(isWord)) return undefined;
  for (const bytes of bytesOf) {
    const written = Array.from(text, (letter) => (letter < '\x80' ? letter.charCodeAt(0) : bytes.get(letter)));
    if (written.includes(undefined)) continue;
    const whole = Buffer.from(written as number[]).toString();
    if (whole !== text && /^[\p{Script=Latin}\p{Script=Common}]*$/u.test(whole) && !whole.includes('\uFFFD'))
      return whole;
  }
  return undefined;
}

/** Beginnings of files that are no text, as ASCII or hex bytes, and what people call such a file. */
const signatures: readonly (readonly [beginning: Buffer, name: string])[] = [
  [Buffer.from('d0cf11e0a1b11ae1', 'hex'), say`an old Excel file (.xls), a Word file or a file with a password`],
  [Buffer.from('%PDF'), say`a PDF`],
  [Buffer.from('{\\rtf'), say`a Word file`],
  [Buffer.from('89504e47', 'hex'), say`a picture`],
  [Buffer.from('ffd8ff', 'hex'), say`a picture`],
  [Buffer.from('GIF8'), say`a picture`],
  [Buffer.from('49492a00', 'hex'), say`a picture`],
  [Buffer.from('4d4d002a', 'hex'), say`a picture`],
  [Buffer.from('RIFF'), say`a picture or a recording`],
  [Buffer.from('1f8b', 'hex'), say`a compressed file`],
  [Buffer.from('377abcaf271c', 'hex'), say`a compressed file`],
  [Buffer.from('Rar!'), say`a compressed file`],
  [Buffer.from('BZh'), say`a compressed file`],
];

const webPage = /^\s*<(?:!doctype\b|html\b|\?xml\b)/i;

export const saveAs = say`Save the list as an Excel workbook (.xlsx) or as CSV UTF-8, then try again.`;

/**
 * The text of a file by its content, whatever its name says. UTF-8 and UTF-16 are known by their byte order mark. A file
 * without one is UTF-8, also where a few of its bytes are not and become `unreadableLetter`; otherwise its letters are a byte
 * each, as Excel writes “CSV”.
 *
 * @param said how its letters are written, as a person said
 * @returns `problem`: why the file is no text, as a sentence
 */
export function decodeText(
  content: Buffer,
  said?: Encoding,
): { text: string; letters?: Letters | undefined } | { problem: string } {
  const [, kind] = signatures.find(([beginning]) => content.subarray(0, beginning.length).equals(beginning)) ?? [];
  if (kind !== undefined) return { problem: `${say`This is ${kind}, which the bot can’t read.`} ${saveAs}` };
  const { text, letters } = decoded(content, said) ?? {};
  if (text === undefined || text.includes('\0'))
    return { problem: `${say`The bot can’t read this file as text.`} ${saveAs}` };
  if (webPage.test(text.slice(0, 1_000)))
    return { problem: `${say`This is a web page, which the bot can’t read.`} ${saveAs}` };
  return { text: inEnglish(text), letters };
}

const marks: readonly (readonly [mark: Buffer, encoding: string])[] = [
  [Buffer.from('efbbbf', 'hex'), 'utf-8'],
  [Buffer.from('fffe', 'hex'), 'utf-16le'],
  [Buffer.from('feff', 'hex'), 'utf-16be'],
];

/** Undefined for a file that breaks the UTF-16 its mark names. */
function decoded(content: Buffer, said?: Encoding): { text: string; letters?: Letters | undefined } | undefined {
  const [, marked] = marks.find(([mark]) => content.subarray(0, mark.length).equals(mark)) ?? [];
  // The decoder leaves out the mark.
  const whole = decodedWhole(content, marked);
  if (marked !== undefined) {
    if (whole !== undefined) return { text: whole };
    return marked === 'utf-8' ? { text: decode(content, marked) } : undefined;
  }
  const letters = findLetters(content, whole !== undefined, said);
  const isUtf8 = whole === undefined && !letters?.isPossible && isUtf8ButForFewBytes(content);
  if (letters === undefined || (isUtf8 && said === undefined)) return { text: decode(content, 'utf-8') };
  return { text: decode(content, letters.encoding), letters };
}

function decodedWhole(content: Buffer, encoding?: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(content);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** What the decoder puts in place of bytes that are no UTF-8, and what a program that lost a letter wrote before. */
export const unreadableLetter = '\uFFFD';

/** The beginning of an accented letter or of a typographic apostrophe. No word of Windows-1252 ends with “Ã” or “â€”. */
const cutLetter = /(?:\u00C3|\u00E2\u0080)$/;

/**
 * In Windows-1252, an accented letter and a sign behind it are valid UTF-8 by chance, such as in “MENÜ’S”, which is far rarer
 * than accented letters without one. In doubt, a file is UTF-8: then its hurt rows are mistakes, while a file of UTF-8 that is
 * read as Windows-1252 gives everybody wrong names.
 */
function isUtf8ButForFewBytes(content: Buffer): boolean {
  const beyondAscii = new TextDecoder().decode(content).replaceAll(/[\0-\x7F]+/g, '');
  const hurt = beyondAscii.split(unreadableLetter).length - 1;
  const whole = beyondAscii.length - hurt;
  return hurt <= 3 * whole || (hurt === 1 && cutLetter.test(content.toString('latin1', content.length - 2)));
}

import { inEnglish, say } from '../../domain/said.ts';
import { decode, findLetters, type Encoding, type Letters } from './letters.ts';

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

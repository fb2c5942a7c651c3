import { say } from '../../domain/said.ts';
/** Beginnings of files that are no text, as ASCII or hex bytes, and what people call such a file. */
const signatures: readonly (readonly [beginning: Buffer, name: string])[] = [
  [Buffer.from('PK\u0003\u0004'), say`a spreadsheet or a zip file`],
  [Buffer.from('PK\u0005\u0006'), say`an empty zip file`],
  [Buffer.from('d0cf11e0a1b11ae1', 'hex'), say`an old Excel or Word file`],
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

const saveAs = say`Save the list as CSV (in Excel: “CSV UTF-8”), then try again.`;

/**
 * The text of a file by its content, whatever its name says. UTF-8 and UTF-16 are known by their byte order mark; a file
 * without one is UTF-8 where it is valid, and otherwise Windows-1252, which Excel writes as “CSV”.
 *
 * @returns `problem`: why the file is no text, as a sentence
 */
export function decodeText(content: Buffer): { text: string } | { problem: string } {
  const [, kind] = signatures.find(([beginning]) => content.subarray(0, beginning.length).equals(beginning)) ?? [];
  if (kind !== undefined) return { problem: `${say`This is ${kind}, not a CSV file.`} ${saveAs}` };
  const text = decoded(content);
  if (text === undefined || text.includes('\0'))
    return { problem: `${say`The bot can’t read this file as text.`} ${saveAs}` };
  if (webPage.test(text.slice(0, 1_000))) return { problem: `${say`This is a web page, not a CSV file.`} ${saveAs}` };
  return { text };
}

const marks: readonly (readonly [mark: Buffer, encoding: string])[] = [
  [Buffer.from('efbbbf', 'hex'), 'utf-8'],
  [Buffer.from('fffe', 'hex'), 'utf-16le'],
  [Buffer.from('feff', 'hex'), 'utf-16be'],
];

/** Undefined for a file that breaks the encoding its mark names. */
function decoded(content: Buffer): string | undefined {
  const [, marked] = marks.find(([mark]) => content.subarray(0, mark.length).equals(mark)) ?? [];
  // The decoder leaves out the mark.
  const asUnicode = decodedAs(marked ?? 'utf-8', content);
  return asUnicode ?? (marked === undefined ? decodedAs('windows-1252', content) : undefined);
}

function decodedAs(encoding: string, content: Buffer): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(content);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

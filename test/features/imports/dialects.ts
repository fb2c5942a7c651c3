/** How a spreadsheet program writes CSV. */
interface Dialect {
  name: string;
  delimiter: string;
  lineEnd: string;
  encoding: 'utf-8' | 'utf-8 with mark' | 'utf-16le' | 'utf-16be' | 'windows-1252';
  /** `needed`: cells with a delimiter, quotation mark or line break; `texts`: every cell. */
  quotes: 'needed' | 'texts';
  separatorLine?: true;
  /** Leaves out empty cells at the end of a row, as Excel does in some rows. */
  dropsEmptyEnd?: true;
  /** Ends the last row. */
  endsLastRow: boolean;
}

export const dialects: readonly Dialect[] = [
  {
    name: 'Excel, CSV UTF-8',
    delimiter: ',',
    lineEnd: '\r\n',
    encoding: 'utf-8 with mark',
    quotes: 'needed',
    dropsEmptyEnd: true,
    endsLastRow: true,
  },
  {
    name: 'Excel, CSV UTF-8, where a comma marks decimals',
    delimiter: ';',
    lineEnd: '\r\n',
    encoding: 'utf-8 with mark',
    quotes: 'needed',
    dropsEmptyEnd: true,
    endsLastRow: true,
  },
  {
    name: 'Excel, CSV',
    delimiter: ',',
    lineEnd: '\r\n',
    encoding: 'windows-1252',
    quotes: 'needed',
    endsLastRow: true,
  },
  {
    name: 'Excel, CSV, where a comma marks decimals',
    delimiter: ';',
    lineEnd: '\r\n',
    encoding: 'windows-1252',
    quotes: 'needed',
    endsLastRow: true,
  },
  {
    name: 'Excel, Unicode text',
    delimiter: '\t',
    lineEnd: '\r\n',
    encoding: 'utf-16le',
    quotes: 'needed',
    endsLastRow: true,
  },
  {
    name: 'Excel for Mac, old',
    delimiter: ',',
    lineEnd: '\r',
    encoding: 'windows-1252',
    quotes: 'needed',
    endsLastRow: false,
  },
  {
    name: 'a file for Excel, with its separator line',
    delimiter: ';',
    lineEnd: '\r\n',
    encoding: 'utf-8',
    quotes: 'needed',
    separatorLine: true,
    endsLastRow: true,
  },
  { name: 'LibreOffice', delimiter: ',', lineEnd: '\n', encoding: 'utf-8', quotes: 'needed', endsLastRow: true },
  {
    name: 'LibreOffice, all texts in quotes',
    delimiter: ';',
    lineEnd: '\n',
    encoding: 'utf-8',
    quotes: 'texts',
    endsLastRow: true,
  },
  {
    name: 'LibreOffice, UTF-16',
    delimiter: '|',
    lineEnd: '\n',
    encoding: 'utf-16be',
    quotes: 'texts',
    endsLastRow: true,
  },
  {
    name: 'Google Sheets, CSV',
    delimiter: ',',
    lineEnd: '\r\n',
    encoding: 'utf-8',
    quotes: 'needed',
    endsLastRow: false,
  },
  {
    name: 'Google Sheets, TSV',
    delimiter: '\t',
    lineEnd: '\r\n',
    encoding: 'utf-8',
    quotes: 'needed',
    endsLastRow: false,
  },
];

export function writeCsv(rows: readonly (readonly string[])[], dialect: Dialect): Buffer {
  const { delimiter, lineEnd, encoding, quotes, separatorLine, dropsEmptyEnd, endsLastRow } = dialect;
  const quote = (cell: string) =>
    quotes === 'texts' || cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  const lines = rows.map((row) =>
    (dropsEmptyEnd ? row.slice(0, row.findLastIndex((cell) => cell !== '') + 1) : row).map(quote).join(delimiter),
  );
  const text = (separatorLine ? `sep=${delimiter}${lineEnd}` : '') + lines.join(lineEnd) + (endsLastRow ? lineEnd : '');
  return encode(text, encoding);
}

function encode(text: string, encoding: Dialect['encoding']): Buffer {
  switch (encoding) {
    case 'utf-8':
      return Buffer.from(text);
    case 'utf-8 with mark':
      return Buffer.from(`\uFEFF${text}`);
    case 'utf-16le':
      return Buffer.from(`\uFEFF${text}`, 'utf16le');
    case 'utf-16be':
      return Buffer.from(`\uFEFF${text}`, 'utf16le').swap16();
    case 'windows-1252':
      return Buffer.from(Array.from(text, (letter) => windows1252.get(letter) ?? 0x3f));
  }
}

/** The bytes of Windows-1252, by letter. */
const windows1252: ReadonlyMap<string, number> = new Map(
  Array.from(
    { length: 256 },
    (_, byte) => [new TextDecoder('windows-1252').decode(Uint8Array.of(byte)), byte] as const,
  ),
);

/** Whether Windows-1252 has every letter, and the text does not happen to be valid UTF-8 with another meaning. */
export function isWindows1252(text: string): boolean {
  const letters = Array.from(text);
  if (letters.every((letter) => letter < '\u0080')) return true;
  if (!letters.every((letter) => windows1252.has(letter))) return false;
  const bytes = Buffer.from(letters.map((letter) => windows1252.get(letter) ?? 0));
  return !Buffer.from(bytes.toString('utf8')).equals(bytes);
}

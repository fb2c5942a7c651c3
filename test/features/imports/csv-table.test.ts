import { inEnglish } from '../../../src/domain/said.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findColumns, isKnownTitle } from '../../../src/features/imports/columns.ts';
import { readTableFile } from '../../../src/features/imports/csv-table.ts';
import { encodingNames } from '../../../src/features/imports/letters.ts';
import { runs } from '../../support/drawn.ts';

const read = (content: Buffer | string) => readTableFile(Buffer.from(content), isKnownTitle);
const rowsOf = async (content: Buffer | string) => {
  const table = await read(content);
  if ('problem' in table) throw new Error(table.problem);
  return [table.header, ...table.rows.map(({ cells }) => cells)];
};
const problemOf = async (content: Buffer | string) => {
  const table = await read(content);
  return 'problem' in table ? table.problem : `no problem: ${table.rows.length} rows`;
};

type Encoding = 'utf-8' | 'utf-8 with mark' | 'utf-16le' | 'utf-16be' | 'windows-1252';

interface Writing {
  /** Puts every cell in quotes, not only those with a delimiter, quotation mark or line break. */
  quotesAll?: true;
  separatorLine?: true;
  /** Leaves out empty cells at the end of a row, as Excel does in some rows. */
  dropsEmptyEnd?: true;
  endsLastRow?: true;
}

/** How spreadsheet programs write CSV. */
const writings: [name: string, delimiter: string, lineEnd: string, encoding: Encoding, more: Writing][] = [
  ['Excel, CSV UTF-8', ',', '\r\n', 'utf-8 with mark', { dropsEmptyEnd: true, endsLastRow: true }],
  ['Excel, CSV UTF-8, with decimal commas', ';', '\r\n', 'utf-8 with mark', { dropsEmptyEnd: true, endsLastRow: true }],
  ['Excel, CSV', ',', '\r\n', 'windows-1252', { endsLastRow: true }],
  ['Excel, CSV, with decimal commas', ';', '\r\n', 'windows-1252', { endsLastRow: true }],
  ['Excel, Unicode text', '\t', '\r\n', 'utf-16le', { endsLastRow: true }],
  ['Excel for Mac, old', ',', '\r', 'windows-1252', {}],
  ['a file for Excel, with its separator line', ';', '\r\n', 'utf-8', { separatorLine: true, endsLastRow: true }],
  ['LibreOffice', ',', '\n', 'utf-8', { endsLastRow: true }],
  ['LibreOffice, all texts in quotes', ';', '\n', 'utf-8', { quotesAll: true, endsLastRow: true }],
  ['LibreOffice, UTF-16', '|', '\n', 'utf-16be', { quotesAll: true, endsLastRow: true }],
  ['Google Sheets, CSV', ',', '\r\n', 'utf-8', {}],
  ['Google Sheets, TSV', '\t', '\r\n', 'utf-8', {}],
];
const dialects = writings.map(([name, delimiter, lineEnd, encoding, more]) => ({
  name,
  delimiter,
  lineEnd,
  encoding,
  ...more,
}));

function writeCsv(rows: readonly (readonly string[])[], dialect: (typeof dialects)[number]): Buffer {
  const { delimiter, lineEnd, encoding, quotesAll, separatorLine, dropsEmptyEnd, endsLastRow } = dialect;
  const quote = (cell: string) =>
    quotesAll || cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  const lines = rows.map((row) =>
    (dropsEmptyEnd ? row.slice(0, row.findLastIndex((cell) => cell !== '') + 1) : row).map(quote).join(delimiter),
  );
  const text = (separatorLine ? `sep=${delimiter}${lineEnd}` : '') + lines.join(lineEnd) + (endsLastRow ? lineEnd : '');
  return encode(text, encoding);
}

function encode(text: string, encoding: Encoding): Buffer {
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
function isWindows1252(text: string): boolean {
  const letters = Array.from(text);
  if (letters.every((letter) => letter < '\u0080')) return true;
  if (!letters.every((letter) => windows1252.has(letter))) return false;
  const bytes = Buffer.from(letters.map((letter) => windows1252.get(letter) ?? 0));
  return !Buffer.from(bytes.toString('utf8')).equals(bytes);
}

const header = ['First name', 'Last name', 'E-mail', 'Groups', 'Notes'];
const trimmed = (cells: readonly string[]) => cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1);

/** Cells that are not in the file, lines out of order, and a problem that is no sentence. */
function wrongIn(table: Awaited<ReturnType<typeof read>>, content: Buffer): unknown[] {
  if ('problem' in table) return /^[A-Z].+\.$/s.test(inEnglish(table.problem)) ? [] : [table.problem];
  const columns = findColumns(table);
  const texts = ['utf-16le', 'utf-16be', ...Object.keys(encodingNames)].map((encoding) =>
    new TextDecoder(encoding).decode(content).replaceAll('"', ''),
  );
  const cells = [table.header, ...table.rows.map((row) => row.cells)].flat();
  const places = 'problem' in columns ? [] : [...columns.places.values(), ...columns.kept];
  return [
    ...cells.filter((cell) => !texts.some((text) => text.includes(cell.replaceAll('"', '')))),
    ...table.rows.filter(({ line }, at) => line <= (table.rows[at - 1]?.line ?? 0)),
    ...places.filter((place) => place >= table.header.length),
  ];
}

describe('a CSV file', () => {
  const names = fc.oneof(
    fc.constantFrom(
      'Rosa',
      'José',
      'Zoë Åberg',
      'O’Brien',
      'Müller; Straße',
      'Łukasz',
      '李小龍',
      'كريم',
      '😀',
      '"Nick"',
      '5" pipe',
      "'=1",
      'a,b',
      'a\tb',
      'a|b',
      'two\nlines',
      ' ',
      '',
    ),
    fc.string({ unit: 'grapheme-ascii', maxLength: 20 }),
    fc.string({ unit: fc.constantFrom('"', ',', ';', '\t', '|', ' ', 'a', 'é', "'", '='), maxLength: 12 }),
  );
  const western = fc.oneof(
    fc.constantFrom('Rosa', 'José', 'Zoë Åberg', '50 €', 'O’Brien', '"Nick"', 'a,b', 'a;b', 'two\nlines', ''),
    fc.string({ unit: 'grapheme-ascii', maxLength: 20 }),
  );

  test.each(dialects)('of $name is read as it was written', async (dialect) => {
    const cell = dialect.encoding === 'windows-1252' ? western : names;
    const tables = fc.array(fc.array(cell, { minLength: header.length, maxLength: header.length }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(header, { minLength: header.length }), tables, async (titles, rows) => {
        fc.pre(dialect.encoding !== 'windows-1252' || isWindows1252(rows.flat().join('')));
        expect(await rowsOf(writeCsv([titles, ...rows], dialect))).toEqual([
          titles,
          ...rows.map(trimmed).filter((row) => row.length > 0),
        ]);
      }),
      { numRuns: runs(200) },
    );
  });

  test.each([
    ['LF', 'E-mail,Name\na@x.example,Ann\n\nb@x.example,Bo\n'],
    ['CR LF', 'E-mail,Name\r\na@x.example,Ann\r\n\r\nb@x.example,Bo\r\n'],
    ['CR', 'E-mail,Name\ra@x.example,Ann\r\rb@x.example,Bo'],
    ['mixed', '\n\r\nE-mail,Name\na@x.example,Ann,,,\r\n,\r\n\rb@x.example,Bo,'],
  ])('with %s line ends, blank lines and delimiters too many', async (_, content) => {
    expect(await rowsOf(content)).toEqual([
      ['E-mail', 'Name'],
      ['a@x.example', 'Ann'],
      ['b@x.example', 'Bo'],
    ]);
  });

  test('names the line of each row, also behind blank lines, line breaks within cells and the line for Excel', async () => {
    const lines = async (content: string) => {
      const table = await read(content);
      return 'problem' in table ? table.problem : table.rows.map(({ line }) => line);
    };
    expect(await lines('E-mail,Notes\n\na@x,"two\nlines"\nb@x\n\n\nc@x,')).toEqual([3, 5, 8]);
    expect(await lines('sep=;\r\nE-mail;Notes\r\na@x\r\n;\r\nb@x')).toEqual([3, 5]);
  });

  test('has its delimiter found by the titles', async () => {
    expect(await rowsOf('Name;E-mail;"Town, street"\nAnn;a@x;"A, b"')).toEqual([
      ['Name', 'E-mail', 'Town, street'],
      ['Ann', 'a@x', 'A, b'],
    ]);
    expect(await rowsOf('Nickname, short;E-mail\nAnn;a@x')).toEqual([
      ['Nickname, short', 'E-mail'],
      ['Ann', 'a@x'],
    ]);
    expect(await rowsOf('E-mail\na@x\nb@x')).toEqual([['E-mail'], ['a@x'], ['b@x']]);
  });

  test('is refused with a sentence when it is something else', async () => {
    expect(await problemOf(Buffer.from('504b03041400060008000000', 'hex'))).toBe(
      'This file is damaged or incomplete. Save the list as an Excel workbook (.xlsx) or as CSV UTF-8, then try again.',
    );
    expect(await problemOf('%PDF-1.7\n')).toMatch(/^This is a PDF, which the bot can’t read\./);
    expect(await problemOf(Buffer.from('89504e470d0a1a0a0000000d', 'hex'))).toMatch(
      /^This is a picture, which the bot can’t read\./,
    );
    expect(await problemOf(Buffer.from('ffd8ffe000104a464946', 'hex'))).toMatch(
      /^This is a picture, which the bot can’t read\./,
    );
    expect(await problemOf('<!DOCTYPE html><html><body>Sign in</body></html>')).toMatch(
      /^This is a web page, which the bot can’t read\./,
    );
    expect(await problemOf('E-mail,Name\na@x,\0')).toMatch(/^The bot can’t read this file as text\./);
    expect(await problemOf(Buffer.from('fffe41', 'hex'))).toMatch(/^The bot can’t read this file as text\./);
    expect(await problemOf('')).toBe('The file is empty.');
    expect(await problemOf('\uFEFF\r\n\r\n')).toBe('The file is empty.');
  });

  test.each([
    ['Ann', 'José'],
    ['Ann', 'O’'],
    ['Zoë', 'Gdańsk Ł'],
  ])('that is cut in the middle of a letter is UTF-8 but for its last row: %s, %s', async (whole, name) => {
    const content = Buffer.from(`E-mail,Name\na@x,${whole}\nb@x,${name}`);
    expect(await rowsOf(content.subarray(0, -1))).toEqual([
      ['E-mail', 'Name'],
      ['a@x', whole],
      ['b@x', `${name.slice(0, -1)}�`],
    ]);
  });

  test('in Windows-1252 is read as it is, also with signs that look like UTF-8', async () => {
    const latin1 = (text: string) => Buffer.from(text, 'latin1');
    expect(await rowsOf(latin1('E-mail,Name\na@x,J\u00f6rg\n'))).toEqual([
      ['E-mail', 'Name'],
      ['a@x', 'Jörg'],
    ]);
    const people = Array.from({ length: 5 }, (_, at) => `${at}@x,Ren\u00e9e Fran\u00e7ois\n`).join('');
    expect((await rowsOf(latin1(`E-mail,Name\n${people}m@x,MEN\u00dc\u0092S\n`))).at(-1)).toEqual(['m@x', 'MENÜ’S']);
  });

  test('is refused when it is too large, too long or broken, with the line', async () => {
    expect(await problemOf(Buffer.alloc(5_000_001, 'a'))).toBe(
      'The file is larger than 5 MB. Split it into several files.',
    );
    expect(await problemOf(`E-mail\n${'a@x\n'.repeat(5_000)}`)).toBe('no problem: 5000 rows');
    expect(await problemOf(`E-mail\n${'a@x\n'.repeat(5_001)}`)).toBe(
      'The file has more than 5,000 rows. Split it into several files.',
    );
    expect(await problemOf('E-mail,Name\na@x,Ann\nb@x,"Bo\nc@x,Cy\n')).toBe(
      'A quotation mark in line 3 or below is never closed. Correct the file, then try again.',
    );
    expect(await problemOf(`E-mail,Name\na@x,Ann\nb@x,"Bo\n${'c@x,Cy\n'.repeat(4_000)}`)).toBe(
      'The row that begins in line 3 is too long. A quotation mark may be missing there.',
    );
    expect(await problemOf(`E-mail${',x'.repeat(300)}\na@x`)).toBe('The file has more than 200 columns.');
  });

  const bytes = fc.uint8Array({ maxLength: 400 }).map((array) => Buffer.from(array));
  const pieces = fc
    .array(
      fc.constantFrom(
        '"',
        '""',
        ',',
        ';',
        '\t',
        '|',
        '\n',
        '\r',
        '\r\n',
        'sep=;',
        'E-mail',
        'a@x',
        '\uFEFF',
        'é',
        '\0',
        '=1',
        "'",
        ' ',
        '\u0085',
        '\u2028',
      ),
      { maxLength: 80 },
    )
    .map((parts) => Buffer.from(parts.join('')));
  const whole = writeCsv(
    [
      header,
      ...Array.from({ length: 6 }, (_, at) => [
        `Rosa ${at}`,
        'Müller',
        `r${at}@x.example`,
        'Kitchen; "Bar"',
        'two\nlines',
      ]),
    ],
    dialects[0]!,
  );
  const mutated = fc
    .array(fc.tuple(fc.nat({ max: whole.length - 1 }), fc.nat({ max: 255 }), fc.constantFrom('set', 'cut', 'double')), {
      minLength: 1,
      maxLength: 8,
    })
    .map((changes) =>
      changes.reduce((content, [place, byte, how]) => {
        const at = Math.min(place, content.length);
        if (how === 'cut') return content.subarray(0, at);
        if (how === 'double') return Buffer.concat([content, content.subarray(0, at)]);
        const changed = Buffer.from(content);
        if (at < changed.length) changed[at] = byte;
        return changed;
      }, whole),
    );

  test('hostile files end in a sentence or in a table, and every cell of a table is in the file', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(bytes, pieces, mutated), async (content) => {
        expect(wrongIn(await read(content), content)).toEqual([]);
      }),
      { numRuns: runs(1_000) },
    );
  });

  test.each([
    ['commas', ','],
    ['quotation marks', '"'],
    ['quotation marks behind letters', 'a"'],
    ['line ends', '\n'],
    ['letters', 'a'],
    ['spaces', ' '],
    ['bytes that are no UTF-8', '\u00ff'],
    ['apostrophes', "'"],
    ['short rows', 'a,b\n'],
  ])('5 MB of %s take at most 20 times as long as 5 MB of people', async (_, piece) => {
    // What takes the square of its length takes thousands of times as long.
    expect(await durationOf(repeated(piece))).toBeLessThan(20 * (await peopleDuration()));
  });

  const repeated = (text: string) => Buffer.from(text.repeat(Math.floor(5_000_000 / text.length)), 'latin1');
  async function durationOf(content: Buffer): Promise<number> {
    const begin = process.cpuUsage();
    await read(content);
    const { user, system } = process.cpuUsage(begin);
    return user + system;
  }
  let known: Promise<number> | undefined;
  function peopleDuration(): Promise<number> {
    const person = `rosa@quiz.example,Rosa Almeida,${'works in the kitchen. '.repeat(50)}\n`;
    return (known ??= durationOf(
      Buffer.concat([Buffer.from('E-mail,Name,Notes\n'), repeated(person).subarray(0, 4_900_000)]),
    ));
  }
});

import { unzipSync } from 'fflate';
import { Parser } from 'htmlparser2';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import readWorkbook from 'read-excel-file/node';
import { standardNames } from '../../src/domain/own-names.ts';
import { markedDate, say, named } from '../../src/domain/said.ts';
import { csvFile, workbookFile, formatCsv, withoutAddedApostrophes } from '../../src/operations/table-file.ts';
import type { FileTable, TableCell } from '../../src/operations/services/files.ts';
import { createRender } from '../../src/words/render.ts';
import { createCatalogues, createRenderIn } from '../../src/words/catalogues.ts';
import { createPictureFiles } from '../../src/slack/files.ts';
import { renderFor } from '../words/in-language.ts';
import { collectGarbage, growthOf } from '../support/measurements.ts';
import { runs } from '../support/drawn.ts';

const english = createRender(standardNames);
const berlin = { name: 'Fire safety: results [2026]', render: english, timeZone: 'Europe/Berlin' };
const at = Date.parse('2026-07-01T22:30:00Z');

const table: FileTable = {
  columns: [
    { title: say`Person`, kind: 'text' },
    { title: say`Percentage`, kind: 'number' },
    { title: say`Submitted`, kind: 'moment' },
    { title: '=Department', kind: 'text' },
    { title: say`Reminded`, kind: 'moment' },
  ],
  parts: [
    [
      ['Zoë Åberg', 49.5, at, '=1+1', [at, at + 86_400_000]],
      ['كريم; "Kim"', null, null, ' a\r\nb _x0041_ <&> 👩🏽‍🚒', null],
    ],
    [['李小龍', -3, at, say`${named('كريم')} failed`, []]],
  ],
};

/** A workbook as a second program reads it: its parts as XML, and each cell with its type and style. */
function partsOf(content: Buffer) {
  const parts = Object.entries(unzipSync(content)).map(
    ([name, bytes]) => [name, Buffer.from(bytes).toString()] as const,
  );
  const elements = (xml: string) => {
    const found: { name: string; attributes: Record<string, string>; text: string }[] = [];
    const open: typeof found = [];
    const parser = new Parser(
      {
        onopentag: (name, attributes) => {
          const element = { name, attributes, text: '' };
          found.push(element);
          open.push(element);
        },
        ontext: (text) => open.forEach((element) => (element.text += text)),
        onclosetag: () => void open.pop(),
      },
      { xmlMode: true },
    );
    parser.end(xml);
    expect(open).toEqual([]);
    return found;
  };
  return Object.fromEntries(parts.map(([name, xml]) => [name, elements(xml)]));
}

/** Without what is garbage. */
function memoryHeld(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const sheetOf = (content: Buffer) => partsOf(content)['xl/worksheets/sheet1.xml']!;
const cellsOf = (content: Buffer) => sheetOf(content).filter(({ name }) => name === 'c');

describe('a table as a workbook', () => {
  test('has numbers, moments of the reader’s zone, and texts as they are, in order', async () => {
    const content = await workbookFile(table, berlin);
    const [sheet, ...others] = await readWorkbook(content, { trim: false });
    expect(others).toEqual([]);
    expect(sheet?.sheet).toBe('Fire safety results 2026');
    const local = new Date('2026-07-02T00:30:00Z');
    expect(
      sheet?.data.map((row) =>
        row.map((cell) => (cell instanceof Date ? new Date(1000 * Math.round(cell.getTime() / 1000)) : cell)),
      ),
    ).toEqual([
      ['Person', 'Percentage', 'Submitted (Europe/Berlin)', '=Department', 'Reminded (Europe/Berlin)'],
      ['Zoë Åberg', 49.5, local, '=1+1', '2026-07-02 00:30, 2026-07-03 00:30'],
      ['كريم; "Kim"', null, null, ' a\r\nb _x0041_ <&> 👩🏽‍🚒', null],
      ['李小龍', -3, local, '“\u2068كريم\u2069” failed', null],
    ]);
  });

  test('keeps its heading, has filters, runs no formula, and names every part', async () => {
    const content = await workbookFile(table, berlin);
    const parts = partsOf(content);
    expect(Object.keys(parts).toSorted()).toEqual([
      '[Content_Types].xml',
      '_rels/.rels',
      'xl/_rels/workbook.xml.rels',
      'xl/styles.xml',
      'xl/workbook.xml',
      'xl/worksheets/sheet1.xml',
    ]);
    // Excel wants the view that the sheet names.
    expect(parts['xl/workbook.xml']!.map(({ name }) => name)).toEqual([
      'workbook',
      'bookViews',
      'workbookView',
      'sheets',
      'sheet',
    ]);
    const sheet = sheetOf(content);
    const attributesOf = (name: string) => sheet.find((element) => element.name === name)?.attributes;
    expect(attributesOf('pane')).toEqual({ ySplit: '1', topLeftCell: 'A2', activePane: 'bottomLeft', state: 'frozen' });
    expect(attributesOf('autoFilter')).toEqual({ ref: 'A1:E4' });
    expect(sheet.filter(({ name }) => name === 'f')).toEqual([]);
    const styles = parts['xl/styles.xml']!.filter(({ name }) => name === 'xf').slice(1);
    const formula = cellsOf(content).find(({ text }) => text === '=1+1');
    expect(formula?.attributes).toMatchObject({ r: 'D2', t: 'inlineStr' });
    expect(styles[Number(formula?.attributes['s'])]?.attributes).toEqual({ quotePrefix: '1' });
    expect(cellsOf(content).find(({ text }) => text === '49.5')?.attributes['t']).toBeUndefined();
    const submitted = cellsOf(content).find(({ attributes }) => attributes['r'] === 'C2');
    expect(styles[Number(submitted?.attributes['s'])]?.attributes['numFmtId']).toBe('22');
  });

  test('says its titles and words in the language of its reader, and names from outside as they are', async () => {
    const render = await createRenderIn(createCatalogues(), {
      formality: 'formal',
      names: standardNames,
      timeZone: 'UTC',
    })('de');
    const day = markedDate('2026-07-01', { form: 'day', atMs: at, zone: 'UTC' });
    const said: FileTable = {
      columns: [
        { title: say`First name`, kind: 'text' },
        { title: 'First name', kind: 'text' },
      ],
      parts: [[[say`overdue since ${day}`, 'overdue']]],
    };
    const [sheet] = await readWorkbook(await workbookFile(said, { ...berlin, render }));
    expect(sheet?.data).toEqual([
      ['Vorname', 'First name'],
      ['überfällig seit 1. Juli 2026', 'overdue'],
    ]);
    expect((await csvFile(said, english)).toString()).toBe(
      '\uFEFFFirst name,First name\r\noverdue since 2026-07-01,overdue\r\n',
    );
  });

  test('has every text, whatever is in it', async () => {
    const letters = fc.constantFrom(
      'a',
      '=',
      '<',
      '&',
      ']]>',
      '"',
      '_x000D_',
      '_',
      'x',
      ' ',
      '\n',
      '\r',
      '\t',
      '\u0000',
      'é',
      'ي',
      '👍',
      '\uD800',
    );
    const texts = fc.string({ unit: letters, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(texts, texts), { minLength: 1, maxLength: 5 }), async (rows) => {
        const content = await workbookFile({ columns: table.columns.slice(0, 2), parts: [rows] }, berlin);
        const cells = cellsOf(content)
          .slice(2)
          .map(({ attributes, text }) => [attributes['r'], text]);
        const escaped = (text: string) =>
          text
            .toWellFormed()
            .replaceAll('\u0000', '')
            .replaceAll(/_(?=x000D_)/g, '_x005F_');
        expect(cells).toEqual(
          rows.flatMap((row, line) =>
            row.flatMap((text, column) => (text === '' ? [] : [[`${'AB'[column]}${line + 2}`, escaped(text)]])),
          ),
        );
      }),
      { numRuns: runs(60) },
    );
  });

  test('of 10,000 rows is never held as a whole, and lets others take turns', async () => {
    const row: TableCell[] = ['Rosa Almeida', 49.5, at, 'Kitchen and Bar', [at]];
    const columns = Array.from({ length: 20 }, (_, place) => table.columns[place % 5]!);
    const rows = Array.from({ length: 1_000 }, () => columns.map((_, place) => row[place % 5]!));
    const heldMiB: number[] = [];
    function* parts() {
      for (let part = 0; part < 10; part += 1) {
        heldMiB.push(memoryHeld() / 2 ** 20);
        yield rows;
      }
    }
    let turns = 0;
    const watch = setInterval(() => (turns += 1), 1);
    const content = await workbookFile({ columns, parts: parts() }, berlin);
    clearInterval(watch);
    // As XML, the rows are 13 MiB.
    expect(Math.max(...heldMiB) - heldMiB[0]!).toBeLessThan(6);
    expect(turns).toBeGreaterThan(20);
    const sheet = Buffer.from(unzipSync(content)['xl/worksheets/sheet1.xml']!).toString();
    expect(sheet.match(/<row /g)).toHaveLength(10_001);
  });
});

describe('a table as CSV', () => {
  test('is the same for every reader: commas, points, ISO times in UTC, no formula', async () => {
    expect((await csvFile(table, english)).toString()).toBe(
      [
        "\uFEFFPerson,Percentage,Submitted (UTC),'=Department,Reminded (UTC)",
        "Zoë Åberg,49.5,2026-07-01T22:30:00.000Z,'=1+1,2026-07-01T22:30:00.000Z 2026-07-02T22:30:00.000Z",
        '"كريم; ""Kim""",,," a\r\nb _x0041_ <&> 👩🏽‍🚒",',
        '李小龍,-3,2026-07-01T22:30:00.000Z,“كريم” failed,',
        '',
      ].join('\r\n'),
    );
  });
});

const pictureFile = createPictureFiles();
const render = createRender(standardNames);
const written = async (text: string, as = render) =>
  pictureFile(
    {
      width: 120,
      height: 40,
      shapes: [
        { kind: 'box', x: 0, y: 0, width: 120, height: 40, color: '#ffffff' },
        { kind: 'line', x: 100, y: 8, path: 'M4 8H12', color: '#000000' },
        { kind: 'text', x: 4, y: 26, width: 90, text, size: 16, color: '#000000' },
      ],
    },
    as,
  );

test('its fonts have the letters of the six languages, of Arabic and of Hebrew, and emoji leave no empty box', async () => {
  // A letter that no font has is a box. Each of the others is in a file of its own.
  const box = await written('\uE000');
  const letters = await Promise.all(['ß', 'ł', 'ш', 'Ω', 'ש', 'م'].map(async (letter) => written(letter)));
  expect(letters.filter((letter) => letter.equals(box))).toEqual([]);
  expect(new Set(letters.map((letter) => letter.toString('base64'))).size).toBe(letters.length);
  expect(await written('Rosa 🌹👩‍🚒 Almeida')).toEqual(await written('Rosa Almeida'));
});

test('letters of Arabic are joined, and stand from right to left', async () => {
  const joined = await written('محمد');
  expect(await written('م\u200Cح\u200Cم\u200Cد')).not.toEqual(joined);
  expect(await written('\u202Dمحمد\u202C')).not.toEqual(joined);
});

test('a picture becomes a PNG with two pixels for one in the language of the reader, and one that can’t be drawn fails alone', async () => {
  const png = await written('Alle');
  expect(png.subarray(0, 8)).toEqual(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([240, 80]);
  const broken = pictureFile(
    { width: 10, height: 10, shapes: [{ kind: 'line', x: 0, y: 0, path: 'no path', color: '#000000' }] },
    render,
  );
  const next = written(say`Everyone`, await renderFor('de'));
  await expect(broken).rejects.toThrow();
  expect(await next).toEqual(png);
});

const dangerous = /^[=+\-@\t\r\n＝＋－＠]/u;
const withoutApostrophes = (text: string) => text.replaceAll("'", '');

/** The first characters of the cells that a spreadsheet can create when it splits at semicolons and ignores quotes. */
function cellsBetweenSemicolons(text: string): string[] {
  return text.split(/[;\t\r\n]/).map((cell) => cell.replace(/^[\s"]+/, ''));
}

/** Parses CSV according to RFC 4180. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  const cells = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  for (const [, inQuotes, bare, end] of text.matchAll(cells)) {
    rows.at(-1)?.push(inQuotes?.replaceAll('""', '"') ?? bare ?? '');
    if (end === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
}

describe('a CSV file', () => {
  test('starts with a byte order mark, from which spreadsheets detect UTF-8, and ends each row with CR LF', () => {
    expect(
      formatCsv([
        ['Name', 'Score'],
        ['Rosa', 90],
      ]),
    ).toBe('\uFEFFName,Score\r\nRosa,90\r\n');
  });

  test('quotes cells with commas, quotes or line breaks', () => {
    expect(formatCsv([['a,b', 'say "hi"', 'two\nlines', 'two\r\nlines', 'plain']])).toBe(
      '\uFEFF"a,b","say ""hi""","two\nlines","two\r\nlines",plain\r\n',
    );
  });

  test('defuses formulas and keeps numbers', () => {
    expect(
      formatCsv([['=1+1', '+49', '-x', '@SUM(A1)', '\tx', '\rx', '=HYPERLINK("http://x","y")', -3.5, '3-4', "it's"]]),
    ).toBe(`\uFEFF'=1+1,'+49,'-x,'@SUM(A1),"'\tx","'\rx","'=HYPERLINK(""http://x"",""y"")",-3.5,3-4,it's\r\n`);
  });

  test('defuses formulas for spreadsheets that split cells at semicolons', () => {
    expect(formatCsv([['Rosa;=1+1', 'a; "@x"', 'a,\n-1', 'yes; no']])).toBe(
      `\uFEFF"Rosa;'=1+1","a; ""'@x""","a,\n'-1","yes; no"\r\n`,
    );
    const texts = fc.string({
      unit: fc.constantFrom('=', '+', '-', '@', ';', ',', '"', "'", ' ', '\t', '\r', '\n', '＝', 'a', '1'),
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constant('first'), texts, texts)), (rows) => {
        expect(cellsBetweenSemicolons(formatCsv(rows).slice(1)).filter((cell) => dangerous.test(cell))).toEqual([]);
      }),
    );
  });

  test('reads back as it was written and contains no formula that a spreadsheet would run', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '"', ',', '＝')
        .chain((first) => fc.string().map((rest) => first + rest)),
    );
    const cell = fc.oneof(texts, fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }));
    const tables = fc
      .integer({ min: 1, max: 5 })
      .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width })));
    fc.assert(
      fc.property(tables, (rows) => {
        const read = readCsv(formatCsv(rows).slice(1));
        expect(read.map((row) => row.map(withoutApostrophes))).toEqual(
          rows.map((row) => row.map((value) => withoutApostrophes(String(value)))),
        );
        const cells = rows.flatMap((row, r) =>
          row.map((value, c) => (typeof value === 'string' ? (read[r]?.[c] ?? '') : '')),
        );
        expect(cells.filter((text) => dangerous.test(text))).toEqual([]);
      }),
    );
  });

  test('has its apostrophes taken off again, and no other', () => {
    const texts = fc.oneof(
      fc.string({
        unit: fc.constantFrom('=', '+', '-', '@', ';', ',', '"', "'", ' ', '\t', '\r', '\n', '＝', 'a', '1'),
      }),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(
        texts,
        (text) =>
          readCsv(formatCsv([[text, 'end']]).slice(1)).map(([cell]) => withoutAddedApostrophes(cell ?? ''))[0] === text,
      ),
      { numRuns: runs(1_000) },
    );
    expect(["'=1+1", "''=1+1", "O'Brien", "'til", "'"].map(withoutAddedApostrophes)).toEqual([
      '=1+1',
      "'=1+1",
      "O'Brien",
      "'til",
      "'",
    ]);
  });

  test.each([' ', "'", '"', '=', ' =', "'=", ';', '\t'])('costs no more time for a cell of “%s”', (piece) => {
    const growth = growthOf((length) => {
      const [cell = ''] = formatCsv([[piece.repeat(length / piece.length)]]).split('\r\n');
      withoutAddedApostrophes(cell);
    }, 200_000);
    expect(growth).toBeLessThan(20);
  });
});

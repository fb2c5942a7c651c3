import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatCsv, withoutAddedApostrophes } from '../../src/operations/table-file.ts';
import { growthOf } from '../support/measurements.ts';

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
        const written = rows.flatMap((row, r) =>
          row.map((value, c) => (typeof value === 'string' ? (read[r]?.[c] ?? '') : '')),
        );
        expect(written.filter((text) => dangerous.test(text))).toEqual([]);
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
      { numRuns: 5_000 },
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
      const [written = ''] = formatCsv([[piece.repeat(length / piece.length)]]).split('\r\n');
      withoutAddedApostrophes(written);
    }, 200_000);
    expect(growth).toBeLessThan(20);
  });
});

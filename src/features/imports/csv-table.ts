import { amount, say } from '../../domain/said.ts';
import { Readable } from 'node:stream';
import { setImmediate as pause } from 'node:timers/promises';
import { CsvError, parse, type CsvErrorCode, type Options } from 'csv-parse';
import { parse as parseAtOnce } from 'csv-parse/sync';
import { decodeText } from './csv-text.ts';
import type { Encoding, Letters } from './letters.ts';

/** A table as a spreadsheet program wrote it. */
export interface CsvTable {
  header: readonly string[];
  rows: readonly CsvRow[];
  /** Left out for a file in Unicode. */
  letters?: Letters | undefined;
}

export interface CsvRow {
  /** The line of the file where the row begins, from 1. */
  line: number;
  cells: readonly string[];
}

/** A sentence of `domain/sentence.ts`: why the file cannot be read, and what to do. */
export interface CsvProblem {
  problem: string;
}

/** In UTF-16 units. A row of people takes some hundred. */
const rowLengthAtMost = 20_000;
const columnsAtMost = 200;
/** Parsed at a time; other work goes on in between. */
const sliceLength = 64 * 1024;

const delimiters = [',', ';', '\t', '|'] as const;

const options = {
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  // As spreadsheets do: a quotation mark within a cell that has none around it is a letter.
  relax_quotes: true,
  skip_empty_lines: true,
  max_record_size: rowLengthAtMost,
  info: true,
} as const satisfies Options;

/**
 * Reads a CSV file: the delimiter, the encoding and the line ends are found out. Blank lines and empty rows are left out, and
 * so are empty cells behind the last column.
 *
 * @param isKnown whether a cell of the first row is the title of a column that means something. The delimiter that gives the
 *   most of them is the right one.
 * @param said how its letters are written, as a person said
 */
export async function readCsvTable(
  content: Buffer,
  isKnown: (title: string) => boolean,
  said?: Encoding,
): Promise<CsvTable | CsvProblem> {
  if (content.length > fileBytesAtMost) return { problem: tooBig };
  const decoded = decodeText(content, said);
  if ('problem' in decoded) return decoded;
  const { text, delimiter, linesBefore } = withDelimiter(decoded.text, isKnown);

  const rows: CsvRow[] = [];
  let line = linesBefore + 1;
  let blankLines = 0;
  try {
    for await (const { record, info } of parsed(text, delimiter)) {
      // `lines` counts up to the end of the row, with the blank lines before it.
      const begins = line + info.empty_lines - blankLines;
      line = linesBefore + info.lines + 1;
      blankLines = info.empty_lines;
      const cells = withoutEmptyEnd(record);
      if (cells.length === 0) continue;
      rows.push({ line: begins, cells });
      if (rows.length > rowsAtMost + 1)
        return {
          problem: say`The file has more than ${amount(rowsAtMost)} rows. Split it into several files.`,
        };
    }
  } catch (error) {
    if (error instanceof CsvError) return { problem: problemAt(line, error.code) };
    throw error;
  }
  const [first, ...others] = rows;
  if (first === undefined) return { problem: say`The file is empty.` };
  if (first.cells.length > columnsAtMost) return { problem: say`The file has more than ${columnsAtMost} columns.` };
  return { header: first.cells.map((title) => title.trim()), rows: others, letters: decoded.letters };
}

interface ParsedRow {
  record: string[];
  info: { lines: number; empty_lines: number };
}

function parsed(text: string, delimiter: string): AsyncIterable<ParsedRow> {
  return Readable.from(slicesOf(text)).compose(parse({ ...options, delimiter })) as AsyncIterable<ParsedRow>;
}

async function* slicesOf(text: string): AsyncGenerator<string, void> {
  for (let at = 0; at < text.length; at += sliceLength) {
    yield text.slice(at, at + sliceLength);
    await pause();
  }
}

/** The text without a first line `sep=;`, by which Excel finds the delimiter. */
function withDelimiter(
  text: string,
  isKnown: (title: string) => boolean,
): { text: string; delimiter: string; linesBefore: number } {
  const [stated, separator] = /^"?sep=([,;|\t])"?(?:\r\n|\n|\r)/i.exec(text) ?? [];
  if (stated !== undefined && separator !== undefined)
    return { text: text.slice(stated.length), delimiter: separator, linesBefore: 1 };
  const known = delimiters.map((delimiter) => ({ delimiter, ...countsOf(firstRow(text, delimiter), isKnown) }));
  const [best] = known.toSorted((a, b) => b.known - a.known || b.all - a.all);
  return { text, delimiter: best?.delimiter ?? ',', linesBefore: 0 };
}

function countsOf(titles: readonly string[], isKnown: (title: string) => boolean): { known: number; all: number } {
  return { known: titles.filter(isKnown).length, all: titles.length };
}

function firstRow(text: string, delimiter: string): string[] {
  try {
    const [first] = parseAtOnce(text.slice(0, 2 * rowLengthAtMost), {
      ...options,
      delimiter,
      to: 1,
    }) as unknown as ParsedRow[];
    return first?.record ?? [];
  } catch (error) {
    if (error instanceof CsvError) return [];
    throw error;
  }
}

function withoutEmptyEnd(cells: readonly string[]): readonly string[] {
  return cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1);
}

function problemAt(line: number, code: CsvErrorCode): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED')
    return say`A quotation mark in line ${line} or below is never closed. Correct the file, then try again.`;
  if (code === 'CSV_MAX_RECORD_SIZE')
    return say`The row that begins in line ${line} is too long. A quotation mark may be missing there.`;
  return say`The bot can’t read the row that begins in line ${line}.`;
}

/** What an import takes. */
export const fileBytesAtMost = 5_000_000;
export const rowsAtMost = 5_000;

export const tooBig = say`The file is larger than ${fileBytesAtMost / 1_000_000} MB. Split it into several files.`;

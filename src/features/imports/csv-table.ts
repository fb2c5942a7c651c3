import { amount, inEnglish, say } from '../../domain/said.ts';
import { Readable } from 'node:stream';
import { setImmediate as pause } from 'node:timers/promises';
import { CsvError, parse, type CsvErrorCode, type Options } from 'csv-parse';
import { parse as parseAtOnce } from 'csv-parse/sync';
import { isFullAddress } from '../../domain/address.ts';
import { fileBytesAtMost, rowsAtMost, tooBig } from '../../operations/fields/file.ts';
import { decodeText, type Encoding, type Letters } from './letters.ts';
import { isArchive, readWorkbook } from './workbook.ts';

/** A table as a spreadsheet program wrote it. */
export interface CsvTable {
  header: readonly string[];
  rows: readonly CsvRow[];
  /** The rows that are no people: above the titles, an example, a total. */
  besides?: readonly CsvRow[];
  /** Left out for a file in Unicode. */
  letters?: Letters | undefined;
  /** Of a workbook with several. `isSure`: a person said which, or only one has titles of people. */
  sheets?: { names: readonly string[]; at: number; isSure: boolean };
}

export interface CsvRow {
  /** The line of the file where the row begins, from 1. */
  line: number;
  cells: readonly string[];
}

/** A sentence of `domain/said.ts`: why the file cannot be read, and what to do. */
export interface CsvProblem {
  problem: string;
}

const tooManyRows = say`The file has more than ${amount(rowsAtMost)} rows. Split it into several files.`;

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
 * Reads a workbook, or a CSV file: the delimiter, the encoding and the line ends are found out. Blank lines and empty rows are left out, and
 * so are empty cells behind the last column.
 *
 * @param isKnown whether a cell of the first row is the title of a column that means something. The delimiter that gives the
 *   most of them is the right one.
 * @param said how its letters are written, and which of its sheets has the people, from 0, as a person said
 */
export async function readTableFile(
  content: Buffer,
  isKnown: (title: string) => boolean,
  said: { letters?: Encoding | undefined; sheet?: number | undefined } = {},
): Promise<CsvTable | CsvProblem> {
  if (content.length > fileBytesAtMost) return { problem: tooBig };
  if (isArchive(content)) return readSheets(content, isKnown, said.sheet);
  const decoded = decodeText(content, said.letters);
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
      if (rows.length > rowsAtMost + 1) return { problem: tooManyRows };
    }
  } catch (error) {
    if (error instanceof CsvError) return { problem: problemAt(line, error.code) };
    throw error;
  }
  const table = tableOf(rows, isKnown);
  return 'problem' in table ? table : { ...table, letters: decoded.letters };
}

async function readSheets(
  content: Buffer,
  isKnown: (title: string) => boolean,
  said?: number,
): Promise<CsvTable | CsvProblem> {
  const workbook = await readWorkbook(content);
  if ('problem' in workbook) return workbook;
  const { sheets } = workbook;
  const known = sheets.map(({ rows }) => {
    const titles = beginningOf(rows);
    return countsOf(titles[rowOfTitles(titles, isKnown)] ?? [], isKnown).known;
  });
  const ofPeople = known.filter((count) => count >= 2).length;
  const at = sheets[said ?? -1] === undefined ? Math.max(0, known.indexOf(Math.max(...known))) : said!;
  const table = tableOf(
    (sheets[at]?.rows ?? []).map(({ line, cells }) => ({ line, cells: withoutEmptyEnd(cells.map(inEnglish)) })),
    isKnown,
  );
  if ('problem' in table || sheets.length < 2) return table;
  const names = sheets.map(({ name }) => inEnglish(name));
  return { ...table, sheets: { names, at, isSure: said !== undefined || ofPeople === 1 } };
}

/** The rows of a file as a table, whose titles are found. */
function tableOf(rows: readonly CsvRow[], isKnown: (title: string) => boolean): CsvTable | CsvProblem {
  if (rows.length > rowsAtMost + 1) return { problem: tooManyRows };
  const at = rowOfTitles(beginningOf(rows), isKnown);
  const [first, ...others] = rows.slice(at);
  if (first === undefined) return { problem: say`The file is empty.` };
  if (first.cells.length > columnsAtMost) return { problem: say`The file has more than ${columnsAtMost} columns.` };
  const besides = [...rows.slice(0, at), ...others.filter(isNoPerson)];
  return {
    header: first.cells.map((title) => title.trim()),
    rows: others.filter((row) => !isNoPerson(row)),
    besides: besides.length > 0 ? besides : undefined,
  };
}

/** Programs write a title, a version or a date above the titles of columns. */
const titlesWithin = 20;

function beginningOf(rows: readonly CsvRow[]): (readonly string[])[] {
  return rows.slice(0, titlesWithin).map(({ cells }) => cells);
}

/** The row with the most known titles, above the first person; the first one where no row has two. */
function rowOfTitles(rows: readonly (readonly string[])[], isKnown: (title: string) => boolean): number {
  const person = rows.findIndex((cells) => cells.some((cell) => isFullAddress(cell.trim())));
  const counts = rows.slice(0, person === -1 ? undefined : person).map((cells) => countsOf(cells, isKnown).known);
  const most = Math.max(0, ...counts);
  return most < 2 || (counts[0] ?? 0) >= 2 ? 0 : counts.indexOf(most);
}

/** An example that a template brings, and a total, which has no address. */
function isNoPerson({ cells }: CsvRow): boolean {
  const first = cells.find((cell) => cell.trim() !== '')?.trim() ?? '';
  if (/^(?:example|beispiel|exemple|ejemplo|voorbeeld|przykład|esempio|exemplo)\s*:/i.test(first)) return true;
  const isTotal =
    /^(?:grand )?(?:total|summe|gesamt|anzahl|somme|suma|totaal|razem|totale|count)(?: (?:of )?(?:users|people|employees|records|rows|mitarbeiter|personen|zeilen))?(?:\s*[:=(].*|\s*\d.*)?$/i.test(
      first,
    );
  return isTotal && cells.filter((cell) => cell.trim() !== '').length <= 3 && !cells.some((cell) => cell.includes('@'));
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
  const known = delimiters.map((delimiter) => {
    const rows = firstRows(text, delimiter);
    return { delimiter, ...countsOf(rows[rowOfTitles(rows, isKnown)] ?? [], isKnown) };
  });
  const [best] = known.toSorted((a, b) => b.known - a.known || b.all - a.all);
  return { text, delimiter: best?.delimiter ?? ',', linesBefore: 0 };
}

function countsOf(titles: readonly string[], isKnown: (title: string) => boolean): { known: number; all: number } {
  return { known: titles.filter(isKnown).length, all: titles.length };
}

/** The rows among which the titles are; the first one where the others are broken or long. */
function firstRows(text: string, delimiter: string): string[][] {
  for (const to of [titlesWithin, 1]) {
    try {
      const rows = parseAtOnce(text.slice(0, 2 * rowLengthAtMost), { ...options, delimiter, to });
      return (rows as unknown as ParsedRow[]).map(({ record }) => record);
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
    }
  }
  return [];
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

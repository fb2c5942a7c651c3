import { dayMs } from '../domain/durations.ts';
import { pipeline } from 'node:stream/promises';
import { setImmediate as pause } from 'node:timers/promises';
import { crc32, createDeflateRaw } from 'node:zlib';
import { withoutIsolates, isSaid } from '../domain/said.ts';
import type { ZipInputFile } from 'fflate';
import { wallClock } from '../time/wall-clock.ts';
import type { Render } from '../words/render.ts';
import type { OperationContext } from './context.ts';
import { zoneOf } from './dates/typed-time.ts';
import type { ChoiceField } from './fields/choice.ts';
import type { FileTable, OutgoingTable, TableCell } from './services/files.ts';

/** Whether somebody who typed `csv` gets the plain file. */
export const csvField = {
  kind: 'choice',
  label: 'File',
  options: [{ value: 'csv', label: 'CSV' }],
  optional: true,
  typedOnly: true,
} as const satisfies ChoiceField;

/** Whether they get a picture, or the plain file. */
export const csvOrPictureField = {
  ...csvField,
  options: [...csvField.options, { value: 'picture', label: 'Picture', also: ['as picture', 'as a picture', 'png'] }],
} as const satisfies ChoiceField;

/** A table to send: what `csvField` took says as what. Rows that are all there are one part. */
export function outgoingTable(
  context: Pick<OperationContext, 'requester' | 'timeZone'>,
  table: FileTable,
  form?: string,
): OutgoingTable {
  return { table, timeZone: zoneOf(context), isPlain: form === 'csv' };
}

/** The same for every reader, as docs/commands.md#files describes it. @param render writes what is said in English */
export async function csvFile({ columns, parts }: FileTable, render: Render): Promise<Buffer> {
  const english = (text: string) => (isSaid(text) ? withoutIsolates(render(text)) : text);
  const isoTime = (atMs: number) => new Date(atMs).toISOString();
  const titles = columns.map(({ title, kind }) => (kind === 'moment' ? `${english(title)} (UTC)` : english(title)));
  const written = [Buffer.from(formatCsv([titles]))];
  for await (const rows of inSlices(parts)) {
    const cells = rows.map((row) =>
      row.map((cell, at) => {
        if (cell === null) return '';
        if (typeof cell === 'string') return english(cell);
        if (typeof cell === 'number') return columns[at]?.kind === 'moment' ? isoTime(cell) : cell;
        return cell.map(isoTime).join(' ');
      }),
    );
    written.push(Buffer.from(formatRows(cells)));
  }
  return Buffer.concat(written);
}

/** The styles of cells, by their place in `styles`. */
const [plain, heading, moment, harmless] = [0, 1, 2, 3];

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const related = 'http://schemas.openxmlformats.org/package/2006/relationships';
const contentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Everything of a workbook but its sheet. Number format 22 is a day and a time as the reader’s country writes them. */
const otherParts = (sheetName: string): Readonly<Record<string, string>> => ({
  '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${contentType}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${contentType}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${contentType}.styles+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${related}"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><bookViews><workbookView/></bookViews><sheets><sheet name="${xmlText(sheetName)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${related}"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': `<styleSheet xmlns="${main}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf/><xf fontId="1" applyFont="1" applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf><xf numFmtId="22" applyNumberFormat="1"/><xf quotePrefix="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`,
});

/** Excel takes no more letters in a cell, and in the name of a sheet. */
const [lettersAtMost, sheetNameAtMost] = [32_767, 31];
/** How the ZIP format calls it: APPNOTE.TXT, section 4.4.5. The usual level makes a tenth less of it, in half as long again. */
const [deflated, level] = [8, 3];
/** From 30 December 1899, from which workbooks count days, to 1970. */
const daysBefore1970 = 25_569;

/**
 * A workbook (.xlsx) of one sheet, with numbers as numbers, moments on the clock of a zone, a heading that stays and filters.
 * Libraries that write workbooks hold all cells at once: 50,000 responses block the bot for 4 seconds and take 500 MB.
 *
 * @param render writes what is said for the reader
 */
export async function workbookFile(
  { columns, parts }: FileTable,
  { name, render: renderSaid, timeZone }: { name: string; render: Render; timeZone: string },
): Promise<Buffer> {
  const render = (text: string) => (isSaid(text) ? renderSaid(text) : text);
  const { Zip, ZipPassThrough } = await import('fflate');
  const chunks: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    chunks.push(chunk);
  });
  for (const [path, xml] of Object.entries(otherParts(fileName(name).slice(0, sheetNameAtMost)))) {
    const part = new ZipPassThrough(path);
    zip.add(part);
    part.push(Buffer.from(`${declaration}${xml}`), true);
  }

  const clock = wallClock(timeZone);
  const titles = columns.map(({ title, kind }) =>
    kind === 'moment' ? `${render(title)} (${timeZone})` : render(title),
  );
  const widths = columns.map(({ kind }, at) => (kind === 'text' ? Math.min(40, titles[at]!.length + 12) : 18));
  const names = columns.map((_, at) => columnName(at));
  const sheet: ZipInputFile = { filename: 'xl/worksheets/sheet1.xml', compression: deflated, size: 0, crc: 0 };
  zip.add(sheet);
  await pipeline(sheetXml, createDeflateRaw({ level }), async (packed: AsyncIterable<Uint8Array<ArrayBuffer>>) => {
    for await (const chunk of packed) sheet.ondata?.(null, chunk, false);
  });
  sheet.ondata?.(null, new Uint8Array(), true);
  zip.end();
  return Buffer.concat(chunks);

  async function* sheetXml(): AsyncGenerator<Buffer, void> {
    const cols = widths.map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`);
    const frozen = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>';
    const views = `<sheetViews><sheetView workbookViewId="0">${frozen}</sheetView></sheetViews>`;
    yield counted(`${declaration}<worksheet xmlns="${main}">${views}<cols>${cols.join('')}</cols><sheetData>`);
    yield counted(rowOf(1, (at) => textCell(`${names[at]}1`, titles[at]!, heading)));
    let line = 1;
    for await (const rows of inSlices(parts))
      yield counted(
        rows.map((row) => rowOf((line += 1), (at) => cellAt(`${names[at]}${line}`, row[at] ?? null, at))).join(''),
      );
    yield counted(`</sheetData><autoFilter ref="A1:${names.at(-1)}${line}"/></worksheet>`);
  }

  /** Behind a packed file stand the size and the checksum of what was packed. */
  function counted(xml: string): Buffer {
    const bytes = Buffer.from(xml);
    sheet.size += bytes.length;
    sheet.crc = crc32(bytes, sheet.crc);
    return bytes;
  }

  function rowOf(at: number, cell: (at: number) => string): string {
    return `<row r="${at}">${columns.map((_, place) => cell(place)).join('')}</row>`;
  }

  function cellAt(place: string, cell: TableCell, at: number): string {
    if (cell === null || cell === '') return '';
    if (typeof cell === 'string') return textCell(place, render(cell), isFormula(cell) ? harmless : plain);
    if (typeof cell !== 'number') return textCell(place, cell.map(shownMoment).join(', '), plain);
    const isMoment = columns[at]?.kind === 'moment';
    const value = isMoment ? clock.shownAt(cell) / dayMs + daysBefore1970 : cell;
    return `<c r="${place}" s="${isMoment ? moment : plain}"><v>${value}</v></c>`;
  }

  function shownMoment(atMs: number): string {
    return new Date(clock.shownAt(atMs)).toISOString().slice(0, 'yyyy-MM-ddTHH:mm'.length).replace('T', ' ');
  }
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const rowsInSlice = 200;

/** Other work goes on in between. */
async function* inSlices(parts: FileTable['parts']): AsyncGenerator<readonly (readonly TableCell[])[], void> {
  for await (const rows of parts)
    for (let at = 0; at < rows.length; at += rowsInSlice) {
      yield rows.slice(at, at + rowsInSlice);
      await pause();
    }
}

function textCell(place: string, text: string, style: number): string {
  return `<c r="${place}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`;
}

/** `A` for the first column, `AA` for the 27th. */
function columnName(at: number): string {
  return `${at < 26 ? '' : columnName(Math.floor(at / 26) - 1)}${String.fromCharCode(65 + (at % 26))}`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};

/** Without what XML can’t hold. `_x0041_` is how workbooks write such letters. */
function xmlText(text: string): string {
  return text
    .slice(0, lettersAtMost)
    .toWellFormed()
    .replaceAll(/(?![\t\n\r])\p{Cc}|[\uFFFE\uFFFF]/gu, '')
    .replaceAll(/_(?=x[\dA-F]{4}_)/gi, '_x005F_')
    .replaceAll(/[&<>"\r]/g, (sign) => entities[sign] ?? sign);
}

/** A name from outside in the letters, digits and signs that every system accepts in the name of a file. */
export function fileName(name: string): string {
  return (
    name
      .replaceAll(/[^\p{L}\p{M}\p{N} ._-]+/gu, ' ')
      .replaceAll(/\s+/g, ' ')
      .slice(0, 80)
      .trim() || 'quiz'
  );
}

const byteOrderMark = '\uFEFF';

/**
 * Rows as a CSV file (RFC 4180) that spreadsheets open as UTF-8. Numbers stay numbers. A text that a spreadsheet would
 * run as a formula gets an apostrophe in front (https://owasp.org/www-community/attacks/CSV_Injection).
 */
export function formatCsv(rows: readonly (readonly (string | number)[])[]): string {
  return byteOrderMark + formatRows(rows);
}

/** Rows that follow others in such a file. */
export function formatRows(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.map(formatCell).join(',')}\r\n`).join('');
}

function formatCell(value: string | number): string {
  return typeof value === 'number' ? String(value) : quote(defuse(value));
}

/**
 * The sign a formula begins with, at the beginning of a text and behind any separator of cells. Where a comma marks
 * decimals, spreadsheets separate cells with semicolons, and the quotes of RFC 4180 do not protect a text there. Some
 * spreadsheets take full-width signs for the usual ones. A sign behind apostrophes gets another one, so that each can be
 * taken off again. Time in proportion to the length: what stands before one sign is not looked at for another.
 */
const formulaSigns = /[=+\-@＝＋－＠](?<=(?:^|[;,|\t\r\n])[\s"]*'*[=+\-@＝＋－＠])/gu;
const addedApostrophes = /'(?=[=+\-@＝＋－＠])(?<=(?:^|[;,|\t\r\n])[\s"]*'+)/gu;

function defuse(text: string): string {
  const tamed = text.replaceAll(formulaSigns, "'$&");
  return /^'*[\t\r\n]/.test(tamed) ? `'${tamed}` : tamed;
}

/** Whether a spreadsheet would run the text, or a part of it. */
function isFormula(text: string): boolean {
  return defuse(text) !== text;
}

/** A cell that `formatCsv` wrote, as the text it was. */
export function withoutAddedApostrophes(cell: string): string {
  const tamed = /^'+[\t\r\n]/.test(cell) ? cell.slice(1) : cell;
  return tamed.replaceAll(addedApostrophes, '');
}

function quote(text: string): string {
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

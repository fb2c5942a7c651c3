import { parentPort, workerData } from 'node:worker_threads';
import { inflateRawSync } from 'node:zlib';
import { zipSync } from 'fflate';
import readSheets from 'read-excel-file/universal';
import type { Packed, Sheet, WorkbookAnswer } from './workbook.ts';

/** Reads a workbook in a thread of its own, which `workbook.ts` starts. */
const { content, parts, columnsAtMost } = workerData as {
  content: Uint8Array;
  parts: readonly Packed[];
  columnsAtMost: number;
};

/** As many as an import takes, and as many again that are empty or no people. */
const rowsAtMost = 10_000;
/** As of a row of a CSV file, in UTF-16 units: a cell that many rows share would be sent with each. */
const rowLengthAtMost = 20_000;

const answer = await read().catch((): WorkbookAnswer => ({ wrong: 'broken' }));
parentPort?.postMessage(answer);

async function read(): Promise<WorkbookAnswer> {
  const files: Record<string, Uint8Array> = {};
  for (const part of parts) {
    const bytes = unpacked(part);
    if (!/^xl\/worksheets\/[^/]+$/.test(part.name)) files[part.name] = bytes;
    else {
      const sheet = withoutEmpty(Buffer.from(bytes).toString());
      const wrong = tooMuchIn(sheet);
      if (wrong) return { wrong };
      files[part.name] = Buffer.from(sheet);
    }
  }
  const { buffer } = zipSync(files, { level: 0 });
  const sheets = (await readSheets(buffer)).map(({ sheet, data }): Sheet => ({
    name: sheet,
    rows: data.flatMap((row, at) => {
      const cells = row.map(textOf);
      return cells.some((cell) => cell.trim() !== '') ? [{ line: at + 1, cells }] : [];
    }),
  }));
  const isLong = sheets.some(({ rows }) => rows.some(({ cells }) => cells.join('').length > rowLengthAtMost));
  return isLong ? { wrong: 'broken' } : { sheets: sheets.filter(({ rows }) => rows.length > 0) };
}

/** @throws where it is more than the archive says */
function unpacked({ size, packedSize, isDeflated, at }: Packed): Uint8Array {
  const archive = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const from = at + 30 + archive.readUInt16LE(at + 26) + archive.readUInt16LE(at + 28);
  const packed = archive.subarray(from, from + packedSize);
  return isDeflated ? inflateRawSync(packed, { maxOutputLength: Math.max(size, 1) }) : packed;
}

/** Cells and rows that only have a format go up to the last row of a sheet. The reader leaves out errors, which people must see. */
function withoutEmpty(sheet: string): string {
  return sheet
    .replaceAll(/<c [^<>]*\/>|<c [^<>]*><\/c>/g, '')
    .replaceAll(/<row [^<>]*\/>|<row [^<>]*>\s*<\/row>/g, '')
    .replaceAll(/(<c [^<>]*\bt=")e(?=")/g, '$1str');
}

/** Whether a sheet has more rows or columns than can be a list, or a cell far from the others. */
function tooMuchIn(sheet: string): 'long' | 'wide' | undefined {
  let rows = 0;
  for (const [, line] of sheet.matchAll(/<row [^<>]*?\br="(\d+)"/g))
    if (Number(line) > 2 * rowsAtMost || (rows += 1) > rowsAtMost) return 'long';
  for (const [, letters = ''] of sheet.matchAll(/<c [^<>]*?\br="([A-Z]+)\d+"/g)) {
    const column = Array.from(letters).reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 64, 0);
    if (column > columnsAtMost) return 'wide';
  }
  return undefined;
}

/** A moment is a millisecond off in workbooks. Numbers of more digits than they keep look as they show them. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Date) {
    const text = new Date(1000 * Math.round(value.getTime() / 1000))
      .toISOString()
      .slice(0, 'yyyy-MM-ddTHH:mm:ss'.length);
    return text.endsWith('T00:00:00') ? text.slice(0, 'yyyy-MM-dd'.length) : text;
  }
  if (typeof value === 'number') return Math.abs(value) < 1e15 ? String(value) : value.toExponential().toUpperCase();
  return typeof value === 'boolean' ? String(value) : '';
}

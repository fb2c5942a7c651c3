import readWorkbook from 'read-excel-file/node';
import { standardNames } from '../../src/domain/own-names.ts';
import type { OutgoingFile, FileTable } from '../../src/operations/services/files.ts';
import { csvFile } from '../../src/operations/table-file.ts';
import { createRender } from '../../src/words/render.ts';
import { unzipSync } from 'fflate';

/** A table as the plain file has it, without the byte order mark. */
export async function csvOf(table: FileTable): Promise<string> {
  return (await csvFile(table, createRender(standardNames))).toString().slice(1);
}

/** The table of a file that was sent, likewise. */
export async function sentTable(file: OutgoingFile | undefined): Promise<string | undefined> {
  return file && 'table' in file.content ? csvOf(file.content.table) : undefined;
}

/** A file that arrived: a workbook as lines of cells, quoted as in CSV where they have to be; any other as its text. */
export async function textOfSent(url: string): Promise<string> {
  return textOfTable(Buffer.from(await (await fetch(url)).arrayBuffer()));
}

/** Likewise, by its content. */
export async function textOfTable(bytes: Buffer): Promise<string> {
  if (bytes.toString('latin1', 0, 2) !== 'PK') return bytes.toString().replace('\uFEFF', '');
  const [sheet] = await readWorkbook(bytes);
  const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const textIn = (cell: unknown) =>
    cell instanceof Date ? cell.toISOString() : `${(cell as string | number | null) ?? ''}`;
  return (sheet?.data ?? []).map((row) => `${row.map((cell) => quoted(textIn(cell))).join(',')}\r\n`).join('');
}

/** What somebody reads in a file: its text, or the names and texts of everything in a ZIP file, also of one in another. */
export function textOfFile(content: Uint8Array): string {
  if (!isZip(content)) return Buffer.from(content).toString();
  // The comment of a ZIP file stands behind its list of files, uncompressed.
  const parts = Object.entries(unzipSync(content)).map(([name, inside]) => `${name}\n${textOfFile(inside)}`);
  return [...parts, Buffer.from(content.subarray(-1_000)).toString('latin1')].join('\n');
}

function isZip(content: Uint8Array): boolean {
  return [0x50, 0x4b, 0x03, 0x04].every((byte, place) => content[place] === byte);
}

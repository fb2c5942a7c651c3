import readWorkbook from 'read-excel-file/node';
import { standardNames } from '../../src/domain/own-names.ts';
import type { OutgoingFile } from '../../src/operations/services/files.ts';
import { csvFile } from '../../src/operations/table-file.ts';
import type { FileTable } from '../../src/operations/services/files.ts';
import { createRender } from '../../src/words/render.ts';

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

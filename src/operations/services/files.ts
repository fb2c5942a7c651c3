import type { Readable } from 'node:stream';

/** A file on the platform. */
export interface FileReference {
  id: string;
  name: string;
}

/** The content of a file, or a sentence that says why it cannot be read. */
export type IncomingFile = { content: Buffer } | { problem: string };

/** A file that is sent to a person. The name of a table has no extension. */
export interface OutgoingFile {
  name: string;
  /** The text that goes with it, plain. */
  comment: string;
  content: Buffer | OutgoingStream | OutgoingTable;
}

/** A table, which is written for its reader where it leaves the bot. `isPlain`: as CSV. */
export interface OutgoingTable {
  table: FileTable;
  timeZone: string;
  isPlain: boolean;
}

interface OutgoingStream {
  stream: Readable;
  /** In bytes; exactly what the stream holds. */
  length: number;
}

/** A column of a file. Cells of moments are milliseconds since the epoch. Titles and texts may be said. */
export interface TableColumn {
  title: string;
  kind: 'text' | 'number' | 'moment';
}

/** Empty or null where nothing is known. Several moments are a text. */
export type TableCell = string | number | null | readonly number[];

/** A table that is sent as a file: as a workbook for people, or as CSV for machines. */
export interface FileTable {
  columns: readonly TableColumn[];
  /** Rows in parts, so that memory never holds all cells. */
  parts: AsyncIterable<readonly TableCell[][]> | Iterable<readonly TableCell[][]>;
}

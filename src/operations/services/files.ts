import type { Readable } from 'node:stream';

/** A file on the platform. */
export interface FileReference {
  id: string;
  name: string;
}

/** The content of a file, or a sentence that says why it cannot be read. */
export type IncomingFile = { content: Buffer } | { problem: string };

/** A file that is sent to a person. The name of a table or picture has no extension. */
export interface OutgoingFile {
  name: string;
  /** The text that goes with it, plain. */
  comment: string;
  content: Buffer | OutgoingStream | OutgoingTable | OutgoingPicture;
}

/** A table, which is written for its reader where it leaves the bot. `isPlain`: as CSV. */
export interface OutgoingTable {
  table: FileTable;
  timeZone: string;
  isPlain: boolean;
}

/** A picture, which is drawn for its reader where it leaves the bot. `inWords`: the same for whoever hears it. */
export interface OutgoingPicture {
  picture: Picture;
  inWords: string;
}

/** Shapes from back to front. Lengths are in pixels, from the left and from the top; colors are `#rrggbb`. */
export interface Picture {
  width: number;
  height: number;
  shapes: readonly Shape[];
}

export type Shape =
  | { kind: 'box'; x: number; y: number; width: number; height: number; color: string }
  /** What is drawn with a pen, as an SVG path from (x, y). */
  | { kind: 'line'; x: number; y: number; path: string; color: string }
  | PictureText;

/** Text from outside or said, in as many lines as it may have, with an ellipsis where it is longer. */
export interface PictureText {
  kind: 'text';
  /** Of the left end of its first line, on which its letters stand. */
  x: number;
  y: number;
  width: number;
  text: string;
  size: number;
  color: string;
  isBold?: true;
  lines?: number;
  /** In degrees, clockwise. */
  turn?: number;
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

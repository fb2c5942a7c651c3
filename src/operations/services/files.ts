import type { Readable } from 'node:stream';

/** A file on the platform. */
export interface FileReference {
  id: string;
  name: string;
}

/** The content of a file, or a sentence that says why it cannot be read. */
export type IncomingFile = { content: Buffer } | { problem: string };

/** A file that is sent to a person. */
export interface OutgoingFile {
  name: string;
  /** The text that goes with it, plain. */
  comment: string;
  content: Buffer | OutgoingStream;
}

export interface OutgoingStream {
  stream: Readable;
  /** In bytes; exactly what the stream holds. */
  length: number;
}

/** What people said that the columns of files hold, by a digest of the titles. Nothing of the files themselves is kept. */
export interface ColumnChoices {
  /** In the order of the columns; undefined for a file that nobody was asked about. */
  of(digest: string): Promise<readonly string[] | undefined>;
  keep(digest: string, choices: readonly string[]): Promise<void>;
}

import type { Readable } from 'node:stream';

/** A file on its way to a person. */
export interface OutgoingFile {
  name: string;
  /** What is said with it, in plain text. */
  comment: string;
  content: Buffer | OutgoingStream;
}

export interface OutgoingStream {
  stream: Readable;
  /** In bytes; the stream holds exactly so many. */
  length: number;
}

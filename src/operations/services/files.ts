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

interface OutgoingStream {
  stream: Readable;
  /** In bytes; exactly what the stream holds. */
  length: number;
}

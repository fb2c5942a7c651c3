import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A response as it goes over the wire. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  /** A long text is its beginning and an iterator for the rest. */
  body: string | Uint8Array | { beginning: string; rest: Iterable<string> };
}

const jsonType = 'application/json; charset=utf-8';

/** @param json the body, already serialized */
export function jsonReply(status: number, json: Reply['body'], headers: Record<string, string> = {}): Reply {
  return { status, headers: { 'content-type': jsonType, ...headers }, body: json };
}

/** Writes a response. Streams a long text at the caller's pace. */
export async function writeReply(response: ServerResponse, { status, headers, body }: Reply): Promise<void> {
  if (typeof body === 'string' || body instanceof Uint8Array) {
    // RFC 9110, section 8.6: a 204 has no Content-Length.
    const length = status === 204 ? {} : { 'content-length': Buffer.byteLength(body) };
    response.writeHead(status, { ...headers, ...length });
    response.end(body);
    return;
  }
  response.writeHead(status, headers);
  response.write(body.beginning);
  try {
    await pipeline(Readable.from(body.rest), response);
  } catch (error) {
    if (!isCallerGone(error)) throw error;
  }
}

function isCallerGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}

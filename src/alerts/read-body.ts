import type { IncomingMessage } from 'node:http';

/** Why there is no body: it is over the limit, or the connection ended before it did. */
export type NoBody = 'too large' | 'cut off';

/**
 * Reads a request's body. Over the limit it says so as soon as that is known, which is before the first byte where
 * the head tells the length; nothing of what comes after is kept.
 */
export function readBody(request: IncomingMessage, limitBytes: number): Promise<Buffer | NoBody> {
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) return Promise.resolve('too large');
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    // An iterator over the request would cost a promise for each chunk and throw where the connection is cut.
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limitBytes) chunks.push(chunk);
      else resolve('too large');
    });
    request.on('end', () => resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)));
    request.on('error', () => resolve('cut off'));
    request.on('close', () => resolve('cut off'));
  });
}

/**
 * Reads on and drops what it reads, so that a sender who is still at it comes to read the answer; not for longer than
 * so many bytes. A connection that is closed on unread bytes is reset, and the answer is lost with it.
 */
export function dropBody(request: IncomingMessage, limitBytes: number): Promise<void> {
  return new Promise((resolve) => {
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limitBytes) resolve();
    });
    for (const over of ['end', 'error', 'close']) request.on(over, resolve);
    if (request.complete || request.destroyed) resolve();
  });
}

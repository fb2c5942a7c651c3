import type { IncomingMessage, ServerResponse } from 'node:http';

/** Why there is no body: it is over the limit, the connection ended before it did, or too many are held already. */
export type NoBody = 'too large' | 'cut off' | 'no room';

/** Reads the body of a request that `response` answers: until that is over, the body counts as held. */
export type ReadBody = (request: IncomingMessage, response: ServerResponse) => Promise<Buffer | NoBody>;

/**
 * Reads bodies of at most `eachBytes`, and holds no more than `allBytes` of all of them at a time: as many connections
 * as there may be, each with a body as large as it may be, do not fill the memory. Over a limit it says so as soon as
 * that is known, which is before the first byte where the head tells the length; nothing of what comes after is kept.
 */
export function createReadBody({ eachBytes, allBytes }: { eachBytes: number; allBytes: number }): ReadBody {
  let heldBytes = 0;

  return (request, response) => {
    if (announcedBytes(request) > eachBytes) return Promise.resolve('too large');
    return new Promise((resolve) => {
      let chunks: Buffer[] = [];
      let size = 0;
      let isGivenUp = false;
      const giveUp = (why: NoBody) => {
        isGivenUp = true;
        chunks = [];
        heldBytes -= size;
        size = 0;
        resolve(why);
      };
      // An iterator over the request would cost a promise for each chunk and throw where the connection is cut.
      request.on('data', (chunk: Buffer) => {
        if (isGivenUp) return;
        size += chunk.length;
        heldBytes += chunk.length;
        if (size > eachBytes) giveUp('too large');
        else if (heldBytes > allBytes) giveUp('no room');
        else chunks.push(chunk);
      });
      request.on('end', () => resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)));
      request.on('error', () => resolve('cut off'));
      request.on('close', () => resolve('cut off'));
      response.once('close', () => {
        heldBytes -= size;
        size = 0;
      });
    });
  };
}

/** How long the head says that the body is; 0 where it does not say. */
export function announcedBytes({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? 0);
}

/** What is read of a body that nobody wants, so that its sender reads the answer. */
const droppedAtMostBytes = 4 * 1024 * 1024;

/**
 * Answers at once, and closes the connection when the sender has come to read it: one that is closed on unread bytes
 * is reset, and the answer is lost with it.
 */
export async function refuseBody(request: IncomingMessage, response: ServerResponse, status: number, text = ''): Promise<void> {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'content-length': Buffer.byteLength(text), connection: 'close' });
  response.write(text);
  response.flushHeaders();
  await dropBody(request, droppedAtMostBytes);
  response.end();
}

/** Reads on and drops what it reads, not for longer than so many bytes. */
function dropBody(request: IncomingMessage, limitBytes: number): Promise<void> {
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

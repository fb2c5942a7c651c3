import type { IncomingMessage, ServerResponse } from 'node:http';
import { later, type SetTimer } from '../time/clock.ts';

/** Why there is no body: it is over the limit, the connection ended too early, or the memory for bodies is used up. */
type NoBody = 'too large' | 'cut off' | 'no room';

/** Reads the body of a request. It counts as held in memory until `response` is over. */
export type ReadBody = (request: IncomingMessage, response: ServerResponse) => Promise<Buffer | NoBody>;

/**
 * Makes a reader of bodies up to `eachBytes`, which holds at most `allBytes` of all bodies together: the largest body on
 * every connection would not fit into memory. Reports a body over a limit as soon as the limit is passed, before the
 * first byte if the head gives the length, and keeps nothing that comes afterwards.
 *
 * @param limits.uncountedBytes how much of each body does not count towards `allBytes`: large bodies cannot lock out
 * small ones, and the number of connections limits the small ones. Default: 0
 */
export function createReadBody({
  eachBytes,
  allBytes,
  uncountedBytes = 0,
}: {
  eachBytes: number;
  allBytes: number;
  uncountedBytes?: number;
}): ReadBody {
  let heldBytes = 0;
  const counted = (size: number) => Math.max(0, size - uncountedBytes);

  return (request, response) => {
    if (announcedBytes(request) > eachBytes) return Promise.resolve('too large');
    return new Promise((resolve) => {
      let chunks: Buffer[] = [];
      let size = 0;
      let isGivenUp = false;
      const giveUp = (why: NoBody) => {
        isGivenUp = true;
        chunks = [];
        heldBytes -= counted(size);
        size = 0;
        resolve(why);
      };
      // Iterating over the request would cost a promise per chunk and throw when the connection is cut.
      request.on('data', (chunk: Buffer) => {
        if (isGivenUp) return;
        const before = counted(size);
        size += chunk.length;
        heldBytes += counted(size) - before;
        if (size > eachBytes) giveUp('too large');
        else if (counted(size) > 0 && heldBytes > allBytes) giveUp('no room');
        else chunks.push(chunk);
      });
      request.on('end', () =>
        resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)),
      );
      request.on('error', () => resolve('cut off'));
      request.on('close', () => resolve('cut off'));
      response.once('close', () => {
        heldBytes -= counted(size);
        size = 0;
      });
    });
  };
}

/** The length of the body by the head of the request; 0 if the head does not give it. */
export function announcedBytes({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? 0);
}

/** How much of an unwanted body is read so that its sender reads the answer. */
const droppedAtMostBytes = 4 * 1024 * 1024;

/**
 * Answers at once, and closes the connection only when the sender has read the answer: closing a connection with unread
 * bytes resets it, and the answer is lost.
 */
export async function refuseBody(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  text = '',
): Promise<void> {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    connection: 'close',
  });
  response.write(text);
  response.flushHeaders();
  await dropBody(request, droppedAtMostBytes);
  response.end();
}

/** Reads and drops the rest of a body, up to a limit. */
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

/** What one sender may leave unfinished. A real sender sends all of it at once. */
const standardRoom = { perSender: 32, timeoutMs: 2_000 };

/**
 * Reads bodies of senders who may mean no good. Those of one sender that are not complete have a small room: one more ends the
 * oldest with 408, and so does the time. Who is quick gets through beside any number of slow ones. A sender whom only the whole body
 * shows is an address; behind a proxy, everybody has its address.
 *
 * @param deps.onLate called for each body that is ended
 */
export function createReadUnverified({
  readBody,
  onLate,
  setTimer = later,
  perSender = standardRoom.perSender,
  timeoutMs = standardRoom.timeoutMs,
}: {
  readBody: ReadBody;
  onLate: () => void;
  setTimer?: SetTimer;
  perSender?: number;
  timeoutMs?: number;
}): (request: IncomingMessage, response: ServerResponse, sender?: string) => ReturnType<ReadBody> {
  /** In the order in which they began. */
  const unfinished = new Map<string, Set<() => void>>();

  return async (request, response, sender = request.socket.remoteAddress ?? '') => {
    const others = unfinished.get(sender) ?? new Set();
    const leave = () => {
      cancel();
      others.delete(end);
      if (others.size === 0) unfinished.delete(sender);
    };
    const end = () => {
      leave();
      onLate();
      response.writeHead(408, { connection: 'close' }).end(() => request.destroy());
    };
    // Where the process itself was held up, what has arrived meanwhile is read first.
    const cancel = setTimer(() => setImmediate(() => others.has(end) && end()), timeoutMs);
    const [oldest] = others;
    if (others.size >= perSender) oldest?.();
    unfinished.set(sender, others.add(end));
    try {
      const body = await readBody(request, response);
      return response.headersSent ? 'cut off' : body;
    } finally {
      leave();
    }
  };
}

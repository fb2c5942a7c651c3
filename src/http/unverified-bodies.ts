import type { IncomingMessage, ServerResponse } from 'node:http';
import { later, type SetTimer } from '../time/clock.ts';
import type { ReadBody } from './read-body.ts';

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

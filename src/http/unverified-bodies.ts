import type { IncomingMessage, ServerResponse } from 'node:http';
import { later, type SetTimer } from '../time/clock.ts';
import type { ReadBody } from './read-body.ts';

/** What is read before anything shows who sends it. Whoever is real sends all of it at once. */
const standardRoom = { perAddress: 32, timeoutMs: 2_000 };

/**
 * Reads bodies whose sender can only be verified once all of the body is there. Those of one address that are not complete
 * have a small room: one more ends the oldest with 408, and so does the time. Who is quick gets through beside any number of
 * slow ones. Behind a proxy, everybody has its address.
 *
 * @param deps.onLate called for each body that is ended
 */
export function createReadUnverified({
  readBody,
  onLate,
  setTimer = later,
  perAddress = standardRoom.perAddress,
  timeoutMs = standardRoom.timeoutMs,
}: {
  readBody: ReadBody;
  onLate: () => void;
  setTimer?: SetTimer;
  perAddress?: number;
  timeoutMs?: number;
}): ReadBody {
  /** In the order in which they began. */
  const unfinished = new Map<string, Set<() => void>>();

  return async (request: IncomingMessage, response: ServerResponse) => {
    const address = request.socket.remoteAddress ?? '';
    const others = unfinished.get(address) ?? new Set();
    const leave = () => {
      cancel();
      others.delete(end);
      if (others.size === 0) unfinished.delete(address);
    };
    const end = () => {
      leave();
      onLate();
      response.writeHead(408, { connection: 'close' }).end(() => request.destroy());
    };
    // Where the process itself was held up, what has arrived meanwhile is read first.
    const cancel = setTimer(() => setImmediate(() => others.has(end) && end()), timeoutMs);
    const [oldest] = others;
    if (others.size >= perAddress) oldest?.();
    unfinished.set(address, others.add(end));
    try {
      const body = await readBody(request, response);
      return response.headersSent ? 'cut off' : body;
    } finally {
      leave();
    }
  };
}

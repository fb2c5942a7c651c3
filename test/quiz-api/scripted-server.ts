import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenOnLoopback } from '../support/loopback.ts';

/** A server on loopback that can cut bodies and stop in the middle of an answer. */
export async function startServer(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer);
  return {
    baseUrl: await listenOnLoopback(server),
    /** Can be called several times. */
    stop: async () => {
      if (!server.listening) return;
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenOnLoopback } from '../support/loopback.ts';

/** A real server on loopback, for what happens on a wire: cut bodies, silence. */
export async function startServer(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer);
  return {
    baseUrl: await listenOnLoopback(server),
    /** Once or several times. */
    stop: async () => {
      if (!server.listening) return;
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A real server on loopback, for what happens on a wire: cut bodies, silence. */
export async function startServer(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return {
    baseUrl: `http://127.0.0.1:${address.port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

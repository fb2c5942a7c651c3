import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How long open requests may take to finish on close. */
const closeGraceMs = 300;

export interface Listener {
  /** The URL, without a trailing slash. */
  url: string;
  close: () => Promise<void>;
}

/** @param port 0 selects any free port. @throws when the port is not available */
export async function listen(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  { host, port, reportError }: { host: string; port: number; reportError: (error: unknown) => void },
): Promise<Listener> {
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      reportError(error);
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  return {
    url: urlOf(host, server.address()),
    async close() {
      const cutOff = setTimeout(() => server.closeAllConnections(), closeGraceMs);
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      clearTimeout(cutOff);
    },
  };
}

/** Names loopback where the server listens on all addresses. */
function urlOf(host: string, address: AddressInfo | string | null): string {
  const name = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  const port = typeof address === 'object' ? address?.port : undefined;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What is still being answered at the end gets so long. */
const closeGraceMs = 300;

export interface Listener {
  /** Without a slash at the end. */
  url: string;
  close: () => Promise<void>;
}

/** @param port 0: any free one. @throws when the port cannot be had */
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

/** Of all the addresses of a machine, loopback is the one to name. */
function urlOf(host: string, address: AddressInfo | string | null): string {
  const name = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  const port = typeof address === 'object' ? address?.port : undefined;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

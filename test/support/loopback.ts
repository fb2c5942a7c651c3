import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, connect } from 'node:net';
import { randomInt } from 'node:crypto';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

/** Listens on loopback on a port that the system picks. @returns the URL */
export async function listenOnLoopback(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Below the ephemeral ports of the system, so that no other program takes the port while its server restarts. */
const ownPorts = [20_000, 30_000] as const;

/** A free port on loopback. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(...ownPorts);
    const probe = createServer();
    const isFree = new Promise<boolean>(
      (resolve) => void probe.once('error', () => resolve(false)).once('listening', () => resolve(true)),
    );
    probe.listen(port, '127.0.0.1');
    if (!(await isFree)) continue;
    await once(probe.close(), 'close');
    return port;
  }
}

/** Asks a route that answers with JSON, over HTTP. */
export async function askRoute(
  route: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<{ status: number; body: unknown; text: string }> {
  const server = createHttpServer((request, response) => void route(request, response));
  onTestFinished(() => void server.close());
  const response = await fetch(await listenOnLoopback(server));
  const text = await response.text();
  return { status: response.status, body: JSON.parse(text), text };
}

interface RawConnection {
  say(text: string): void;
  /** Ends the sending side of the connection. */
  end(): void;
  /** The response so far. */
  answered(): string;
  /** Resolves with the whole response when the server closes the connection. */
  closed: Promise<string>;
}

/** Opens a TCP connection on which a test can send any bytes. */
export function openConnection(port: number, text = ''): RawConnection {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  onTestFinished(() => void socket.destroy());
  let answer = '';
  socket.on('data', (chunk) => (answer += String(chunk)));
  socket.write(text);
  return {
    say: (more) => void socket.write(more),
    end: () => void socket.end(),
    answered: () => answer,
    closed: new Promise((resolve) => void socket.once('close', () => resolve(answer))),
  };
}

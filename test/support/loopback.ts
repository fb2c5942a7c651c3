import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { randomInt } from 'node:crypto';

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

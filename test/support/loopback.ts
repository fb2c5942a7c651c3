import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { randomInt } from 'node:crypto';

/** Has a server listen on loopback, at a port that the system picks. @returns its address */
export async function listenOnLoopback(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Below the ports that a system gives to whoever asks for any: nobody takes one by chance while its owner is away. */
const ownPorts = [20_000, 30_000] as const;

/** A port on loopback that nobody listens on now. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(...ownPorts);
    const probe = createServer();
    const isFree = new Promise<boolean>((resolve) => void probe.once('error', () => resolve(false)).once('listening', () => resolve(true)));
    probe.listen(port, '127.0.0.1');
    if (!(await isFree)) continue;
    await once(probe.close(), 'close');
    return port;
  }
}

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { createServer as createTlsServer } from 'node:tls';
import type { Proxies } from '../../src/http/outbound.ts';
import { listenOnLoopback } from './loopback.ts';

export const noProxies: Proxies = { https: undefined, http: undefined, except: [] };

/** The reason why tests of such a network cannot run on this machine, or null. CI never skips them. */
export const opensslMissing: string | null = findOpenssl();

function findOpenssl(): string | null {
  if (spawnSync('openssl', ['version']).status === 0) return null;
  if (process.env['CI'] === 'true') throw new Error('openssl is missing, and CI runs every test');
  return 'openssl is missing: install it to run the tests behind a proxy';
}

/** A network whose hosts only its proxy finds, with certificates of its own authority. */
export interface ClosedNetwork {
  /** Its proxy, with a user and a password. */
  proxyUrl: string;
  /** The certificate of its authority. */
  certificateFile: string;
  /** Gives a server on this machine the name of a host. */
  lead(host: string, url: string): void;
  /** The hosts to which the proxy led, one for each CONNECT. */
  connects: readonly string[];
  close(): void;
}

const password = 'proxy-password-canary';

/** @param folder for the certificates */
export async function openClosedNetwork(folder: string, hosts: readonly string[]): Promise<ClosedNetwork> {
  const certificateFile = makeCertificates(folder, hosts);
  const targets = new Map<string, URL>();
  const connects: string[] = [];
  const sockets = new Set<Duplex>();
  const pipe = (one: Duplex, other: Duplex) => {
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
      from.pipe(to);
    }
  };
  const toTarget = ({ hostname, port }: URL): Socket => connect(Number(port), hostname);

  const tls = createTlsServer({
    key: readFileSync(join(folder, 'host.key')),
    cert: readFileSync(join(folder, 'host.pem')),
  });
  tls.on('secureConnection', (socket) => pipe(socket, toTarget(targets.get(String(socket.servername))!)));
  const tlsUrl = new URL(await listenOnLoopback(tls));

  const proxy = createServer((_, response) => response.writeHead(501).end());
  proxy.on('connect', (request: IncomingMessage, socket: Duplex) => {
    const expected = `Basic ${Buffer.from(`bot:${password}`).toString('base64')}`;
    if (request.headers['proxy-authorization'] !== expected) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const [host = ''] = String(request.url).split(':');
    connects.push(host);
    if (!targets.has(host)) {
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
      return;
    }
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    pipe(socket, toTarget(tlsUrl));
  });
  const { host } = new URL(await listenOnLoopback(proxy));
  return {
    proxyUrl: `http://bot:${password}@${host}`,
    certificateFile,
    lead: (name, url) => void targets.set(name, new URL(url)),
    connects,
    close() {
      for (const socket of sockets) socket.destroy();
      for (const server of [proxy, tls]) server.close();
    },
  };
}

/** As an operator of a company does. @returns the file of the authority */
function makeCertificates(folder: string, hosts: readonly string[]): string {
  const openssl = (...parameters: string[]) => {
    const { status, stderr } = spawnSync('openssl', parameters, { cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(`openssl failed: ${stderr}`);
  };
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl('req', '-x509', ...key, '-days', '2', '-subj', '/CN=Company CA', '-keyout', 'ca.key', '-out', 'ca.pem');
  openssl('req', '-new', ...key, '-subj', '/CN=host', '-keyout', 'host.key', '-out', 'host.csr');
  writeFileSync(join(folder, 'names'), `subjectAltName=${hosts.map((host) => `DNS:${host}`).join(',')}\n`);
  const ca = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'];
  openssl('x509', '-req', '-in', 'host.csr', ...ca, '-days', '2', '-extfile', 'names', '-out', 'host.pem');
  return join(folder, 'ca.pem');
}

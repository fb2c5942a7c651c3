import { Agent, createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listenOnLoopback, findFreePort } from './loopback.ts';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A load balancer with the rules of deploy/haproxy.cfg. */
export interface Balancer {
  url: string;
  close(): void;
}

interface Server {
  url: string;
  isUp: boolean;
  failedChecks: number;
  requests: number;
}

const checkEveryMs = 1_000;
const checkTimeoutMs = 4_000;
/** `fall 2`, and `rise 1`. */
const failuresUntilDown = 2;
/** `retries 3`. */
const attemptsAtMost = 4;

export async function startBalancer(urls: readonly string[]): Promise<Balancer> {
  const servers: Server[] = urls.map((url) => ({ url, isUp: true, failedChecks: 0, requests: 0 }));
  const agent = new Agent({ keepAlive: true, timeout: 30_000 });

  const check = async (server: Server) => {
    const isHealthy = await fetch(`${server.url}/healthz`, { signal: AbortSignal.timeout(checkTimeoutMs) }).then(
      ({ ok }) => ok,
      () => false,
    );
    server.failedChecks = isHealthy ? 0 : server.failedChecks + 1;
    server.isUp = isHealthy || (server.isUp && server.failedChecks < failuresUntilDown);
  };
  const checks = setInterval(() => servers.forEach((server) => void check(server)), checkEveryMs);

  /** `leastconn` among the servers that are up, or among all where none is: `use_backend unchecked`. */
  function choose(tried: ReadonlySet<Server>): Server | undefined {
    const up = servers.filter((server) => server.isUp);
    const usable = up.length > 0 ? up : servers;
    const untried = usable.filter((server) => !tried.has(server));
    return (untried.length > 0 ? untried : usable).toSorted((a, b) => a.requests - b.requests)[0];
  }

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const tried = new Set<Server>();
    for (let attempt = 1; attempt <= attemptsAtMost; attempt += 1) {
      const server = choose(tried);
      if (server === undefined) break;
      tried.add(server);
      server.requests += 1;
      const result = await passOn(server, request, body, response, attempt === attemptsAtMost).finally(
        () => (server.requests -= 1),
      );
      if (result === 'answered') return;
      if (result === 'broken') break;
    }
    response.writeHead(503).end();
  }

  /** A request that was sent is not sent again without a 503: the bot may have worked on it. */
  async function passOn(
    server: Server,
    request: IncomingMessage,
    body: Buffer,
    response: ServerResponse,
    isLast: boolean,
  ): Promise<'answered' | 'not taken' | 'broken'> {
    const { promise, resolve } = Promise.withResolvers<'answered' | 'not taken' | 'broken'>();
    const { method, headers } = request;
    const outgoing = send(
      `${server.url}${request.url}`,
      { method, headers: { ...headers, host: new URL(server.url).host }, agent },
      (answer) => {
        if (answer.statusCode === 503 && !isLast) {
          answer.resume();
          return resolve('not taken');
        }
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
        answer.once('end', () => resolve('answered')).once('error', () => resolve('answered'));
      },
    );
    outgoing.once('error', (error) =>
      resolve('code' in error && error.code === 'ECONNREFUSED' ? 'not taken' : 'broken'),
    );
    outgoing.end(body);
    return promise;
  }

  const front = createServer((request, response) => void forward(request, response));
  front.keepAliveTimeout = 65_000;
  return {
    url: await listenOnLoopback(front),
    close() {
      clearInterval(checks);
      agent.destroy();
      front.closeAllConnections();
      front.close();
    },
  };
}

/** The reason why tests with HAProxy cannot run on this machine, or null. CI never skips them. */
export const haproxyMissing: string | null = findHaproxy();

function findHaproxy(): string | null {
  if (spawnSync('haproxy', ['-v']).status === 0) return null;
  if (process.env['CI'] === 'true') throw new Error('haproxy is missing, and CI runs every test');
  return 'haproxy is missing: install it to run the tests with the real balancer';
}

/** HAProxy with deploy/haproxy.cfg, where only the addresses are others. */
export async function startHaproxy(urls: readonly string[]): Promise<Balancer> {
  const port = await findFreePort();
  const file = join(tmpdir(), `invigilator-haproxy-${port}.cfg`);
  writeFileSync(file, configFor(port, urls));
  const haproxy = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  const ended = once(haproxy, 'exit').then(([code]) => Promise.reject(new Error(`haproxy ended with ${code}`)));
  ended.catch(() => {});
  const answers = async () => {
    while (!(await fetch(url).then(Boolean, () => false)));
  };
  await Promise.race([answers(), ended]);
  return {
    url,
    close() {
      haproxy.kill('SIGKILL');
      rmSync(file, { force: true });
    },
  };
}

function configFor(port: number, urls: readonly string[]): string {
  const addresses = urls.map((url) => new URL(url).host);
  return readFileSync('deploy/haproxy.cfg', 'utf8')
    .replace('bind :3000', `bind 127.0.0.1:${port}`)
    .replaceAll(/^( +)server-template bot 1-10 bot:3000(.*) resolvers docker init-addr none$/gm, (_, indent, rest) =>
      addresses.map((address, index) => `${indent}server bot${index + 1} ${address}${rest}`).join('\n'),
    );
}

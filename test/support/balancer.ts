import { Agent, createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listenOnLoopback } from './loopback.ts';

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

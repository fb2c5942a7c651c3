import { subscribe } from 'node:diagnostics_channel';
import type { Clock } from '../../src/time/clock.ts';
import { watchdogMs } from './watchdog.ts';

/** The requests in this process that wait for an answer, as their clients and their servers see them. */
const inFlight = new Set<unknown>();
let [requests, work] = [0, 0];

interface Request {
  method: string;
  path?: string;
  url?: string;
}

/** What a bot asks while nothing happens: lists, and whether Slack answers. */
const idle = /^\/api\/(?:v1\/(?:users|quizzes|groups)(?:\?|$)|auth\.test)/;

type Listener = (request: { method: string; path: string }) => void;
const listeners = new Set<Listener>();

/** Calls back with each request that a server of this process gets. @returns a function that ends it */
export function onRequest(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function begin(request: Request): void {
  inFlight.add(request);
  requests += 1;
  const { method, url: path } = request;
  if (path !== undefined) for (const listener of listeners) listener({ method, path });
  if (!idle.test(request.path ?? request.url ?? '')) work += 1;
}

const requestOf = (message: unknown): Request => (message as { request: Request }).request;
subscribe('undici:request:create', (message) => begin(requestOf(message)));
for (const end of ['undici:request:trailers', 'undici:request:error'])
  subscribe(end, (message) => void inFlight.delete(requestOf(message)));
subscribe('http.server.request.start', (message) => {
  const request = requestOf(message);
  begin(request);
  (message as { response: NodeJS.EventEmitter }).response.once('close', () => inFlight.delete(request));
});

/** How many requests there were, without those of a bot that does nothing. */
export function workCount(): number {
  return work;
}

/** Steps of the bot that send no request, such as commits, take a few turns each. */
const quietTurns = 30;

/** Resolves when no request has begun or waited for some turns of the event loop. */
export async function settle(): Promise<void> {
  const beganAt = performance.now();
  let quiet = 0;
  while (quiet < quietTurns) {
    const before = requests;
    await new Promise((resolve) => setImmediate(resolve));
    quiet = inFlight.size === 0 && requests === before ? quiet + 1 : 0;
    if (quiet === 0 && performance.now() - beganAt > watchdogMs)
      throw new Error(`${inFlight.size} requests are not answered: ${[...inFlight].map(describe).join(', ')}`);
  }
}

function describe(request: unknown): string {
  const { method, path, url } = request as Request;
  return `${method} ${path ?? url}`;
}

/** How a bot sleeps on timers that tests set. */
export function sleepBy(setTimer: Clock['setTimer']): Clock['sleep'] {
  return (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const wake = () => {
        cancel();
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const cancel = setTimer(wake, ms);
      signal?.addEventListener('abort', wake);
    });
}

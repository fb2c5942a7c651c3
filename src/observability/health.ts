import type { IncomingMessage, ServerResponse } from 'node:http';
import type { EventLoopWatch } from './event-loop-watch.ts';
import { TimedOutError, withTimeout } from '../time/with-timeout.ts';

/** Something the bot cannot work without. */
export interface Check {
  /** Rejects when it is not well. */
  ask: () => Promise<unknown>;
  /** What is wrong when it rejects, such as `the store cannot be used`. What is in brackets behind it comes from `codeOf`. */
  otherwise: string;
}

/** Somebody who asks whether the bot is ready gets an answer within about this time, whatever hangs. */
const timeoutMs = 2_000;
/** A process that was held up this long of late does not work, even though it answers now. */
const longestDelayMs = 10_000;

/**
 * `GET /readyz`: 200 when every check passes and the bot is not stopping, 503 otherwise, and in words what is
 * wrong, as JSON. `notes` are told and decide nothing.
 */
export function createReadinessRoute(options: {
  checks: Readonly<Record<string, Check>>;
  notes?: () => Readonly<Record<string, string>>;
  isStopping?: () => boolean;
  timeoutMs?: number;
}) {
  const { checks, notes = () => ({}), isStopping = () => false } = options;
  const inFlight = new Map<string, Promise<string>>();

  /** Whoever asks while a check hangs waits for that one: asking more often would only pile them up. */
  function resultOf(name: string, check: Check): Promise<string> {
    const known = inFlight.get(name);
    if (known) return known;
    const asked = settle(check).finally(() => inFlight.delete(name));
    inFlight.set(name, asked);
    return asked;
  }

  async function resultInTime(name: string, check: Check): Promise<readonly [string, string]> {
    const result = await withTimeout(options.timeoutMs ?? timeoutMs, resultOf(name, check)).catch((error: unknown) => wrong(check, error));
    return [name, result];
  }

  return async (_request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const results = await Promise.all(Object.entries(checks).map(([name, check]) => resultInTime(name, check)));
    const isReady = !isStopping() && results.every(([, result]) => result === 'ok');
    const stopping = isStopping() ? { bot: 'is shutting down' } : {};
    answer(response, isReady ? 200 : 503, { ready: isReady, ...stopping, ...Object.fromEntries(results), ...notes() });
  };
}

/** `GET /healthz`: the process answers, and was not held up for long of late. */
export function createHealthRoute(eventLoop: EventLoopWatch) {
  return (_request: IncomingMessage, response: ServerResponse): void => {
    const eventLoopDelayMs = Math.round(eventLoop.longestDelayMs());
    const isAlive = eventLoopDelayMs < longestDelayMs;
    const trouble = isAlive ? {} : { trouble: 'the process was held up: it could do nothing for this long' };
    answer(response, isAlive ? 200 : 503, { alive: isAlive, eventLoopDelayMs, ...trouble });
  };
}

async function settle(check: Check): Promise<string> {
  try {
    await check.ask();
    return 'ok';
  } catch (error) {
    return wrong(check, error);
  }
}

function wrong({ otherwise }: Check, error: unknown): string {
  return error instanceof TimedOutError ? `${otherwise} (it does not answer in time)` : `${otherwise} (${codeOf(error)})`;
}

/** What an error is called: its message may hold addresses, and the page is open to anybody. */
function codeOf(error: unknown): string {
  const { data, code, cause } = Object(error) as { data?: { error?: unknown }; code?: unknown; cause?: unknown };
  const slackCode = data?.error;
  const known = [slackCode, Object(cause).code, code].find((text) => typeof text === 'string' && /^[\w.-]{1,60}$/.test(text));
  return typeof known === 'string' ? known : error instanceof Error ? error.name : 'unknown';
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(`${JSON.stringify(body)}\n`);
}

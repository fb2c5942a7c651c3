import type { FetchFunction } from '@slack/web-api';
import type { Log } from '../../observability/log.ts';
import { currentWork, type Tracing } from '../../observability/tracing.ts';
import type { SlackMetrics } from '../metrics.ts';

/** Distinct error codes in the metrics. Slack has about as many; the limit bounds the number of series. */
const codesAtMost = 200;
/** Slack’s codes for faults of its own: https://docs.slack.dev/reference/methods/auth.test#errors */
const outageCodes = new Set(['fatal_error', 'internal_error', 'service_unavailable', 'request_timeout']);

/**
 * The `fetch` of every Slack client. It logs, measures and traces each call. It wraps `fetch` and not the methods of a
 * client, because Bolt creates its own clients. A call that waited for the client's concurrency limit may be logged
 * under the piece of work that made room for it.
 */
export function createObservedFetch(deps: {
  apiUrl: string;
  metrics: Pick<SlackMetrics, 'calls' | 'errors'>;
  tracing: Tracing;
  log: Log;
  /** Default: warn. */
  failureLevel?: 'debug' | 'warn';
  /** Called after each call of the Web API, with whether Slack answered. An outage of a part of Slack has answers, too. */
  onCall?: (hasAnswered: boolean) => void;
  fetch?: FetchFunction;
}): FetchFunction {
  const { apiUrl, metrics, tracing, log, failureLevel = 'warn', onCall } = deps;
  const call: FetchFunction = deps.fetch ?? ((url, init) => fetch(url, init));
  const codes = new Set<string>();

  return async (url, init) => {
    const method = methodOf(String(url), apiUrl);
    const begin = performance.now();
    const span = tracing.open({ name: `slack ${method}`, kind: 'client', parent: currentWork()?.span });

    function tell(status: number | 'error', failure?: { code: string; error?: unknown }): void {
      const durationMs = performance.now() - begin;
      metrics.calls.observe({ method }, durationMs / 1000);
      if (String(url).startsWith(apiUrl))
        onCall?.(status !== 'error' && status < 500 && !outageCodes.has(failure?.code ?? ''));
      const told = { method, status, durationMs: Math.round(durationMs * 10) / 10 };
      span?.end(failure && (failure.error ?? failure.code), {
        'http.response.status_code': status,
        ...(failure && { 'slack.error': failure.code }),
      });
      if (failure === undefined) return log.debug(told, 'called Slack');
      metrics.errors.inc({ method, code: bounded(failure.code) });
      log[failureLevel]({ ...told, code: failure.code }, 'Slack did not do what it was asked');
    }

    try {
      const response = await call(url, init);
      tell(response.status, await failureIn(response));
      return response;
    } catch (error) {
      tell('error', { code: codeOf(error), error });
      throw error;
    }
  };

  function bounded(code: string): string {
    if (codes.size < codesAtMost) codes.add(code);
    return codes.has(code) ? code : 'other';
  }
}

type Answer = Awaited<ReturnType<FetchFunction>>;

/** The error in an answer. Slack answers most failures with 200. */
async function failureIn(response: Answer): Promise<{ code: string } | undefined> {
  if (response.status === 429) return { code: 'ratelimited' };
  if (!response.ok) return { code: `http_${response.status}` };
  if (!isReadable(response) || !response.headers.get('content-type')?.includes('json')) return undefined;
  const text = await response.clone().text();
  if (!/"ok":\s*false/.test(text)) return undefined;
  return { code: /"error":\s*"(\w{1,60})"/.exec(text)?.[1] ?? 'unknown' };
}

/** Does not use `instanceof Response`, which would load the runtime's own fetch. */
function isReadable(response: Answer): response is Response {
  return 'clone' in response;
}

/** The method, such as `chat.postMessage`. Response URLs and upload URLs are secrets, so only their purpose is named. */
function methodOf(url: string, apiUrl: string): string {
  if (url.startsWith(apiUrl)) return /^[a-z]+(?:\.[a-zA-Z]+){1,4}$/.exec(url.slice(apiUrl.length))?.[0] ?? 'other';
  return /\/upload/.test(url) ? 'upload' : 'response_url';
}

function codeOf(error: unknown): string {
  const { name, code, cause } = Object(error) as { name?: unknown; code?: unknown; cause?: unknown };
  if (name === 'TimeoutError') return 'timeout';
  const known = [code, Object(cause).code].find((text) => typeof text === 'string' && /^\w{1,60}$/.test(text));
  return typeof known === 'string' ? known : 'unreachable';
}

/** Slack often asks for one second, which people do not notice. Longer waits become an error message. */
const shortWaits = { longestWaitMs: 2_000, triesAtMost: 3 };

/**
 * Waits out 429s, short ones unless told otherwise. The SDK alone would wait out every 429, and hold up the calls of everybody else; its
 * `rejectRateLimitedCalls` then rejects only the long ones.
 */
export function createRateLimitFetch(
  fetch: FetchFunction,
  sleep: (ms: number) => Promise<void>,
  { longestWaitMs, triesAtMost } = shortWaits,
): FetchFunction {
  return async (url, init) => {
    for (let tried = 1; ; tried += 1) {
      const response = await fetch(url, init);
      const waitMs = response.status === 429 ? 1_000 * Number(response.headers.get('retry-after') ?? NaN) : NaN;
      if (tried === triesAtMost || !(waitMs <= longestWaitMs)) return response;
      await sleep(waitMs);
    }
  };
}

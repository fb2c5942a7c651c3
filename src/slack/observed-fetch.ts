import type { FetchFunction } from '@slack/web-api';
import type { Log } from '../observability/log.ts';
import type { Tracing } from '../observability/tracing.ts';
import { currentWork } from '../observability/work.ts';
import type { SlackMetrics } from './metrics.ts';

/** Of Slack's error codes so many are told apart: there are that many, and no program may make them more. */
const codesAtMost = 200;

/**
 * The `fetch` of every client of Slack: each call becomes a line in the log, a measure and a span. It goes through
 * here, and not around a client's methods, since Bolt makes clients of its own. Where a client has more calls under
 * way than it may, one that had to wait can be told as part of the work that made room for it.
 */
export function createObservedFetch(deps: {
  apiUrl: string;
  metrics: Pick<SlackMetrics, 'calls' | 'errors'>;
  tracing: Tracing;
  log: Log;
  fetch?: FetchFunction;
}): FetchFunction {
  const { apiUrl, metrics, tracing, log } = deps;
  const call: FetchFunction = deps.fetch ?? ((url, init) => fetch(url, init));
  const codes = new Set<string>();

  return async (url, init) => {
    const method = methodOf(String(url), apiUrl);
    const begin = performance.now();
    const span = tracing.open({ name: `slack ${method}`, kind: 'client', parent: currentWork()?.span });

    function tell(status: number | 'error', failure?: { code: string; error?: unknown }): void {
      const durationMs = performance.now() - begin;
      metrics.calls.observe({ method }, durationMs / 1000);
      const told = { method, status, durationMs: Math.round(durationMs * 10) / 10 };
      span?.end(failure && (failure.error ?? failure.code), { 'http.response.status_code': status, ...(failure && { 'slack.error': failure.code }) });
      if (failure === undefined) return log.debug(told, 'called Slack');
      metrics.errors.inc({ method, code: bounded(failure.code) });
      log.warn({ ...told, code: failure.code }, 'Slack did not do what it was asked');
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

/** The error in an answer; Slack says 200 to almost everything. */
async function failureIn(response: Answer): Promise<{ code: string } | undefined> {
  if (response.status === 429) return { code: 'ratelimited' };
  if (!response.ok) return { code: `http_${response.status}` };
  if (!isReadable(response) || !response.headers.get('content-type')?.includes('json')) return undefined;
  const text = await response.clone().text();
  if (!/"ok":\s*false/.test(text)) return undefined;
  return { code: /"error":\s*"(\w{1,60})"/.exec(text)?.[1] ?? 'unknown' };
}

/** Not asked by its class: the runtime would load its own for that. */
function isReadable(response: Answer): response is Response {
  return 'clone' in response;
}

/** Such as `chat.postMessage`. Addresses that are for one answer or one file are secrets, and told apart by what they are for alone. */
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

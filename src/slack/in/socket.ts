import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SocketModeReceiver } from '@slack/bolt';
import { type FetchFunction, type Logger, WebAPIPlatformError, WebAPIRateLimitedError } from '@slack/web-api';
import { Agent } from 'undici';
import { InvigilatorError } from '../../domain/errors.ts';
import { publicCodeOf } from '../../domain/finding.ts';
import { type Proxies, throughProxies } from '../../http/outbound.ts';
import type { Log } from '../../observability/log.ts';
import type { Arrival, Deliver } from './deliver.ts';
import type { SocketMetrics } from '../metrics.ts';
import { AppTokenRefusedError } from '../slack-finding.ts';
import { backoffMs, type InFlight } from '../../time/timers.ts';
import { type Clock, longestTimerMs } from '../../time/clock.ts';

/** Socket Mode has no connection at the moment. */
class SocketGoneError extends InvigilatorError {
  readonly code = 'socket_gone';
}

/** How long a start waits for the first connection. Without it, the bot still takes webhooks. */
const startWaitMs = 3_000;
/** After 3 s, Slack no longer accepts an acknowledgement. */
const acknowledgeWaitMs = 3_000;
const closeWaitMs = 1_000;
/** Slack closes a connection about ten seconds after it said so. The bot does where Slack does not. */
const leavesWithinMs = 30_000;

/** Refusals of the app token, which a new attempt does not change: https://docs.slack.dev/reference/methods/apps.connections.open#errors */
const refusals = new Set([
  'account_inactive',
  'forbidden_team',
  'invalid_auth',
  'missing_scope',
  'no_permission',
  'not_allowed_token_type',
  'not_authed',
  'team_access_not_granted',
  'team_disabled',
  'token_expired',
  'token_revoked',
  'user_removed_from_team',
]);

interface SocketModeOptions extends Omit<SocketConnectionOptions, 'onConnected' | 'onLeaving' | 'onEnd'> {
  metrics: SocketMetrics;
  /** Deliveries that wait for their acknowledgement. */
  unacknowledged: InFlight;
  log: Log;
  clock: Pick<Clock, 'now' | 'setTimer'>;
}

/**
 * Keeps a connection to Slack open. It replaces a connection that ends, and one that makes no progress: that gets no
 * address from Slack, no hello, or no answers to pings. When Slack announces that it will close a connection, the next
 * one is opened beside it, and the old one takes deliveries until Slack closes it.
 */
export function createSocketMode(options: SocketModeOptions) {
  const {
    clock: { now, setTimer },
    log,
    metrics,
  } = options;
  const started = Promise.withResolvers<void>();
  let connection: SocketConnection | undefined;
  /** Open connections that Slack will close, and what cancels the wait for it. */
  const leaving = new Map<SocketConnection, () => void>();
  let watch: Watch | undefined;
  let connectedAt: number | undefined;
  let goneAt = now();
  let isOutageLogged = false;
  let refusal: AppTokenRefusedError | undefined;
  let failures = 0;
  let connections = 0;
  let isStopping = false;
  let cancelTimer = () => {};
  let onClosed = () => {};

  const isConnected = () => connectedAt !== undefined || leaving.size > 0;

  function open(): void {
    watch = undefined;
    const opened = openSocketConnection({
      ...options,
      onConnected,
      onLeaving: () => openNext(opened),
      onEnd: (error) => (leaving.has(opened) ? left(opened) : end(endOf(error), error)),
    });
    connection = opened;
    check();
  }

  /** Opens the next connection beside one that Slack will close. */
  function openNext(old: SocketConnection): void {
    if (old !== connection || connectedAt === undefined || isStopping) return;
    leaving.set(
      old,
      setTimer(() => old.close(), leavesWithinMs),
    );
    const lasted = { kind: 'lost', connectedMs: connectedMs() } as const;
    connectedAt = undefined;
    cancelTimer();
    openLater(lasted);
  }

  function left(old: SocketConnection): void {
    leaving.get(old)?.();
    leaving.delete(old);
    noteIfGone();
    if (!isConnected() && !isStopping) logOutage({ kind: 'lost', connectedMs: 0 }, undefined);
  }

  function check(): void {
    watch = nextWatch(watch, connection!.see());
    if (!isStuck(watch)) return void (cancelTimer = setTimer(check, checkEveryMs));
    connection!.destroy();
    end({ kind: 'stuck', connectedMs: connectedMs() });
  }

  function onConnected(): void {
    connectedAt = now();
    metrics.connected.set(1);
    connections += 1;
    if (connections > 1) metrics.reconnects.inc();
    if (isOutageLogged) log.info({ goneForMs: connectedAt - goneAt }, 'the connection to Slack is back');
    isOutageLogged = false;
    refusal = undefined;
    started.resolve();
  }

  function endOf(error: unknown): ConnectionEnd {
    const lasted = { connectedMs: connectedMs() };
    if (error instanceof WebAPIRateLimitedError)
      return { kind: 'rate limited', retryAfterMs: error.retryAfter * 1_000, ...lasted };
    if (error instanceof WebAPIPlatformError && refusals.has(error.data.error)) return { kind: 'refused', ...lasted };
    return { kind: connectedAt === undefined ? 'failed' : 'lost', ...lasted };
  }

  const connectedMs = () => (connectedAt === undefined ? 0 : now() - connectedAt);

  function end(how: ConnectionEnd, error?: unknown): void {
    cancelTimer();
    const wasConnected = connectedAt !== undefined;
    connectedAt = undefined;
    if (wasConnected) noteIfGone();
    if (isStopping) return;
    logOutage(how, error);
    if (refusal !== undefined && connections === 0) started.reject(refusal);
    openLater(how);
  }

  function openLater(after: ConnectionEnd): void {
    const plan = planReopening(after, failures);
    ({ failures } = plan);
    cancelTimer = setTimer(open, plan.waitMs);
  }

  function noteIfGone(): void {
    if (isConnected()) return;
    goneAt = now();
    metrics.connected.set(0);
    onClosed();
  }

  /** One line for each outage, and one if Slack refuses the token. */
  function logOutage(how: ConnectionEnd, error: unknown): void {
    if (!isOutageLogged && !isConnected()) {
      log.warn({ how: how.kind, error }, 'the connection to Slack is gone: commands do not arrive');
      isOutageLogged = true;
    }
    if (how.kind !== 'refused' || refusal !== undefined) return;
    refusal = new AppTokenRefusedError(
      `Slack refuses SLACK_APP_TOKEN (${publicCodeOf(error)}): create an app-level token with connections:write, and turn Socket Mode on`,
    );
    log.error(refusal.message);
  }

  /** Resolves right after the event loop has read everything that arrived, when all of it is acknowledged. */
  async function allAcknowledged(): Promise<void> {
    do {
      await options.unacknowledged.idle();
      await nextTurn();
    } while (options.unacknowledged.count() > 0);
  }

  /** Resolves when the promise does, at the latest after `ms`. */
  async function atMost(ms: number, awaited: Promise<void>): Promise<void> {
    let cancel = () => {};
    await Promise.race([awaited, new Promise<void>((resolve) => (cancel = setTimer(resolve, ms)))]);
    cancel();
  }

  return {
    /** Resolves when connected, at the latest after 3 s; the receiver keeps trying. Rejects if Slack refuses the app token. */
    async start(): Promise<void> {
      if (isStopping) return;
      open();
      await atMost(startWaitMs, started.promise);
      if (connectedAt === undefined && !isStopping) logOutage({ kind: 'failed', connectedMs: 0 }, undefined);
    },
    /**
     * Acknowledges what it received, then closes the connection, within 4 s. The protocol cannot pause deliveries: what
     * Slack sends at the moment of the close is not acknowledged. Slack sends such events again; for the rest, people see
     * an error.
     */
    async stop(): Promise<void> {
      isStopping = true;
      started.resolve();
      cancelTimer();
      const opened = [...leaving.keys(), ...(connectedAt === undefined ? [] : [connection!])];
      if (opened.length > 0) {
        await atMost(acknowledgeWaitMs, allAcknowledged());
        const closed = new Promise<void>((resolve) => (onClosed = resolve));
        for (const one of opened) one.close();
        await atMost(closeWaitMs, closed);
      }
      for (const one of opened) one.destroy();
      connection?.destroy();
      for (const cancel of leaving.values()) cancel();
      metrics.connected.set(0);
    },
    /** @throws {SocketGoneError} */
    assertConnected(): void {
      if (!isConnected()) throw refusal ?? new SocketGoneError('Socket Mode has no connection');
    },
  };
}

/** One connection of Socket Mode, from asking Slack for its address until it ends. It never reconnects. */
type SocketConnection = ReturnType<typeof openSocketConnection>;

interface SocketConnectionOptions {
  deliver: Deliver;
  appToken: string;
  apiUrl: string;
  fetch: FetchFunction;
  proxies: Proxies;
  /** Logs what concerns a single attempt. */
  attemptLogger: Logger;
  logger: Logger;
  onConnected: () => void;
  /** Called when Slack announces that it will close the connection, in about ten seconds. It goes on until then. */
  onLeaving: () => void;
  /** Called at most once, with the error if there was one. */
  onEnd: (error: unknown) => void;
}

/** How long Slack may take to answer `apps.connections.open`. */
const callTimeoutMs = 10_000;

/**
 * Opens a connection with the SDK's client and its default retries of `apps.connections.open`: 100, with waits that
 * grow by the factor 1.3. The SDK's reconnecting is off (@slack/socket-mode 3.1.0). After an HTTP error it ends for
 * good, with a rejected promise that no caller can handle. It waits without limit for a hello, and 30 s for the answer
 * to a close frame. When Slack announces a close, it closes at once, and is without a connection for 5 s to 12 s.
 */
function openSocketConnection(options: SocketConnectionOptions) {
  const { deliver, appToken, onConnected, onLeaving, onEnd } = options;
  const ended = new AbortController();
  let phase: Phase = 'asking';
  let tcp: Socket | undefined;

  const dispatcher = new Agent({ allowH2: false, ...throughProxies(options.proxies, (socket) => (tcp = socket)) });
  const clientOptions = {
    slackApiUrl: options.apiUrl,
    fetch: untilAborted(options.fetch, ended.signal),
    timeout: callTimeoutMs,
    // The watch would end a wait inside the SDK, so the caller waits.
    rejectRateLimitedCalls: true,
  };
  const receiver = new SocketModeReceiver({
    appToken,
    dispatcher,
    logger: options.attemptLogger,
    autoReconnectEnabled: false,
    installerOptions: { clientOptions },
  });
  const { client } = receiver;

  /** Ends the connection at once, in any phase. `onEnd` does not follow. */
  function destroy(): void {
    ended.abort();
    tcp?.destroy();
    void dispatcher.destroy();
  }

  function end(error?: unknown): void {
    if (ended.signal.aborted) return;
    destroy();
    onEnd(error);
  }

  client.on('slack_event', (arrival: Arrival) => {
    deliver(arrival).catch((error: unknown) =>
      options.logger.error(`A delivery of Slack could not be dealt with: ${String(error)}`),
    );
  });
  client.on('authenticated', () => (phase = 'opening'));
  client.on('connected', () => {
    if (ended.signal.aborted) return;
    phase = 'connected';
    onConnected();
  });
  client.on('disconnected', () => end());
  takeAnnouncements(client, onLeaving);
  client.start().catch(end);

  return {
    see: (): Sighting => ({ phase, bytesRead: tcp?.bytesRead ?? 0 }),
    /** Sends a close frame. `onEnd` follows when Slack answers it. */
    close: () => void client.disconnect(),
    destroy,
  };
}

/** https://docs.slack.dev/apis/events-api/using-socket-mode#disconnect. After other reasons, the connection is of no use. */
const announcements = new Set(['warning', 'refresh_requested']);

/** Keeps announcements of a close from the SDK, which would close the connection. */
function takeAnnouncements(client: SocketModeReceiver['client'], onLeaving: () => void): void {
  const messages = 'ws_message';
  const handlers = client.listeners(messages);
  client.removeAllListeners(messages);
  client.on(messages, (data: unknown, ...more: unknown[]) => {
    if (isAnnouncement(data)) return onLeaving();
    for (const handle of handlers) handle.call(client, data, ...more);
  });
}

function isAnnouncement(data: unknown): boolean {
  // Events are larger, and not parsed twice.
  if (typeof data !== 'string' || !data.includes('"disconnect"')) return false;
  try {
    const { type, reason } = JSON.parse(data) as { type?: unknown; reason?: unknown };
    return type === 'disconnect' && announcements.has(String(reason));
  } catch {
    return false;
  }
}

/** After the signal, calls stay pending: the SDK retries calls that fail, and its retries cannot be canceled. */
function untilAborted(fetch: FetchFunction, signal: AbortSignal): FetchFunction {
  return async (url, init) => {
    try {
      signal.throwIfAborted();
      return await fetch(url, { ...init, signal: AbortSignal.any([signal, ...(init?.signal ? [init.signal] : [])]) });
    } catch (error) {
      if (signal.aborted) return new Promise(() => {});
      throw error;
    }
  };
}

/** `asking` Slack for an address, `opening` it until Slack says hello, then `connected`. */
export type Phase = 'asking' | 'opening' | 'connected';

/** What a check sees of a connection. */
export interface Sighting {
  phase: Phase;
  /** The bytes that the connection has received so far. */
  bytesRead: number;
}

export interface Watch extends Sighting {
  /** How many checks in a row saw no progress. */
  idleChecks: number;
}

export const checkEveryMs = 2_000;

/**
 * Checks without progress until the connection is started over: 30 s before it is open, 10 s after that. When Slack
 * refreshes a connection, the hello of the next can take 12 s. On an open connection, the SDK pings every 1.7 s. The
 * limits count checks and not time: after the process was paused, what arrived meanwhile is still unread.
 */
const idleChecksAtMost: Readonly<Record<Phase, number>> = { asking: 15, opening: 15, connected: 5 };

/** An open connection makes progress when it receives anything, the others when they come to another phase. */
export function nextWatch(before: Watch | undefined, seen: Sighting): Watch {
  const isProgress =
    before?.phase !== seen.phase || (seen.phase === 'connected' && before.bytesRead !== seen.bytesRead);
  return { ...seen, idleChecks: isProgress ? 0 : before.idleChecks + 1 };
}

export function isStuck({ phase, idleChecks }: Watch): boolean {
  return idleChecks >= idleChecksAtMost[phase];
}

/** How a connection ended. `connectedMs` is 0 if it never opened. */
export type ConnectionEnd =
  | { kind: 'lost' | 'failed' | 'stuck' | 'refused'; connectedMs: number }
  | { kind: 'rate limited'; retryAfterMs: number; connectedMs: number };

/** The end of a connection that was open for this long is not counted as a failure. */
const stableMs = 60_000;
/** The waits grow like those between the SDK's own attempts. */
const backoff = { firstMs: 1_000, longestMs: 30_000, factor: 1.3 };
const refusedWaitMs = 60_000;

/** @returns the failures in a row, and how long to wait before the next connection */
export function planReopening(end: ConnectionEnd, failuresBefore: number): { failures: number; waitMs: number } {
  const failures = end.connectedMs >= stableMs ? 0 : failuresBefore + 1;
  if (end.kind === 'rate limited')
    return { failures, waitMs: Math.min(longestTimerMs, Math.max(backoff.firstMs, end.retryAfterMs)) };
  if (end.kind === 'refused') return { failures, waitMs: refusedWaitMs };
  // It has waited for 30 s already.
  if (end.kind === 'stuck' && end.connectedMs === 0) return { failures: failuresBefore, waitMs: 0 };
  return { failures, waitMs: failures === 0 ? 0 : backoffMs(failures, backoff) };
}

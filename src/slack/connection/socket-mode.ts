import { setImmediate as aTurn } from 'node:timers/promises';
import { WebAPIPlatformError, WebAPIRateLimitedError } from '@slack/web-api';
import { InvigilatorError } from '../../domain/errors.ts';
import type { Log } from '../../observability/log.ts';
import type { Clock } from '../../time/clock.ts';
import type { InFlight } from '../../time/in-flight.ts';
import type { SocketMetrics } from '../metrics.ts';
import { openSocketConnection, type SocketConnection, type SocketConnectionOptions } from './socket-connection.ts';
import { checkEveryMs, isStuck, nextWatch, planReopening, type ConnectionEnd, type Watch } from './socket-watch.ts';

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

interface SocketMode {
  /** Resolves when connected, at the latest after 3 s; the receiver keeps trying. Rejects if Slack refuses the app token. */
  start(): Promise<void>;
  /**
   * Acknowledges what it received, then closes the connection, within 4 s. The protocol cannot pause deliveries: what
   * Slack sends at the moment of the close is not acknowledged. Slack sends such events again; for the rest, people see
   * an error.
   */
  stop(): Promise<void>;
  /** @throws {SocketGoneError} */
  assertConnected(): void;
}

/**
 * Keeps a connection to Slack open. It replaces a connection that ends, and one that makes no progress: that gets no
 * address from Slack, no hello, or no answers to pings. When Slack announces that it will close a connection, the next
 * one is opened beside it, and the old one takes deliveries until Slack closes it.
 */
export function createSocketMode(options: SocketModeOptions): SocketMode {
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
  let isRefusalLogged = false;
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
    isRefusalLogged = false;
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
    if (how.kind === 'refused' && connections === 0) started.reject(error);
    logOutage(how, error);
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
    if (how.kind !== 'refused' || isRefusalLogged) return;
    isRefusalLogged = true;
    log.error({ error }, 'Slack refuses SLACK_APP_TOKEN');
  }

  /** Resolves right after the event loop has read everything that arrived, when all of it is acknowledged. */
  async function allAcknowledged(): Promise<void> {
    do {
      await options.unacknowledged.idle();
      await aTurn();
    } while (options.unacknowledged.count() > 0);
  }

  /** Resolves when the promise does, at the latest after `ms`. */
  async function atMost(ms: number, awaited: Promise<void>): Promise<void> {
    let cancel = () => {};
    await Promise.race([awaited, new Promise<void>((resolve) => (cancel = setTimer(resolve, ms)))]);
    cancel();
  }

  return {
    async start() {
      if (isStopping) return;
      open();
      await atMost(startWaitMs, started.promise);
      if (connectedAt === undefined && !isStopping) logOutage({ kind: 'failed', connectedMs: 0 }, undefined);
    },
    async stop() {
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
    assertConnected() {
      if (!isConnected()) throw new SocketGoneError('Socket Mode has no connection');
    },
  };
}

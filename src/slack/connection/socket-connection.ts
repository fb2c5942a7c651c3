import type { Socket } from 'node:net';
import { SocketModeReceiver } from '@slack/bolt';
import type { FetchFunction, Logger } from '@slack/web-api';
import { Agent, buildConnector } from 'undici';
import type { Arrival, Deliver } from '../in/deliver.ts';
import type { Phase, Sighting } from './socket-watch.ts';

/** One connection of Socket Mode, from asking Slack for its address until it ends. It never reconnects. */
export interface SocketConnection {
  see(): Sighting;
  /** Sends a close frame. `onEnd` follows when Slack answers it. */
  close(): void;
  /** Ends the connection at once, in any phase. `onEnd` does not follow. */
  destroy(): void;
}

export interface SocketConnectionOptions {
  deliver: Deliver;
  appToken: string;
  apiUrl: string;
  fetch: FetchFunction;
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
export function openSocketConnection(options: SocketConnectionOptions): SocketConnection {
  const { deliver, appToken, onConnected, onLeaving, onEnd } = options;
  const ended = new AbortController();
  let phase: Phase = 'asking';
  let tcp: Socket | undefined;

  const connect = buildConnector({ allowH2: false });
  const dispatcher = new Agent({
    connect: (target, callback) =>
      connect(target, (...result) => {
        tcp = result[1] ?? undefined;
        callback(...result);
      }),
  });
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
    see: () => ({ phase, bytesRead: tcp?.bytesRead ?? 0 }),
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

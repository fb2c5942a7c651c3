import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import type { Clock } from '../clock.ts';
import { parseJson, propertyOf } from '../json.ts';
import { limits } from '../limits.ts';
import { appId } from '../people.ts';

export interface Envelope {
  type: 'slash_commands' | 'interactive' | 'events_api';
  payload: unknown;
  retryNum?: number;
  retryReason?: string;
}

/** What goes wrong with sockets while `apps.connections.open` works. */
export type SocketFault =
  /** New sockets never get a hello. */
  | 'no-hello'
  /** Nothing passes through the sockets in either direction: no answers to pings, no envelopes. */
  | 'silent'
  /** Sockets end without a close frame as soon as they open. */
  | 'dropped';

interface Refresh {
  /** `warning`: Slack closes the socket in about ten seconds. Default: `refresh_requested`. */
  reason?: 'refresh_requested' | 'warning';
  /** For how long new sockets get no hello. Default: 8 s. */
  gapMs?: number;
  /** When Slack closes the sockets after this. Default: 10 s. */
  closesAfterMs?: number;
}

export type Sockets = ReturnType<typeof createSockets>;

const pingEveryMs = 5000;
/** `approximate_connection_time` of the hello. */
const connectionLifeMs = 3_600_000;
/** Slack closes a socket about this long after its announcement. */
const defaultCloseMs = 10_000;
/** Apps report 5 to 12 s from the announcement to the hello of the next socket. */
const refreshGapMs = 8_000;

/**
 * The server side of Socket Mode: https://docs.slack.dev/apis/events-api/using-socket-mode
 * @param changed is called when a socket connects or disconnects
 */
export function createSockets(clock: Clock, changed: () => void) {
  const server = new WebSocketServer({ noServer: true });
  const tickets = new Set<string>();
  const all = new Set<WebSocket>();
  /** The sockets that got a hello, in this order. */
  const ready: WebSocket[] = [];
  const waiting = new Map<string, (payload: unknown) => void>();
  let turn = 0;
  let fault: SocketFault | undefined;
  let noHelloBefore = 0;

  const sayHello = (socket: WebSocket): void => {
    if (!all.has(socket)) return;
    ready.push(socket);
    socket.send(
      JSON.stringify({
        type: 'hello',
        num_connections: ready.length,
        debug_info: { host: 'sandbox', approximate_connection_time: connectionLifeMs / 1000 },
        connection_info: { app_id: appId },
      }),
    );
    if (fault === 'silent') socket.pause();
    changed();
  };

  const welcome = (socket: WebSocket): void => {
    if (fault === 'dropped') {
      socket.terminate();
      return;
    }
    all.add(socket);
    // Each envelope that waits for its acknowledgement listens for the end of the socket.
    socket.setMaxListeners(0);
    const cancelRefresh = clock.after(connectionLifeMs, () => refreshOne(socket, 'warning'));
    let cancelPing = (): void => {};
    const pingLater = (): void => {
      cancelPing = clock.after(pingEveryMs, () => {
        if (fault !== 'silent') socket.ping();
        pingLater();
      });
    };
    pingLater();
    socket.on('message', (data: Buffer) => {
      const acknowledgement = parseJson(data.toString());
      waiting.get(String(propertyOf(acknowledgement, 'envelope_id')))?.(propertyOf(acknowledgement, 'payload'));
    });
    socket.on('close', () => {
      cancelRefresh();
      cancelPing();
      all.delete(socket);
      if (ready.includes(socket)) ready.splice(ready.indexOf(socket), 1);
      changed();
    });
    if (fault === 'no-hello') return;
    const waitMs = noHelloBefore - clock.now();
    if (waitMs > 0) clock.after(waitMs, () => sayHello(socket));
    else sayHello(socket);
  };

  const refreshOne = (socket: WebSocket, reason: string, closesAfterMs = defaultCloseMs): void => {
    socket.send(JSON.stringify({ type: 'disconnect', reason, debug_info: { host: 'sandbox' } }));
    clock.after(closesAfterMs, () => socket.close(1000));
  };

  return {
    /** The sockets that got a hello. */
    get connected(): number {
      return ready.length;
    },
    /** Issues a single-use URL for a new socket. @returns undefined when the app has reached its limit of sockets */
    ticket(baseUrl: string): string | undefined {
      if (all.size >= limits.sockets.max) return undefined;
      const ticket = randomUUID();
      tickets.add(ticket);
      return `${baseUrl.replace(/^http/, 'ws')}/link/?ticket=${ticket}&app_id=${appId}`;
    },
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
      const ticket = URL.parse(request.url ?? '/', 'http://sandbox')?.searchParams.get('ticket') ?? '';
      if (!tickets.delete(ticket)) {
        socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n');
        return;
      }
      server.handleUpgrade(request, socket, head, welcome);
    },
    /** Sends to one of the sockets. @returns the payload of the acknowledgement */
    async send(envelope: Envelope, signal: AbortSignal): Promise<unknown> {
      const usable = ready.filter(({ readyState }) => readyState === WebSocket.OPEN);
      const socket = usable[turn++ % usable.length];
      if (socket === undefined) throw new Error('no socket is connected');
      const envelopeId = randomUUID();
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      waiting.set(envelopeId, resolve);
      const giveUp = (): void => {
        reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
      };
      const lost = (): void => {
        reject(new Error('the socket closed'));
      };
      signal.addEventListener('abort', giveUp);
      socket.once('close', lost);
      const retry =
        envelope.retryNum === undefined ? {} : { retry_attempt: envelope.retryNum, retry_reason: envelope.retryReason };
      const sent = JSON.stringify({
        envelope_id: envelopeId,
        type: envelope.type,
        payload: envelope.payload,
        accepts_response_payload: envelope.type !== 'events_api',
        ...retry,
      });
      if (fault !== 'silent') socket.send(sent);
      try {
        return await promise;
      } finally {
        waiting.delete(envelopeId);
        signal.removeEventListener('abort', giveUp);
        socket.off('close', lost);
      }
    },
    /** Announces that Slack recycles the sockets, which it also does by itself every hour. */
    refresh({ reason = 'refresh_requested', gapMs = refreshGapMs, closesAfterMs }: Refresh = {}): void {
      noHelloBefore = clock.now() + gapMs;
      for (const socket of ready) refreshOne(socket, reason, closesAfterMs);
    },
    /** Terminates every socket without a close frame. */
    drop(): void {
      for (const socket of all) socket.terminate();
    },
    /** Sets or ends what is wrong with the sockets. `dropped` also terminates the open ones. */
    setFault(next: SocketFault | undefined): void {
      if (fault === 'silent') for (const socket of all) socket.resume();
      fault = next;
      if (next === 'silent') for (const socket of all) socket.pause();
      if (next === 'dropped') for (const socket of all) socket.terminate();
    },
    close(): void {
      for (const socket of all) {
        socket.resume();
        socket.close(1000);
      }
      server.close();
    },
  };
}

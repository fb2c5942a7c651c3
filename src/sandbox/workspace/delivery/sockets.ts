import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { parseJson, propertyOf } from '../json.ts';
import { limits } from '../limits.ts';
import { appId } from '../people.ts';

export interface Envelope {
  type: 'slash_commands' | 'interactive' | 'events_api';
  payload: unknown;
  retryNum?: number;
  retryReason?: string;
}

/** The server side of Socket Mode: https://docs.slack.dev/apis/events-api/using-socket-mode */
export interface Sockets {
  /** Issues a single-use URL for a new socket. @returns undefined when the app has reached its limit of sockets */
  ticket(baseUrl: string): string | undefined;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  readonly connected: number;
  /** Sends to one of the sockets. @returns the payload of the acknowledgement */
  send(envelope: Envelope, signal: AbortSignal): Promise<unknown>;
  /** Announces that Slack recycles the sockets, which it does every few hours. */
  requestDisconnect(): void;
  /** Terminates every socket without a close frame. */
  drop(): void;
  close(): void;
}

const pingEveryMs = 5000;

/** @param changed is called when a socket connects or disconnects */
export function createSockets(changed: () => void): Sockets {
  const server = new WebSocketServer({ noServer: true });
  const tickets = new Set<string>();
  const open: WebSocket[] = [];
  const waiting = new Map<string, (payload: unknown) => void>();
  let turn = 0;

  const pings = setInterval(() => {
    for (const socket of open) socket.ping();
  }, pingEveryMs);
  pings.unref();

  const welcome = (socket: WebSocket): void => {
    open.push(socket);
    socket.on('message', (data: Buffer) => {
      const acknowledgement = parseJson(data.toString());
      waiting.get(String(propertyOf(acknowledgement, 'envelope_id')))?.(propertyOf(acknowledgement, 'payload'));
    });
    socket.on('close', () => {
      open.splice(open.indexOf(socket), 1);
      changed();
    });
    socket.send(
      JSON.stringify({
        type: 'hello',
        num_connections: open.length,
        debug_info: { host: 'sandbox', approximate_connection_time: 3600 },
        connection_info: { app_id: appId },
      }),
    );
    changed();
  };

  return {
    get connected() {
      return open.length;
    },
    ticket(baseUrl) {
      if (open.length >= limits.sockets.max) return undefined;
      const ticket = randomUUID();
      tickets.add(ticket);
      return `${baseUrl.replace(/^http/, 'ws')}/link/?ticket=${ticket}&app_id=${appId}`;
    },
    upgrade(request, socket, head) {
      const ticket = URL.parse(request.url ?? '/', 'http://sandbox')?.searchParams.get('ticket') ?? '';
      if (!tickets.delete(ticket)) {
        socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n');
        return;
      }
      server.handleUpgrade(request, socket, head, welcome);
    },
    async send(envelope, signal) {
      const socket = open[turn++ % open.length];
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
      socket.send(
        JSON.stringify({
          envelope_id: envelopeId,
          type: envelope.type,
          payload: envelope.payload,
          accepts_response_payload: envelope.type !== 'events_api',
          ...retry,
        }),
      );
      try {
        return await promise;
      } finally {
        waiting.delete(envelopeId);
        signal.removeEventListener('abort', giveUp);
        socket.off('close', lost);
      }
    },
    requestDisconnect() {
      for (const socket of open)
        socket.send(
          JSON.stringify({ type: 'disconnect', reason: 'refresh_requested', debug_info: { host: 'sandbox' } }),
        );
    },
    drop() {
      for (const socket of open) socket.terminate();
    },
    close() {
      clearInterval(pings);
      for (const socket of open) socket.close(1000);
      server.close();
    },
  };
}

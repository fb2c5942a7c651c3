import type { FetchFunction, Logger } from '@slack/web-api';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ReadBody } from '../../http/read-body.ts';
import type { Log } from '../../observability/log.ts';
import type { Clock } from '../../time/clock.ts';
import type { InFlight } from '../../time/in-flight.ts';
import type { Deliver } from '../in/deliver.ts';
import { createHttpReceiver, tooMuch, type SlackRefusal } from '../in/http.ts';
import type { SocketMetrics } from '../metrics.ts';
import { createSocketMode } from './socket-mode.ts';

/** What Slack delivers, in HTTP mode or in Socket Mode. */
export interface SlackAdapter {
  /** Handles `POST /slack/events`; undefined in Socket Mode, in which the bot opens the connection. */
  http: { handle(request: IncomingMessage, response: ServerResponse): Promise<void> } | undefined;
  /** Resolves without a connection if Slack is away; the adapter then connects later. Rejects if Slack refuses the app token. */
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  /** @throws {SocketGoneError} while Socket Mode has no connection; never in HTTP mode */
  assertConnected(): void;
}

/** What Socket Mode needs beside the app token. */
interface SocketModeDeps {
  /** Calls Slack without a log line for each failure. */
  fetch: FetchFunction;
  attemptLogger: Logger;
  /** Called only in Socket Mode: HTTP mode has none of these metrics. */
  createMetrics: () => SocketMetrics;
}

/** Uses Socket Mode if there is an app token, otherwise HTTP with the signing secret. */
export function createSlackAdapter(options: {
  signingSecret: string | undefined;
  appToken: string | undefined;
  apiUrl: string;
  deliver: Deliver;
  /** Deliveries that wait for their acknowledgement. */
  unacknowledged: InFlight;
  logger: Logger;
  socketMode: SocketModeDeps;
  log: Log;
  clock: Pick<Clock, 'now' | 'setTimer'>;
  readBody: ReadBody;
  /** Whether the bot is at its limit and refuses new deliveries. */
  isFull: () => boolean;
  /** Called for every HTTP request that is refused without being processed. */
  onRefused: (why: SlackRefusal) => void;
}): SlackAdapter {
  const { appToken, signingSecret = '', deliver, isFull, logger, clock, socketMode } = options;
  if (appToken === undefined)
    return {
      http: createHttpReceiver({ ...options, now: clock.now, signingSecret }),
      connect: async () => {},
      disconnect: async () => {},
      assertConnected() {},
    };
  const { start, stop, assertConnected } = createSocketMode({
    ...options,
    ...socketMode,
    appToken,
    // There is no status code to refuse with. Without an acknowledgement, people see an error and Slack sends events again.
    deliver: async (arrival) => (isFull() ? logger.warn(tooMuch) : deliver(arrival)),
    metrics: socketMode.createMetrics(),
  });
  return { http: undefined, connect: start, disconnect: stop, assertConnected };
}

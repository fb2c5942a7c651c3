import { App, type CodedError, type Logger, type ReceiverEvent } from '@slack/bolt';
import type { FetchFunction, WebClientOptions } from '@slack/web-api';
import { inEnglishThroughout } from '../../domain/said.ts';
import type { ReadBody } from '../../http/read-body.ts';
import type { Log } from '../../observability/log.ts';
import type { Clock } from '../../time/clock.ts';
import { createInFlight, type InFlight } from '../../time/in-flight.ts';
import { createHttpReceiver, tooMuch, type HttpReceiver, type SlackRefusal } from './http-receiver.ts';
import type { OutgoingTexts } from './outgoing-texts.ts';
import { whileActing } from './readers.ts';
import type { SocketMetrics } from '../metrics.ts';
import { createSocketMode } from './socket-mode.ts';

/** Bolt, in HTTP mode or in Socket Mode. */
export interface SlackAdapter {
  app: App;
  /** Handles `POST /slack/events`; undefined in Socket Mode, in which the bot opens the connection. */
  http: Pick<HttpReceiver, 'handle'> | undefined;
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

/** Options for calls of Slack. The SDK's defaults are ten retries over half an hour, no timeout, and unlimited waits after a 429. */
export const webClientOptions: WebClientOptions = {
  timeout: 10_000,
  retryConfig: { retries: 2, minTimeout: 300, maxTimeout: 1_000 },
  rejectRateLimitedCalls: true,
  maxRequestConcurrency: 20,
};

/** Uses Socket Mode if there is an app token, otherwise HTTP with the signing secret. */
export function createSlackAdapter(options: {
  botToken: string;
  signingSecret: string | undefined;
  appToken: string | undefined;
  apiUrl: string;
  logger: Logger;
  fetch: FetchFunction;
  /** The bot's own IDs, once they are known. Bolt ignores events that the bot caused. */
  self: () => { botId?: string | undefined; botUserId?: string | undefined };
  onError: (error: unknown) => void;
  socketMode: SocketModeDeps;
  outgoingTexts: Pick<OutgoingTexts, 'inAcknowledgement'>;
  /** Has Bolt answer each message once. */
  answerMessagesOnce: (app: App) => void;
  log: Log;
  clock: Pick<Clock, 'now' | 'setTimer'>;
  readBody: ReadBody;
  /** Whether the bot is at its limit and refuses new deliveries. */
  isFull: () => boolean;
  /** Called for every HTTP request that is refused without being processed. */
  onRefused: (why: SlackRefusal) => void;
}): SlackAdapter {
  const {
    appToken,
    signingSecret = '',
    apiUrl,
    logger,
    log,
    clock,
    socketMode: { createMetrics, ...socketMode },
  } = options;
  const clientOptions = { ...webClientOptions, slackApiUrl: apiUrl, fetch: options.fetch };
  const unacknowledged = createInFlight();
  const socket =
    appToken === undefined
      ? undefined
      : createSocketMode({
          ...socketMode,
          appToken,
          apiUrl,
          logger,
          log,
          clock,
          unacknowledged,
          metrics: createMetrics(),
        });
  const http = socket ? undefined : createHttpReceiver({ ...options, now: clock.now, signingSecret });
  const app = new App({
    receiver: socket ?? http!,
    authorize: async () => ({ botToken: options.botToken, ...options.self() }),
    logger,
    clientOptions,
    convoStore: false,
  });
  if (socket) refuseWhenFull(app, options);
  options.answerMessagesOnce(app);
  trackAcknowledgements(app, unacknowledged, options.outgoingTexts);
  app.error(async (error: CodedError) => options.onError('original' in error ? error.original : error));

  return {
    app,
    http,
    async connect() {
      await socket?.start();
    },
    async disconnect() {
      await socket?.stop();
    },
    assertConnected() {
      socket?.assertConnected();
    },
  };
}

/** Socket Mode has no status code to refuse with. Without an acknowledgement, people see an error and Slack sends events again. */
function refuseWhenFull(app: App, { isFull, logger }: { isFull: () => boolean; logger: Logger }): void {
  const process = app.processEvent.bind(app);
  app.processEvent = async (event) => (isFull() ? logger.warn(tooMuch) : process(event));
}

/**
 * Tracks each delivery until it is acknowledged, or until its listeners ended without an acknowledgement. What an
 * acknowledgement shows is for the person who acted.
 */
function trackAcknowledgements(
  app: App,
  unacknowledged: InFlight,
  { inAcknowledgement }: Pick<OutgoingTexts, 'inAcknowledgement'>,
): void {
  const process = app.processEvent.bind(app);
  app.processEvent = async (event) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    void unacknowledged.track(promise);
    const ack: ReceiverEvent['ack'] = async (answer) => {
      await event.ack(await inAcknowledgement(answer));
      resolve();
    };
    // Nobody outside marks texts as the bot does.
    const body = inEnglishThroughout(event.body);
    await whileActing(body, async () => process({ ...event, body, ack })).finally(resolve);
  };
}

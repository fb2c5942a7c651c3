import type { IncomingMessage, ServerResponse } from 'node:http';
import { App, SocketModeReceiver, type CodedError, type Logger } from '@slack/bolt';
import type { FetchFunction, WebClientOptions } from '@slack/web-api';
import type { ReadBody } from '../http/read-body.ts';
import { createHttpReceiver, tooMuch, type SlackRefusal } from './http-receiver.ts';

/** Bolt, in HTTP mode or in Socket Mode. */
export interface SlackAdapter {
  app: App;
  /** Handles `POST /slack/events`; undefined in Socket Mode, in which the bot opens the connection. */
  handle: ((request: IncomingMessage, response: ServerResponse) => Promise<void>) | undefined;
  connect(): Promise<void>;
  disconnect(): Promise<void>;
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
  self: () => { botId?: string; botUserId?: string };
  onError: (error: unknown) => void;
  now: () => number;
  readBody: ReadBody;
  /** Whether the bot is at its limit and refuses new deliveries. */
  isFull: () => boolean;
  /** Called for every HTTP request that is refused without being processed. */
  onRefused: (why: SlackRefusal) => void;
}): SlackAdapter {
  const { appToken, signingSecret = '', logger } = options;
  const clientOptions = { ...webClientOptions, slackApiUrl: options.apiUrl, fetch: options.fetch };
  const socket = appToken === undefined ? undefined : new SocketModeReceiver({ appToken, logger, installerOptions: { clientOptions } });
  const http = socket ? undefined : createHttpReceiver({ ...options, signingSecret });
  const app = new App({
    receiver: socket ?? http!,
    authorize: async () => ({ botToken: options.botToken, ...options.self() }),
    logger,
    clientOptions,
    convoStore: false,
  });
  if (socket) refuseWhenFull(app, options);
  app.error(async (error: CodedError) => options.onError('original' in error ? error.original : error));

  return {
    app,
    handle: http?.handle,
    async connect() {
      await socket?.start();
    },
    async disconnect() {
      await socket?.stop();
    },
  };
}

/** Socket Mode has no status code to refuse with. Without an acknowledgement, people see an error and Slack sends events again. */
function refuseWhenFull(app: App, { isFull, logger }: { isFull: () => boolean; logger: Logger }): void {
  const process = app.processEvent.bind(app);
  app.processEvent = async (event) => (isFull() ? logger.warn(tooMuch) : process(event));
}

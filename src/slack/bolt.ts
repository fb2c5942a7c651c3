import type { IncomingMessage, ServerResponse } from 'node:http';
import { App, SocketModeReceiver, type CodedError, type Logger } from '@slack/bolt';
import type { FetchFunction, WebClientOptions } from '@slack/web-api';
import type { ReadBody } from '../http/read-body.ts';
import { createHttpReceiver, tooMuch } from './http-receiver.ts';

/** Bolt in one of its two modes. */
export interface SlackAdapter {
  app: App;
  /** Takes `POST /slack/events`; undefined in Socket Mode, where the bot opens a connection to Slack itself. */
  handle: ((request: IncomingMessage, response: ServerResponse) => Promise<void>) | undefined;
  connect(): Promise<void>;
  disconnect(): Promise<void>;
}

/** How the bot calls Slack: the SDK's own defaults are ten retries over half an hour, no timeout, and waiting for as long as a 429 says. */
export const webClientOptions: WebClientOptions = {
  timeout: 10_000,
  retryConfig: { retries: 2, minTimeout: 300, maxTimeout: 1_000 },
  rejectRateLimitedCalls: true,
  maxRequestConcurrency: 20,
};

/** An app token decides for Socket Mode; otherwise Slack calls over HTTP and signs with the signing secret. */
export function createSlackAdapter(options: {
  botToken: string;
  signingSecret: string | undefined;
  appToken: string | undefined;
  apiUrl: string;
  logger: Logger;
  fetch: FetchFunction;
  /** The bot's own ids, where they are known already: Bolt leaves out events the bot caused itself. */
  self: () => { botId?: string; botUserId?: string };
  onError: (error: unknown) => void;
  now: () => number;
  readBody: ReadBody;
  /** Whether so much is being worked on that more would only wait. */
  isFull: () => boolean;
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

/** Over HTTP the receiver refuses. Here nothing is acknowledged: people see an error, and events come again. */
function refuseWhenFull(app: App, { isFull, logger }: { isFull: () => boolean; logger: Logger }): void {
  const process = app.processEvent.bind(app);
  app.processEvent = async (event) => (isFull() ? logger.warn(tooMuch) : process(event));
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { App, HTTPReceiver, SocketModeReceiver, type CodedError, type Logger } from '@slack/bolt';
import type { FetchFunction, WebClientOptions } from '@slack/web-api';

/** Bolt in one of its two modes. */
export interface SlackEdge {
  app: App;
  /** Takes `POST /slack/events`; undefined in Socket Mode, where the bot opens a connection to Slack itself. */
  handle: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  connect(): Promise<void>;
  disconnect(): Promise<void>;
}

/** How the bot calls Slack: the SDK's own defaults are ten retries over half an hour and no timeout. */
export const webClientOptions: WebClientOptions = {
  timeout: 10_000,
  retryConfig: { retries: 2, minTimeout: 300, maxTimeout: 1_000 },
  maxRequestConcurrency: 20,
};

/** An app token decides for Socket Mode; otherwise Slack calls over HTTP and signs with the signing secret. */
export function createSlackEdge(options: {
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
}): SlackEdge {
  const { appToken, signingSecret = '', logger, now } = options;
  const clientOptions = { ...webClientOptions, slackApiUrl: options.apiUrl, fetch: options.fetch };
  const socket = appToken === undefined ? undefined : new SocketModeReceiver({ appToken, logger, installerOptions: { clientOptions } });
  const http = socket ? undefined : new HTTPReceiver({ signingSecret, logger, endpoints: '/slack/events', bodyLimit: '1mb' });
  const app = new App({
    receiver: socket ?? http!,
    authorize: async () => ({ botToken: options.botToken, ...options.self() }),
    logger,
    clientOptions,
    convoStore: false,
  });
  app.error(async (error: CodedError) => options.onError('original' in error ? error.original : error));

  return {
    app,
    handle:
      http &&
      ((request, response) => {
        if (isFromTheFuture(request, now())) return void response.writeHead(401).end();
        http.requestListener(request, response);
      }),
    async connect() {
      await socket?.start();
    },
    async disconnect() {
      await socket?.stop();
    },
  };
}

/** Bolt refuses a signed request that is more than 5 minutes old; one from the future could be kept and replayed for longer. */
function isFromTheFuture(request: IncomingMessage, nowMs: number): boolean {
  const timestampS = Number(request.headers['x-slack-request-timestamp']);
  return timestampS > nowMs / 1000 + 5 * 60;
}

import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { type Account, addAccount, hasAccount } from './account.ts';
import { type ApiKey, createRateLimit, openApiKey, createCallHandler } from './api/handle-call.ts';
import { type Database, openDatabase } from './database.ts';
import { smoothFace } from './face.ts';
import { identifyPeer } from './http.ts';
import { isKnownHost, urlOf, writeReply } from '../http.ts';
import { createVisitHandler } from './pages/handle-visit.ts';
import { createRoughFace } from './rough/face.ts';
import { createRoughAccount, type RoughAccount, type RoughOptions } from './rough/rough-account.ts';
import { addRoughSample } from './rough/sample.ts';
import { fillAccount, type Sample } from './sample/account.ts';
import type { SampleQuiz } from './sample/quizzes.ts';
import { createSeededRandom } from './sample/seeded-random.ts';
import { createWebhookSender, startDelivery } from './webhooks/delivery.ts';
import { configureWebhook, type WebhookSettings } from './webhooks/webhooks.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const unknownHost =
  'The quiz service answers as localhost, by an IP address, and at its public URL, and by no other name.\n';

export interface QuizServiceOptions {
  host?: string;
  /** 0 selects any free port. */
  port?: number;
  /** A directory for `quiz-service.sqlite`, or `:memory:`. */
  dataDir: string;
  /** Sets the account's key. By default the stored key stays, and a new account gets a generated one. */
  apiKey?: string | undefined;
  /** Replaces the webhook. */
  webhook?: WebhookSettings | undefined;
  /** Limits per API key (specification, section 8). */
  ratePerMinute?: number;
  ratePerHour?: number;
  /** Delays every API response. */
  latencyMs?: number;
  /** The content of a new database. */
  sample?: Sample;
  /** The quizzes of the sample. Default: those of the sandbox. */
  quizzes?: readonly SampleQuiz[] | undefined;
  /** Serves the rough account, in which every oddity of real accounts occurs. Default: no oddities. */
  rough?: true | RoughOptions | undefined;
  /** The target of the link that follows a quiz. */
  returnUrl?: string | undefined;
  /** The URL for browsers, if it is not the one the service listens on. */
  publicUrl?: string | undefined;
  /** Trusts `X-Forwarded-Proto` and `X-Forwarded-For`. */
  trustProxy?: boolean;
  /** The delays between webhook deliveries that fail. Default: `redeliveryDelaysMs` in `webhooks/delivery.ts`. */
  redeliveryDelaysMs?: readonly number[];
  now?: () => number;
  /** Calls `run` after a delay. @returns a function that cancels it. Default: a timer of Node. */
  startTimer?: (run: () => void, delayMs: number) => () => void;
  log?: (line: string) => void;
}

export type QuizService = Awaited<ReturnType<typeof startQuizService>>;

/** Starts the quiz administration service of one account: REST interface, pages and webhooks. */
export async function startQuizService(options: QuizServiceOptions) {
  const { host = '127.0.0.1', port = 0, trustProxy = false, now = Date.now, log = () => {} } = options;
  const reportError = (error: unknown): string => {
    const reference = randomUUID().slice(0, 8);
    log(`error ${reference}: ${error instanceof Error ? error.stack : String(error)}`);
    return reference;
  };

  const rough = options.rough && createRoughAccount(options.rough === true ? {} : options.rough);
  const { database, isNew } = openAccount(options, rough, now());
  const perKey = [
    { limit: options.ratePerMinute ?? 60, windowMs: minuteMs },
    { limit: options.ratePerHour ?? 2000, windowMs: hourMs },
  ];
  const rateLimit = createRateLimit(perKey, now);
  const apiKey = openApiKey(database, rateLimit);
  prepareKey(apiKey, options.apiKey, isNew);
  const webhookScheme = rough ? rough.webhookScheme : 'body';
  const setWebhook = (webhook: WebhookSettings | undefined) =>
    configureWebhook(
      database,
      webhook && { ...webhook, scheme: webhook.scheme ?? webhookScheme },
      account.newId,
      now(),
    );

  const account: Account = {
    database,
    now,
    // A rough account that is opened again would draw the same ids once more.
    newId: rough && isNew ? createSeededRandom(rough.seed + 1).id : randomUUID,
    publicUrl: () => options.publicUrl ?? listener.url,
    deliverEvents: () => delivery.wake(),
  };
  if (options.webhook) setWebhook(options.webhook);
  const face = rough ? createRoughFace(rough, account) : smoothFace;
  const latency = createLatency(options.latencyMs ?? 0);
  const handleCall = createCallHandler({
    account,
    apiKey,
    rateLimit,
    face,
    delay: latency.pass,
    reportError,
  });
  const handleVisit = createVisitHandler({ account, returnUrl: options.returnUrl }, reportError);

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isKnownHost(request.headers.host, options.publicUrl)) {
      return writeReply(response, { status: 404, headers: { 'content-type': 'text/plain' }, body: unknownHost });
    }
    const [pathname = '/'] = (request.url ?? '/').split('?');
    const interception = face.intercept(request, pathname);
    if (interception) return writeReply(response, interception);
    const answer = /^\/api(\/|$)/.test(pathname) ? handleCall : handleVisit;
    await answer(request, response, pathname, identifyPeer(request, trustProxy));
  }

  const listener = await listen(handle, { host, port, reportError }).catch((error: unknown) => {
    database.close();
    throw error;
  });
  const sender = createWebhookSender();
  const delivery = startDelivery({
    database,
    now,
    send: sender.send,
    face,
    delaysMs: options.redeliveryDelaysMs,
    startTimer: options.startTimer,
    reportError,
  });

  async function close(): Promise<void> {
    latency.end();
    await Promise.all([listener.close(), delivery.close()]);
    await sender.close();
    database.close();
  }
  let closing: Promise<void> | undefined;

  return {
    /** The URL, without a trailing slash. The API is under `/api/v1`. */
    url: listener.url,
    /** The current key. */
    get apiKey(): string {
      return apiKey.current() ?? '';
    },
    /** Whether this start created the account. */
    isNew,
    database,
    /** What the pages work on, for those who take quizzes without a browser. */
    account,
    /** The time zone of all dates. */
    timeZone: rough ? rough.timeZone : 'UTC',
    /** The scheme of configured webhooks that name none. */
    webhookScheme,
    /** Replaces the configured webhook. Undefined removes it. */
    setWebhook,
    setLatency: latency.set,
    /** Closes within half a second, even with requests in progress. */
    close: (): Promise<void> => (closing ??= close()),
  };
}

function openAccount(
  options: QuizServiceOptions,
  rough: RoughAccount | undefined,
  nowMs: number,
): { database: Database; isNew: boolean } {
  const { dataDir, sample = 'account' } = options;
  const database = openDatabase(dataDir);
  const isNew = !hasAccount(database);
  if (isNew)
    database.transaction(() => {
      addAccount(database);
      fillAccount(database, sample, nowMs, options.quizzes);
      if (rough && sample !== 'empty') addRoughSample(database, rough, nowMs);
    });
  return { database, isNew };
}

function prepareKey(apiKey: ApiKey, configured: string | undefined, isNew: boolean): void {
  if (configured !== undefined) {
    if (apiKey.current() !== configured) apiKey.set(configured);
  } else if (isNew) apiKey.roll();
}

/** Delays responses. `end` releases all of them. */
function createLatency(initialMs: number) {
  const ended = new AbortController();
  let latencyMs = initialMs;
  const pass = async () => {
    if (latencyMs > 0) await wait(latencyMs, undefined, { signal: ended.signal }).catch(() => {});
  };
  const set = (newLatencyMs: number) => {
    latencyMs = newLatencyMs;
  };
  return { pass, set, end: () => ended.abort() };
}

/** How long open requests may take to finish on close. */
const closeGraceMs = 300;

/** @param port 0 selects any free port. @throws when the port is not available */
async function listen(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  { host, port, reportError }: { host: string; port: number; reportError: (error: unknown) => void },
) {
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      reportError(error);
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  return {
    /** The URL, without a trailing slash. */
    url: urlOf(server, host),
    async close(): Promise<void> {
      const cutOff = setTimeout(() => server.closeAllConnections(), closeGraceMs);
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      clearTimeout(cutOff);
    },
  };
}

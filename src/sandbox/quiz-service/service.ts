import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Account } from './account.ts';
import { type ApiKey, keepApiKey } from './api/api-key.ts';
import { createCallHandler } from './api/handle-call.ts';
import { createRateLimit } from './api/rate-limit.ts';
import { createRequestLog } from './api/request-log.ts';
import { type Database, openDatabase } from './database.ts';
import { identifyPeer } from './http/peer.ts';
import { openOutbox } from './outbox.ts';
import { createVisitHandler } from './pages/handle-visit.ts';
import { createSessions } from './pages/sessions.ts';
import { hashPassword, makePassword } from './password.ts';
import { fillAccount, type Sample } from './sample/fill.ts';
import { addAccount, hasAccount, isSampleAccount, writeOwnerPasswordHash } from './store/account.ts';
import { startDelivery } from './webhooks/delivery.ts';
import { createWebhookSender } from './webhooks/send.ts';
import { configureWebhook, type WebhookSettings } from './webhooks/webhooks.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** What is still being answered at the end gets so long. */
const CLOSE_GRACE_MS = 300;

export interface QuizServiceOptions {
  host?: string;
  /** 0: any free one. */
  port?: number;
  /** A directory for `quiz-service.sqlite`, or `:memory:`. */
  dataDir: string;
  /** The account's key is set to it. Without it, the key in the database stays, and a new account gets a new one. */
  apiKey?: string | undefined;
  /** Replaces the webhook that was configured here before; those made on the API screen stay. */
  webhook?: WebhookSettings | undefined;
  /** Per API key (specification, section 8). */
  ratePerMinute?: number;
  ratePerHour?: number;
  /** Each API answer is held back so long. */
  latencyMs?: number;
  /** What a new database is filled with. */
  sample?: Sample;
  /** Replaces the owner's password of an account that is there already. */
  newOwnerPassword?: boolean;
  /** Where the page after a quiz leads back to. */
  returnUrl?: string | undefined;
  /** Where browsers reach the service, when that is not where it listens. */
  publicUrl?: string | undefined;
  /** Whether `X-Forwarded-Proto` and `X-Forwarded-For` come from a proxy that can be believed. */
  trustProxy?: boolean;
  /** Between a failed webhook delivery and the next one; default in `webhooks/delivery.ts`. */
  redeliveryDelaysMs?: readonly number[];
  now?: () => number;
  log?: (line: string) => void;
}

export interface QuizService {
  /** Without a slash at the end; the API is under `/api/v1`. */
  url: string;
  /** The key in use now, empty when the owner deleted it. */
  readonly apiKey: string;
  /** Known only when this start made it. */
  ownerPassword: string | undefined;
  /** Whether this start made and filled the account. */
  isNew: boolean;
  database: Database;
  /** Changes the configured webhook; undefined removes it. */
  setWebhook: (webhook: WebhookSettings | undefined) => void;
  setLatency: (latencyMs: number) => void;
  /** Ends within half a second, whatever is under way. */
  close: () => Promise<void>;
}

/** Starts the quiz administration service: REST interface, pages and webhooks of one account. */
export async function startQuizService(options: QuizServiceOptions): Promise<QuizService> {
  const { host = '127.0.0.1', port = 0, dataDir, sample = 'account', trustProxy = false } = options;
  const { now = Date.now, log = () => {} } = options;
  let { latencyMs = 0 } = options;
  let url = '';

  const database = openDatabase(dataDir);
  const isNew = !hasAccount(database);
  const ownerPassword = isNew || options.newOwnerPassword ? makePassword() : undefined;
  if (ownerPassword !== undefined) {
    const hash = await hashPassword(ownerPassword);
    if (isNew) makeAccount(database, hash, sample, now());
    else writeOwnerPasswordHash(database, hash);
  }
  const requestLog = createRequestLog(database);
  const apiKey = keepApiKey(database, requestLog);
  prepareKey(apiKey, options.apiKey, isNew);

  const reportError = (error: unknown): string => {
    const reference = randomUUID().slice(0, 8);
    log(`error ${reference}: ${error instanceof Error ? error.stack : String(error)}`);
    return reference;
  };
  const outbox = openOutbox(database, now, randomUUID);
  const account: Account = {
    database,
    now,
    newId: randomUUID,
    publicUrl: () => options.publicUrl ?? url,
    sendWelcomeMail: outbox.send,
    deliverEvents: () => delivery.wake(),
  };
  if (options.webhook) configureWebhook(database, options.webhook, account.newId, now());
  const sender = createWebhookSender();
  const delivery = startDelivery({ database, now, send: sender.send, delaysMs: options.redeliveryDelaysMs, reportError });

  const shutdown = new AbortController();
  const rateLimit = createRateLimit(
    [
      { limit: options.ratePerMinute ?? 60, windowMs: MINUTE_MS },
      { limit: options.ratePerHour ?? 2000, windowMs: HOUR_MS },
    ],
    now,
  );
  const delay = async () => {
    if (latencyMs > 0) await wait(latencyMs, undefined, { signal: shutdown.signal }).catch(() => {});
  };
  const handleCall = createCallHandler({ account, apiKey, rateLimit, requestLog, delay, reportError });
  const handleVisit = createVisitHandler(
    {
      account,
      apiKey,
      requestLog,
      outbox,
      returnUrl: options.returnUrl,
      sessions: createSessions(now),
      signInLimit: createRateLimit([{ limit: 20, windowMs: MINUTE_MS }], now),
      isSample: isSampleAccount(database),
    },
    reportError,
  );

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [pathname = '/'] = (request.url ?? '/').split('?');
    const peer = identifyPeer(request, trustProxy);
    const answer = pathname === '/api' || pathname.startsWith('/api/') ? handleCall : handleVisit;
    await answer(request, response, pathname, peer);
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      reportError(error);
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  url = urlOf(host, server.address());

  let closing: Promise<void> | undefined;
  async function close(): Promise<void> {
    shutdown.abort();
    const closed = new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
    const cutOff = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
    await Promise.all([closed, delivery.close()]);
    clearTimeout(cutOff);
    await sender.close();
    requestLog.flush();
    database.close();
  }

  return {
    url,
    get apiKey() {
      return apiKey.current() ?? '';
    },
    ownerPassword,
    isNew,
    database,
    setWebhook: (webhook) => configureWebhook(database, webhook, account.newId, now()),
    setLatency(newLatencyMs) {
      latencyMs = newLatencyMs;
    },
    close: () => (closing ??= close()),
  };
}

/** Of all the addresses of a machine, loopback is the one to name. */
function urlOf(host: string, address: AddressInfo | string | null): string {
  const name = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  const port = typeof address === 'object' ? address?.port : undefined;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

function makeAccount(database: Database, ownerPasswordHash: string, sample: Sample, nowMs: number): void {
  database.transaction(() => {
    addAccount(database, ownerPasswordHash, sample !== 'empty');
    fillAccount(database, sample, nowMs);
  });
}

function prepareKey(apiKey: ApiKey, configured: string | undefined, isNew: boolean): void {
  if (configured !== undefined) {
    if (apiKey.current() !== configured) apiKey.set(configured);
  } else if (isNew) apiKey.roll();
}

import { LogLevel, type Logger } from '@slack/bolt';
import { WebClient } from '@slack/web-api';
import { fetch as undiciFetch } from 'undici';
import type { Log } from '../../observability/log.ts';
import type { Observability } from '../../observability/observability.ts';
import type { Clock } from '../../time/clock.ts';
import { webClientOptions } from './bolt.ts';
import { createSlackMetrics, createSocketMetrics } from '../metrics.ts';
import { slackCodeOf } from '../errors.ts';
import { createObservedFetch, createRateLimitFetch } from './fetch.ts';
import { createOutageWatch } from './outage-watch.ts';

export type SlackConnection = ReturnType<typeof createSlackConnection>;

/** Makes the clients of Slack's Web API. All calls go through one observed `fetch`. */
export function createSlackConnection(deps: {
  botToken: string;
  apiUrl: string;
  observability: Observability;
  clock: Clock;
}) {
  const {
    botToken,
    apiUrl,
    observability: {
      log,
      metrics: { registry },
      tracing,
    },
    clock,
  } = deps;
  const metrics = createSlackMetrics(registry);
  const logger = slackLogger(log);
  // The global fetch would load undici a second time.
  const observed = {
    apiUrl,
    metrics,
    tracing,
    log,
    fetch: undiciFetch,
    onCall: (hasAnswered: boolean) => outageWatch.observe(hasAnswered),
  };
  const fetch = createObservedFetch(observed);
  const rateLimitFetch = createRateLimitFetch(fetch, clock.sleep);
  const clientOptions = { ...webClientOptions, slackApiUrl: apiUrl, logger, fetch };
  const client = new WebClient(botToken, { ...clientOptions, fetch: rateLimitFetch });
  const asking = new WebClient(botToken, {
    ...clientOptions,
    fetch: createObservedFetch({ ...observed, failureLevel: 'debug' }),
    timeout: askingTimeoutMs,
    retryConfig: { retries: 0 },
  });
  const outageWatch = createOutageWatch({ ask: async () => askSlack(asking), log, sleep: clock.sleep });
  const identity = createBotIdentity(client, clock.now);

  return {
    metrics,
    logger,
    clientOptions,
    rateLimitFetch,
    /** An outage has one log line, not one for each attempt to connect. */
    socketMode: {
      fetch: createObservedFetch({ ...observed, failureLevel: 'debug' }),
      attemptLogger: slackLogger(log, 'debug'),
      createMetrics: () => createSocketMetrics(registry),
    },
    client,
    /** Does not retry: a message that is posted again shows twice. The caller knows whether to post again. */
    postingClient: new WebClient(botToken, { ...clientOptions, retryConfig: { retries: 0 } }),
    outageWatch,
    identity,
    /** Undefined until Slack has named the workspace. */
    knownTeamId: () => identity.known()?.teamId,
    /** Rejects while Slack does not name the workspace. */
    teamId: async () => identity.known()?.teamId ?? (await identity.confirm()).teamId ?? '',
  };
}

/** Short, so that an outage is over soon after Slack is back. */
const askingTimeoutMs = 3_000;

/** Any answer of Slack shows that it is there, such as one about the token. */
async function askSlack(client: WebClient): Promise<void> {
  try {
    await client.auth.test();
  } catch (error) {
    if (slackCodeOf(error) === undefined) throw error;
  }
}

/** The bot's identity in Slack. */
export interface BotIdentity {
  teamId: string | undefined;
  /** The Enterprise organization of the workspace; undefined where it is in none. */
  enterpriseId: string | undefined;
  botId: string | undefined;
  botUserId: string | undefined;
}

/** How long an answer of `auth.test` is reused. */
const believedForMs = 30_000;

/** Caches Slack's `auth.test` for 30 seconds. `known` returns the latest answer without waiting. */
export function createBotIdentity(client: WebClient, now: () => number) {
  let known: BotIdentity | undefined;
  let askedAt = -Infinity;
  return {
    known: () => known,
    /** Rejects when Slack cannot be reached or refuses the token. */
    async confirm(): Promise<BotIdentity> {
      if (known && now() - askedAt < believedForMs) return known;
      const {
        team_id: teamId,
        enterprise_id: enterpriseId,
        bot_id: botId,
        user_id: botUserId,
      } = await client.auth.test();
      known = { teamId, enterpriseId, botId, botUserId };
      askedAt = now();
      return known;
    },
  };
}

/**
 * Sends the log lines of Slack's SDK to the bot's log, except debug lines, which contain whole messages and personal data.
 *
 * @param failureLevel of warnings and errors; default: their own
 */
export function slackLogger(log: Log, failureLevel?: 'debug'): Logger {
  const sdk = log.child({ part: 'slack-sdk' });
  const text = (parts: unknown[]) =>
    parts.map((part) => (part instanceof Error ? part.message : String(part))).join(' ');
  return {
    debug: () => {},
    info: (...parts) => sdk.debug(text(parts)),
    warn: (...parts) => sdk[failureLevel ?? 'warn'](text(parts)),
    error: (...parts) => sdk[failureLevel ?? 'error'](text(parts)),
    setLevel: () => {},
    getLevel: () => LogLevel.INFO,
    setName: () => {},
  };
}

import { WebClient } from '@slack/web-api';
import { fetch as undiciFetch } from 'undici';
import type { Observability } from '../observability/observability.ts';
import type { Clock } from '../time/clock.ts';
import { webClientOptions } from './bolt.ts';
import { createBotIdentity } from './bot-identity.ts';
import { slackLogger } from './logger.ts';
import { createSlackMetrics } from './metrics.ts';
import { createObservedFetch } from './observed-fetch.ts';
import { createRateLimitFetch } from './rate-limit-fetch.ts';

export type SlackConnection = ReturnType<typeof createSlackConnection>;

/** Makes the clients of Slack's Web API. All calls go through one observed `fetch`. */
export function createSlackConnection(deps: { botToken: string; apiUrl: string; observability: Observability; clock: Clock }) {
  const { botToken, apiUrl, observability: { log, metrics: { registry }, tracing }, clock } = deps;
  const metrics = createSlackMetrics(registry);
  const logger = slackLogger(log);
  // The global fetch would load undici a second time.
  const fetch = createObservedFetch({ apiUrl, metrics, tracing, log, fetch: undiciFetch });
  const rateLimitFetch = createRateLimitFetch(fetch, clock.sleep);
  const clientOptions = { ...webClientOptions, slackApiUrl: apiUrl, logger, fetch };
  const client = new WebClient(botToken, { ...clientOptions, fetch: rateLimitFetch });
  const identity = createBotIdentity(client, clock.now);

  return {
    metrics,
    logger,
    clientOptions,
    rateLimitFetch,
    client,
    /** Does not retry: a message that is posted again shows twice. The caller knows whether to post again. */
    postingClient: new WebClient(botToken, { ...clientOptions, retryConfig: { retries: 0 } }),
    identity,
    /** Undefined until Slack has named the workspace. */
    knownTeamId: () => identity.known()?.teamId,
    /** Rejects while Slack does not name the workspace. */
    teamId: async () => identity.known()?.teamId ?? (await identity.confirm()).teamId ?? '',
  };
}

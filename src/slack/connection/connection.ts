import type { RenderIn } from '../../words/catalogues.ts';
import { LogLevel, WebClient, type Logger, type WebClientOptions } from '@slack/web-api';
import { fetch as undiciFetch } from 'undici';
import type { OwnNames } from '../../domain/own-names.ts';
import type { Log } from '../../observability/log.ts';
import type { Observability } from '../../observability/observability.ts';
import type { Clock } from '../../time/clock.ts';
import type { Language } from '../../words/languages.ts';
import { createSlackMetrics, createSocketMetrics } from '../metrics.ts';
import { slackCodeOf } from '../errors.ts';
import { createObservedFetch, createRateLimitFetch } from './fetch.ts';
import { createOutgoingTexts } from './outgoing-texts.ts';
import type { Readers } from './readers.ts';
import { createOutageWatch } from './outage-watch.ts';
import { createWorkspaceClient, type Workspaces } from './workspace-client.ts';

/** Options for calls of Slack. The SDK's defaults are ten retries over half an hour, no timeout, and unlimited waits after a 429. */
const webClientOptions: WebClientOptions = {
  timeout: 10_000,
  retryConfig: { retries: 2, minTimeout: 300, maxTimeout: 1_000 },
  rejectRateLimitedCalls: true,
  maxRequestConcurrency: 20,
};

export type SlackConnection = ReturnType<typeof createSlackConnection>;

/** Makes the clients of Slack's Web API. All calls go through one observed `fetch`. */
export function createSlackConnection(deps: {
  botToken: string;
  apiUrl: string;
  /** What the bot is called in the workspace. */
  names: OwnNames;
  readers: Readers;
  renderIn: RenderIn;
  defaultLanguage: Language;
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
  const outgoingTexts = createOutgoingTexts(deps);
  const metrics = createSlackMetrics(registry);
  const logger = slackLogger(log);
  // The global fetch would load undici a second time.
  const observed = {
    apiUrl,
    metrics,
    tracing,
    log,
    fetch: outgoingTexts.inCalls(undiciFetch),
    onCall: (hasAnswered: boolean) => outageWatch.observe(hasAnswered),
  };
  const fetch = createObservedFetch(observed);
  const rateLimitFetch = createRateLimitFetch(fetch, clock.sleep);
  const clientOptions = { ...webClientOptions, slackApiUrl: apiUrl, logger, fetch };
  const client = createWorkspaceClient(botToken, { ...clientOptions, fetch: rateLimitFetch }, () => workspaces());
  const asking = new WebClient(botToken, {
    ...clientOptions,
    fetch: createObservedFetch({ ...observed, failureLevel: 'debug' }),
    timeout: askingTimeoutMs,
    retryConfig: { retries: 0 },
  });
  const outageWatch = createOutageWatch({ ask: async () => askSlack(asking), log, sleep: clock.sleep });
  const identity = createBotIdentity(client, clock.now);
  const workspaces = createWorkspaces({ client, identity, now: clock.now });

  return {
    metrics,
    logger,
    clientOptions,
    names: deps.names,
    outgoingTexts,
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
  /** Whether the bot is installed for an organization. It is then the organization that Slack names as its workspace. */
  isOrganizationWide: boolean;
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
  async function confirmNow(): Promise<BotIdentity> {
    askedAt = -Infinity;
    const {
      team_id: teamId,
      enterprise_id: enterpriseId,
      is_enterprise_install: isOrganizationWide = false,
      bot_id: botId,
      user_id: botUserId,
    } = await client.auth.test();
    known = { teamId, isOrganizationWide, enterpriseId, botId, botUserId };
    askedAt = now();
    return known;
  }

  return {
    known: () => known,
    /** Rejects when Slack cannot be reached or refuses the token. */
    async confirm(): Promise<BotIdentity> {
      return known && now() - askedAt < believedForMs ? known : confirmNow();
    },
    /** The same, without believing an earlier answer. */
    confirmNow,
  };
}

/** How long an answer of `auth.teams.list` is reused. An administrator adds the app to a workspace once. */
const workspacesBelievedForMs = 10 * 60_000;

/** Lists the workspaces of the bot's token. Where it is one for an organization, administrators add workspaces one by one. */
export function createWorkspaces(deps: {
  client: WebClient;
  identity: Pick<ReturnType<typeof createBotIdentity>, 'known' | 'confirm'>;
  now: () => number;
}): Workspaces {
  const { client, identity, now } = deps;
  let listed: { ids: readonly string[]; at: number } | undefined;
  return async () => {
    const { teamId, isOrganizationWide } = identity.known() ?? (await identity.confirm());
    if (!isOrganizationWide) return teamId === undefined ? [] : [teamId];
    if (listed === undefined || now() - listed.at >= workspacesBelievedForMs)
      listed = { ids: (await listWorkspaces(client)).map(({ id }) => id), at: now() };
    return listed.ids;
  };
}

/** https://docs.slack.dev/reference/methods/auth.teams.list */
export async function listWorkspaces(client: WebClient): Promise<{ id: string; name: string }[]> {
  const found: { id: string; name: string }[] = [];
  let cursor: string | undefined;
  do {
    const { teams = [], response_metadata } = await client.auth.teams.list({ limit: 1_000, ...(cursor && { cursor }) });
    found.push(...teams.flatMap(({ id, name = '' }) => (id === undefined ? [] : [{ id, name: name || id }])));
    cursor = response_metadata?.next_cursor;
  } while (cursor);
  return found;
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

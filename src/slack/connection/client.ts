import {
  LogLevel,
  WebClient,
  type DndTeamInfoResponse,
  type FetchFunction,
  type Logger,
  type TeamProfileGetResponse,
  type WebAPICallResult,
  type WebClientOptions,
} from '@slack/web-api';
import { fetch as undiciFetch } from 'undici';
import type { OwnNames } from '../../domain/own-names.ts';
import { inEnglishThroughout } from '../../domain/said.ts';
import type { Proxies } from '../../http/outbound.ts';
import { createCredentialLog, type Log } from '../../observability/log.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { createOutgoingTexts, type Readers } from './outgoing.ts';
import { slackCodeOf } from '../errors.ts';
import { refusedToken } from '../slack-finding.ts';
import { createSlackMetrics, createSocketMetrics, type SlackMetrics } from '../metrics.ts';
import type { Clock, Sleep } from '../../time/clock.ts';
import type { RenderIn } from '../../words/catalogues.ts';
import type { Language } from '../../words/languages.ts';

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
  /** Those of Socket Mode; calls go as the process sends everything. */
  proxies: Proxies;
  /** What the bot is called in the workspace. */
  names: OwnNames;
  readers: Readers;
  renderIn: RenderIn;
  defaultLanguage: Language;
  log: Log;
  metrics: Pick<Metrics, 'registry' | 'shared'>;
  clock: Clock;
}) {
  const {
    botToken,
    apiUrl,
    log,
    metrics: { registry, shared },
    clock,
  } = deps;
  const outgoingTexts = createOutgoingTexts(deps);
  const metrics = createSlackMetrics(shared);
  const logger = slackLogger(log);
  // The global fetch would load undici a second time.
  const observed = {
    apiUrl,
    metrics,
    log,
    fetch: outgoingTexts.inCalls(undiciFetch),
    onCall: (hasAnswered: boolean) => outageWatch.observe(hasAnswered),
    token: createCredentialLog(log, 'SLACK_BOT_TOKEN'),
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
      proxies: deps.proxies,
      attemptLogger: slackLogger(log, 'debug'),
      createMetrics: () => createSocketMetrics(registry),
    },
    client,
    /** Does not retry: a message that is posted again shows twice. The caller knows whether to post again. */
    postingClient: new WebClient(botToken, {
      ...clientOptions,
      retryConfig: { retries: 0 },
      maxRequestConcurrency: 100,
    }),
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

/** The IDs of the workspaces in which the bot's token works: its own, or those of an organization that have the app. */
type Workspaces = () => Promise<readonly string[]>;

type Arguments = Readonly<Record<string, unknown>>;
/** Makes a call about one workspace. @param team undefined: about none, which Slack refuses an organization */
type CallIn = (team: string | undefined, options: Arguments) => Promise<WebAPICallResult>;
/** @param teams never empty */
type Ask = (callIn: CallIn, teams: readonly (string | undefined)[], options: Arguments) => Promise<WebAPICallResult>;

/** Makes a client whose calls are about all workspaces of its token, where Slack answers for one at a time. */
export function createWorkspaceClient(token: string, options: WebClientOptions, workspaces: Workspaces): WebClient {
  return new (class extends WebClient {
    override async apiCall(method: string, given: Arguments = {}): Promise<WebAPICallResult> {
      const ask = methods.get(method);
      if (ask === undefined) return inEnglishThroughout(await super.apiCall(method, given));
      const teams = await workspaces();
      const callIn: CallIn = async (team, own) =>
        inEnglishThroughout(await super.apiCall(method, { ...own, ...(team !== undefined && { team_id: team }) }));
      return ask(callIn, teams.length === 0 ? [undefined] : teams, given);
    }
  })(token, options);
}

/** Lists one workspace after the other. A cursor is the workspace and Slack's own cursor. */
const listPages: Ask = async (callIn, teams, { cursor: given, ...options }) => {
  const [, of = '', cursor = ''] = /^(\w*):(.*)$/s.exec(typeof given === 'string' ? given : '') ?? [];
  const at = Math.max(0, teams.indexOf(of));
  const answer = await callIn(teams[at], { ...options, ...(cursor !== '' && { cursor }) });
  const after = answer.response_metadata?.next_cursor ?? '';
  const [next] = after === '' ? teams.slice(at + 1) : [teams[at] ?? ''];
  return {
    ...answer,
    response_metadata: { ...answer.response_metadata, next_cursor: next === undefined ? '' : `${next}:${after}` },
  };
};

/** A user group is in one of the workspaces. */
const listUserGroup: Ask = async (callIn, [team, ...others], options) => {
  try {
    return await callIn(team, options);
  } catch (error) {
    if (others.length === 0 || !unknownGroup.has(slackCodeOf(error) ?? '')) throw error;
    return listUserGroup(callIn, others, options);
  }
};

/** https://docs.slack.dev/reference/methods/usergroups.users.list#errors */
const unknownGroup: ReadonlySet<string> = new Set(['no_such_subteam', 'subteam_not_found']);

/** Asks the next workspace about those whom the ones before do not know. */
async function readDoNotDisturb(
  callIn: CallIn,
  [team, ...others]: readonly (string | undefined)[],
  options: Arguments,
): Promise<DndTeamInfoResponse> {
  const answer: DndTeamInfoResponse = await callIn(team, options);
  const { users: found = {} } = answer;
  const missing = String(options['users'])
    .split(',')
    .filter((personId) => !Object.hasOwn(found, personId));
  if (others.length === 0 || missing.length === 0) return answer;
  const rest = await readDoNotDisturb(callIn, others, { ...options, users: missing.join(',') });
  return { ...rest, users: { ...found, ...rest.users } };
}

/** The fields of the profiles in all workspaces. */
async function listProfileFields(
  callIn: CallIn,
  [team, ...others]: readonly (string | undefined)[],
  options: Arguments,
): Promise<TeamProfileGetResponse> {
  const answer: TeamProfileGetResponse = await callIn(team, options);
  if (others.length === 0) return answer;
  const rest = await listProfileFields(callIn, others, options);
  const fields = [...(answer.profile?.fields ?? []), ...(rest.profile?.fields ?? [])];
  return {
    ...answer,
    profile: { ...answer.profile, fields: [...new Map(fields.map((field) => [field.id, field])).values()] },
  };
}

/**
 * The methods that ask the token of an organization for a `team_id`, as far as the bot calls them. Slack ignores it with the
 * token of a workspace: https://docs.slack.dev/enterprise/developing-for-enterprise-orgs#team_id
 */
const methods = new Map<string, Ask>([
  ['users.list', listPages],
  ['usergroups.users.list', listUserGroup],
  ['dnd.teamInfo', readDoNotDisturb],
  ['team.profile.get', listProfileFields],
]);

export const methodsPerWorkspace: readonly string[] = [...methods.keys()];

/** Distinct error codes in the metrics. Slack has about as many; the limit bounds the number of series. */
const codesAtMost = 200;
/** Slack’s codes for faults of its own: https://docs.slack.dev/reference/methods/auth.test#errors */
const outageCodes = new Set(['fatal_error', 'internal_error', 'service_unavailable', 'request_timeout']);

/**
 * The `fetch` of every Slack client. It logs and measures each call. It wraps `fetch` and not the methods of a
 * client, because there are several, and response URLs have none. A call that waited for the client's concurrency limit may be logged
 * under the piece of work that made room for it.
 */
export function createObservedFetch(deps: {
  apiUrl: string;
  metrics: Pick<SlackMetrics, 'calls' | 'errors'>;
  log: Log;
  /** Default: warn. */
  failureLevel?: 'debug' | 'warn';
  /** Called after each call of the Web API, with whether Slack answered. An outage of a part of Slack has answers, too. */
  onCall?: (hasAnswered: boolean) => void;
  /** Default: a refused bot token is a failure as any other. */
  token?: ReturnType<typeof createCredentialLog>;
  fetch?: FetchFunction;
}): FetchFunction {
  const { apiUrl, metrics, log, failureLevel = 'warn', onCall, token } = deps;
  const call: FetchFunction = deps.fetch ?? ((url, init) => fetch(url, init));
  const codes = new Set<string>();

  return async (url, init) => {
    const method = methodOf(String(url), apiUrl);
    const begin = performance.now();

    function tell(status: number | 'error', failure?: { code: string }): void {
      const durationMs = performance.now() - begin;
      metrics.calls.observe(durationMs / 1000);
      if (String(url).startsWith(apiUrl))
        onCall?.(status !== 'error' && status < 500 && !outageCodes.has(failure?.code ?? ''));
      const told = { method, status, durationMs: Math.round(durationMs * 10) / 10 };
      const isOfToken = token !== undefined && String(url).startsWith(apiUrl) && method !== withAppToken;
      if (failure === undefined) {
        if (isOfToken) token.accepted();
        return log.debug(told, 'called Slack');
      }
      metrics.errors.inc({ method, code: bounded(failure.code) });
      const refused = isOfToken ? refusedToken(failure.code) : undefined;
      if (refused !== undefined) token?.refused(refused);
      log[refused === undefined ? failureLevel : 'debug'](
        { ...told, code: failure.code },
        'Slack did not do what it was asked',
      );
    }

    try {
      const response = await call(url, init);
      tell(response.status, await failureIn(response));
      return response;
    } catch (error) {
      tell('error', { code: codeOf(error) });
      throw error;
    }
  };

  function bounded(code: string): string {
    if (codes.size < codesAtMost) codes.add(code);
    return codes.has(code) ? code : 'other';
  }
}

/** The only method that is called with the app token. */
const withAppToken = 'apps.connections.open';

type Answer = Awaited<ReturnType<FetchFunction>>;

/** The error in an answer. Slack answers most failures with 200. */
async function failureIn(response: Answer): Promise<{ code: string } | undefined> {
  if (response.status === 429) return { code: 'ratelimited' };
  if (!response.ok) return { code: `http_${response.status}` };
  if (!isReadable(response) || !response.headers.get('content-type')?.includes('json')) return undefined;
  const text = await response.clone().text();
  if (!/"ok":\s*false/.test(text)) return undefined;
  return { code: /"error":\s*"(\w{1,60})"/.exec(text)?.[1] ?? 'unknown' };
}

/** Does not use `instanceof Response`, which would load the runtime's own fetch. */
function isReadable(response: Answer): response is Response {
  return 'clone' in response;
}

/** The method, such as `chat.postMessage`. Response URLs and upload URLs are secrets, so only their purpose is named. */
function methodOf(url: string, apiUrl: string): string {
  if (url.startsWith(apiUrl)) return /^[a-z]+(?:\.[a-zA-Z]+){1,4}$/.exec(url.slice(apiUrl.length))?.[0] ?? 'other';
  return /\/upload/.test(url) ? 'upload' : 'response_url';
}

function codeOf(error: unknown): string {
  const { name, code, cause } = Object(error) as { name?: unknown; code?: unknown; cause?: unknown };
  if (name === 'TimeoutError') return 'timeout';
  const known = [code, Object(cause).code].find((text) => typeof text === 'string' && /^\w{1,60}$/.test(text));
  return typeof known === 'string' ? known : 'unreachable';
}

/** Slack often asks for one second, which people do not notice. Longer waits become an error message. */
const shortWaits = { longestWaitMs: 2_000, triesAtMost: 3 };

/**
 * Waits out 429s, short ones unless told otherwise. The SDK alone would wait out every 429, and hold up the calls of everybody else; its
 * `rejectRateLimitedCalls` then rejects only the long ones.
 */
export function createRateLimitFetch(
  fetch: FetchFunction,
  sleep: (ms: number) => Promise<void>,
  { longestWaitMs, triesAtMost } = shortWaits,
): FetchFunction {
  return async (url, init) => {
    for (let tried = 1; ; tried += 1) {
      const response = await fetch(url, init);
      const waitMs = response.status === 429 ? 1_000 * Number(response.headers.get('retry-after') ?? NaN) : NaN;
      if (tried === triesAtMost || !(waitMs <= longestWaitMs)) return response;
      await sleep(waitMs);
    }
  };
}

/** While Slack is away, it is asked this long after each answer that did not come. */
const askEveryMs = 3_000;

/**
 * Knows whether Slack is away, from the calls of the whole bot. After a call that Slack did not answer, it asks Slack
 * itself. Where that fails as well, Slack is away until a call succeeds, and the watch asks every few seconds.
 *
 * @param deps.ask rejects where Slack does not answer
 */
export function createOutageWatch(deps: { ask: () => Promise<unknown>; log: Log; sleep: Sleep }) {
  const stopping = new AbortController();
  const listeners = new Set<() => void>();
  let state: 'answering' | 'doubtful' | 'away' = 'answering';
  let asking: Promise<void> | undefined;

  async function askUntilAnswered(): Promise<void> {
    while (state !== 'answering' && !stopping.signal.aborted) {
      try {
        await deps.ask();
        answered();
      } catch {
        if (state === 'doubtful') {
          state = 'away';
          deps.log.warn('Slack does not answer: what is to be posted waits until it does');
        }
        await deps.sleep(askEveryMs, stopping.signal);
      }
    }
    asking = undefined;
  }

  function answered(): void {
    const wasAway = state === 'away';
    state = 'answering';
    if (!wasAway || stopping.signal.aborted) return;
    deps.log.info('Slack answers again');
    for (const listener of listeners) listener();
  }

  return {
    isAway: () => state === 'away',
    /** Call after each call of Slack. */
    observe(hasAnswered: boolean): void {
      if (hasAnswered) return answered();
      if (state === 'answering') state = 'doubtful';
      if (!stopping.signal.aborted) asking ??= askUntilAnswered();
    },
    /** Calls back when Slack answers again. */
    onBack: (listener: () => void) => void listeners.add(listener),
    /** Ends after the question that is on its way. */
    async stop(): Promise<void> {
      stopping.abort();
      await asking;
    },
  };
}

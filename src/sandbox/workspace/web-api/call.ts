import { isSameSecret } from '../../http.ts';
import { ApiError, type Arguments, type Method, missingScope, parseBody, readArguments, type Tier } from './method.ts';
import { chat } from './methods/chat.ts';
import { conversations } from './methods/conversations.ts';
import { teamMethods } from './methods/team.ts';
import { files } from './methods/files.ts';
import { views } from './methods/views.ts';
import { type Core, organizationOf, workspacesOf } from '../core.ts';
import { withoutKeys } from '../json.ts';
import { recordCall } from '../state.ts';
import type { Clock } from '../clock.ts';
import { functions } from '../workflow-builder/workflows.ts';

interface ApiRequest {
  method: string;
  contentType: string;
  authorization: string | undefined;
  body: string;
}

interface ApiAnswer {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

export interface Tokens {
  bot: string;
  app?: string | undefined;
}

const methods: Readonly<Record<string, Method>> = {
  ...teamMethods,
  ...chat,
  ...views,
  ...conversations,
  ...files,
  ...functions,
};

/** What an app calls with its own token, not the bot's. */
const ofApp = 'apps.connections.open';

/** Those for which the token of an organization has to say in which workspace (`team_id`). */
const perWorkspace: ReadonlySet<string> = new Set([
  'users.list',
  'team.profile.get',
  'usergroups.users.list',
  'dnd.teamInfo',
]);

/** Answers a Web API call and records it. */
export function answerCall(core: Core, tokens: Tokens, rates: RateLimits, request: ApiRequest): ApiAnswer {
  let raw: Record<string, unknown> = {};
  let answer: ApiAnswer;
  try {
    raw = parseBody(request.contentType, request.body);
    answer = run(core, tokens, rates, request, raw);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    answer = { status: 200, headers: {}, body: { ok: false, error: error.error, ...error.extra } };
  }
  recordCall(core, {
    method: request.method,
    args: withoutKeys(raw, 'token'),
    ok: answer.body['ok'] === true,
    ...(typeof answer.body['error'] === 'string' && { error: answer.body['error'] }),
    status: answer.status,
    answer: answer.body,
  });
  return answer;
}

function run(
  core: Core,
  tokens: Tokens,
  rates: RateLimits,
  request: ApiRequest,
  raw: Record<string, unknown>,
): ApiAnswer {
  const method = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined;
  if (method === undefined) throw new ApiError('unknown_method', { req_method: request.method });
  const kind = tokenKind(
    tokens,
    request.authorization?.replace(/^Bearer /i, '') ?? raw['token'],
    core.state.isTokenRevoked,
  );
  if (kind !== (request.method === ofApp ? 'app' : 'bot')) throw new ApiError('not_allowed_token_type');
  const granted: readonly string[] = {
    app: ['connections:write'],
    bot: core.manifest.oauth_config.scopes.bot,
  }[kind];
  if (method.scopes.length > 0 && !method.scopes.some((scope) => granted.includes(scope)))
    throw missingScope(method.scopes.join(','), granted);
  const args = readArguments(raw);
  requireWorkspace(core, request.method, args);
  if (core.strictness.rateLimits) {
    const waitS =
      rates.takeCall(request.method, method.tier) ??
      (request.method === 'chat.postMessage' ? rates.takeMessage(args.text('channel') ?? '') : undefined);
    if (waitS !== undefined) return rateLimited(waitS);
  }
  const headers = { 'x-oauth-scopes': granted.join(','), 'x-accepted-oauth-scopes': method.scopes.join(',') };
  return { status: 200, headers, body: { ok: true, ...method.run(core, args) } };
}

/**
 * The token of an organization works in the workspaces that an administrator has added:
 * https://docs.slack.dev/enterprise/developing-for-enterprise-orgs#team_id and, for the answer without a workspace,
 * https://github.com/slack-go/slack/issues/1157.
 */
function requireWorkspace(core: Core, method: string, args: Arguments): void {
  if (organizationOf(core) === undefined) return;
  const team = args.text('team_id');
  if (team === undefined && perWorkspace.has(method)) throw new ApiError('missing_argument', { arg: 'team_id' });
  if (team !== undefined && !workspacesOf(core).some(({ id }) => id === team))
    throw new ApiError('team_access_not_granted');
}

/** The 429 response. @param waitS the value of `Retry-After` */
export const rateLimited = (waitS: number): ApiAnswer => ({
  status: 429,
  headers: { 'retry-after': String(waitS) },
  body: { ok: false, error: 'ratelimited' },
});

function tokenKind(tokens: Tokens, given: unknown, isRevoked: boolean): 'bot' | 'app' {
  if (typeof given !== 'string' || given === '') throw new ApiError('not_authed');
  if (isSameSecret(given, tokens.bot)) {
    if (isRevoked) throw new ApiError('token_revoked');
    return 'bot';
  }
  if (tokens.app !== undefined && isSameSecret(given, tokens.app)) return 'app';
  throw new ApiError('invalid_auth');
}

/**
 * Slack's rate limits as evenly refilling token buckets: https://docs.slack.dev/apis/web-api/rate-limits. Slack
 * documents the rates but only mentions "short bursts", so the burst sizes are assumptions.
 */
const tierRates: Readonly<Record<Exclude<Tier, 'special'>, Rate>> = {
  1: { perMinute: 1, burst: 10 },
  2: { perMinute: 20, burst: 20 },
  3: { perMinute: 50, burst: 50 },
  4: { perMinute: 100, burst: 100 },
};

/** One message per second per channel, after a short burst. */
const channelRate: Rate = { perMinute: 60, burst: 3 };

interface Rate {
  perMinute: number;
  burst: number;
}

export interface RateLimits {
  /** Takes one call. @returns the seconds to wait when the limit is reached */
  takeCall(method: string, tier: Tier): number | undefined;
  takeMessage(channel: string): number | undefined;
}

/** @param messagesPerMinute the limit of the whole workspace */
export function createRateLimits(clock: Clock, messagesPerMinute: number): RateLimits {
  const buckets = new Map<string, { tokens: number; at: number }>();

  const take = (key: string, rate: Rate): number | undefined => {
    const now = clock.now();
    const bucket = buckets.get(key) ?? { tokens: rate.burst, at: now };
    const tokens = Math.min(rate.burst, bucket.tokens + ((now - bucket.at) * rate.perMinute) / 60_000);
    const isTaken = tokens >= 1;
    buckets.set(key, { tokens: isTaken ? tokens - 1 : tokens, at: now });
    return isTaken ? undefined : Math.max(1, Math.ceil(((1 - tokens) * 60) / rate.perMinute));
  };

  return {
    takeCall: (method, tier) => (tier === 'special' ? undefined : take(`method ${method}`, tierRates[tier])),
    takeMessage: (channel) =>
      take(`channel ${channel}`, channelRate) ??
      take('workspace', { perMinute: messagesPerMinute, burst: messagesPerMinute }),
  };
}

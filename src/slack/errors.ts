import { PlatformError, type PlatformErrorKind } from '../domain/errors.ts';
import { capitalized, say } from '../domain/said.ts';
import { sharedCode } from '../domain/subscription.ts';
import type { ClosedReason } from '../operations/services/platform.ts';

const notInChannel: ClosedReason = {
  why: say`Invigilator isn’t in the channel`,
  remedy: say`Type /invite @Invigilator there.`,
};
const archived: ClosedReason = { why: say`the channel is archived`, remedy: say`Unarchive it.` };
const shared: ClosedReason = {
  why: say`another company can read the channel now`,
  remedy: say`Stop sharing it, or let everyone in it see the results.`,
};
const restricted: ClosedReason = {
  why: say`only some people can post in the channel`,
  remedy: say`Ask someone who manages the channel to let Invigilator post.`,
};

/**
 * Permanent until someone changes the channel, the person or a workspace setting. `undefined`: without words of its own.
 * Slack documents these at https://docs.slack.dev/reference/methods/chat.postMessage#errors, and under the same anchor
 * of chat.update (`is_inactive`), conversations.history (`channel_is_limited_access`) and conversations.open (`user_…`).
 * `sharedCode` is the bot’s own.
 */
const closed = new Map<string, ClosedReason | undefined>(
  Object.entries({
    not_in_channel: notInChannel,
    // Slack answers the same for a private channel without the bot.
    channel_not_found: notInChannel,
    is_archived: archived,
    [sharedCode]: shared,
    is_inactive: archived,
    restricted_action: restricted,
    restricted_action_read_only_channel: restricted,
    restricted_action_thread_only_channel: restricted,
    // Not `thread_gone`: a new thread would be refused likewise.
    restricted_action_non_threadable_channel: undefined,
    no_permission: undefined,
    channel_is_limited_access: undefined,
    ekm_access_denied: undefined,
    as_user_not_supported: undefined,
    messages_tab_disabled: undefined,
    user_disabled: undefined,
    cannot_dm_bot: undefined,
    user_not_found: undefined,
    user_not_visible: undefined,
    invalid_user_combination: undefined,
  }),
);

/** What an administrator of the workspace has to allow. https://docs.slack.dev/reference/methods/chat.postMessage#errors */
const notAllowed: ClosedReason = {
  why: say`Invigilator lacks a permission in this workspace`,
  remedy: say`Ask an administrator of the workspace to install Invigilator again.`,
};

/** Where Slack’s code has no words of its own. */
const otherwiseClosed: ClosedReason = {
  why: say`Slack doesn’t let Invigilator post in the channel`,
  remedy: say`Ask an administrator of the workspace for help.`,
};
const forbidden: ReadonlySet<string> = new Set(['missing_scope', 'team_access_not_granted', 'accesslimited']);

type Refusal = Exclude<PlatformErrorKind, 'closed' | 'forbidden'>;

/** Slack's other errors that need an action of their own; all the rest are `refused`. */
const refusals = new Map<string, Refusal>(
  Object.entries({
    ratelimited: 'rate_limited',
    rate_limited: 'rate_limited',
    // “It's possible some aspect of the operation succeeded”, says Slack of the first two.
    fatal_error: 'unclear',
    internal_error: 'unclear',
    service_unavailable: 'unclear',
    request_timeout: 'unclear',
    update_failed: 'unclear',
    thread_not_found: 'thread_gone',
    message_not_found: 'thread_gone',
    cannot_reply_to_message: 'thread_gone',
    cant_update_message: 'thread_gone',
    edit_window_closed: 'thread_gone',
    restricted_action_thread_locked: 'thread_gone',
    msg_blocks_too_long: 'too_long',
    msg_too_long: 'too_long',
    // The workspace is older than a block.
    invalid_blocks: 'bad_message',
    invalid_blocks_format: 'bad_message',
    invalid_arguments: 'bad_message',
  }),
);

/** Where Slack names no time. */
const retryAfterMs = 30_000;
/** Codes of Slack's SDK, which this file does not import: views use it, too. */
const sdkRateLimited = 'slack_webapi_rate_limited_error';
const sdkUnreachable = new Set(['slack_webapi_request_error', 'slack_webapi_http_error']);

/** Slack's own code in an error of its SDK, such as `channel_not_found`; undefined where Slack gave none. */
export function slackCodeOf(error: unknown): string | undefined {
  const { data } = Object(error) as { data?: { error?: unknown } };
  return typeof data?.error === 'string' ? data.error : undefined;
}

/** Whether Slack refused the form or the length of a message, so that a plainer one may pass. */
export function isBadMessage(code: string): boolean {
  return ['bad_message', 'too_long'].includes(refusals.get(code) ?? '');
}

/** Why the bot cannot post in a channel and what to do about it, by Slack's code. */
export function closedReason(code: string): ClosedReason {
  if (forbidden.has(code)) return notAllowed;
  return closed.get(code) ?? otherwiseClosed;
}

/**
 * Makes one or more calls of Slack's API.
 * @throws {PlatformError} for whatever the calls throw
 */
export async function callSlack<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    throw error instanceof PlatformError ? error : platformErrorOf(error);
  }
}

/** Makes a PlatformError of an error of Slack's SDK; other errors stay as they are. */
export function translateSlackError(error: unknown): unknown {
  const { code } = Object(error) as { code?: unknown };
  return typeof code === 'string' && code.startsWith('slack_webapi_') ? platformErrorOf(error) : error;
}

function platformErrorOf(error: unknown): PlatformError {
  const { code, retryAfter } = Object(error) as { code?: unknown; retryAfter?: unknown };
  if (code === sdkRateLimited)
    return rateLimited(typeof retryAfter === 'number' ? retryAfter * 1000 : retryAfterMs, error);
  const slackCode = slackCodeOf(error);
  if (slackCode === undefined)
    return sdkUnreachable.has(String(code))
      ? unansweredError(String(code), error)
      : new PlatformError(typeof code === 'string' ? code : 'unknown', { kind: 'unclear', cause: error });
  if (closed.has(slackCode))
    return new PlatformError(slackCode, { kind: 'closed', explanation: closedSentences(slackCode), cause: error });
  if (forbidden.has(slackCode))
    return new PlatformError(slackCode, {
      kind: 'forbidden',
      explanation: say`Slack refused this: ${closedSentences(slackCode)}`,
      cause: error,
    });
  const kind = refusals.get(slackCode) ?? 'refused';
  if (kind === 'rate_limited') return rateLimited(retryAfterMs, error);
  const explanation = kind === 'unclear' ? say`Slack has a fault of its own right now.` : say`Slack refused this.`;
  return new PlatformError(slackCode, { kind, explanation, cause: error });
}

/** Slack did not answer a request, or answered that it cannot now. */
export function unansweredError(code: string, cause: unknown): PlatformError {
  return new PlatformError(code, {
    kind: 'unclear',
    explanation: say`Slack isn’t answering the bot right now.`,
    cause,
  });
}

function rateLimited(afterMs: number, cause: unknown): PlatformError {
  return new PlatformError('ratelimited', {
    kind: 'rate_limited',
    retryAfterMs: afterMs,
    explanation: say`Slack’s limit for the bot is reached for now.`,
    cause,
  });
}

function closedSentences(code: string): string {
  const { why, remedy } = closedReason(code);
  return say`${capitalized(why)}. ${remedy} Then try again.`;
}

/** What must not be in a log though nobody configured it: Slack's tokens, and addresses to which anyone can post. */
export const slackSecretPatterns: readonly RegExp[] = [
  // https://docs.slack.dev/authentication/tokens
  /x(?:ox[a-z]|app|wfp)[-.][\w.-]+/gi,
  /(?<=hooks\.slack(?:-gov)?\.com(?:\/|%2F))[^\s"'\\<>]*/gi,
];

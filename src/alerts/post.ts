import { ErrorCode, WebClient, type WebClientOptions } from '@slack/web-api';
import type { PostAlert, PostFailure } from './delivery.ts';

/** Slack's answers that do not pass by waiting: somebody has to mend something first. */
const permanentErrors = new Set([
  'account_inactive',
  'channel_not_found',
  'invalid_auth',
  'is_archived',
  'missing_scope',
  'no_permission',
  'not_authed',
  'not_in_channel',
  'restricted_action',
  'token_revoked',
]);

/** Posts one message. `chat.postMessage` is not idempotent, so the SDK's own retries are off: the inbox decides. */
export function createPostAlert(token: string, options: WebClientOptions): PostAlert {
  const client = new WebClient(token, { ...options, retryConfig: { retries: 0 }, rejectRateLimitedCalls: true });
  return async (channel, alert) => {
    await client.chat.postMessage({ channel, ...alert, unfurl_links: false, unfurl_media: false });
  };
}

/** Reads what the SDK throws. */
export function explainPostFailure(error: unknown): PostFailure {
  const { code, data, retryAfter } = error as { code?: string; data?: { error?: string }; retryAfter?: number };
  if (code === ErrorCode.RateLimitedError) {
    return { kind: 'rate_limited', code: 'ratelimited', retryAfterMs: (retryAfter ?? 1) * 1000 };
  }
  const slackCode = data?.error;
  if (code === ErrorCode.PlatformError && slackCode !== undefined) {
    return { kind: permanentErrors.has(slackCode) ? 'permanent' : 'passing', code: slackCode };
  }
  return { kind: 'passing', code: code ?? 'unknown' };
}

import { InvigilatorError } from '../domain/errors.ts';
import {
  networkErrorOf,
  networkRemedies,
  publicCodeOf,
  type Check,
  type CheckMeaning,
  type Finding,
} from '../domain/finding.ts';
import { say } from '../domain/said.ts';
import { slackCodeOf } from './errors.ts';

const unusable = {
  effect: 'stops',
  problem: 'Slack cannot be used',
  forAdministrators: {
    headline: say`The bot can’t use Slack`,
    advice: say`Ask the person who runs the bot to read its log.`,
  },
} as const;

export const slackMeaning: CheckMeaning = {
  name: 'slack',
  topic: 'Slack',
  well: 'Slack can be used',
  gauge: { name: 'invigilator_slack_usable', help: 'Whether Slack takes the bot’s calls and delivers to it: 1, or 0' },
  unclear: { ...unusable, remedy: 'check SLACK_API_URL, and that this machine can connect to it' },
};

/** Slack refuses the token until the operator sets another one: https://docs.slack.dev/reference/methods/auth.test#errors */
const tokenCodes = new Set([
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'org_login_required',
  'ekm_access_denied',
  'team_access_not_granted',
]);

/** What it means that a call of Slack failed with this error. */
export function slackFinding(error: unknown): Finding {
  const code = publicCodeOf(error);
  return unusableSlack(code, whatToDo(error, code));
}

/** @param forOperator what is wrong, and what to do */
export function unusableSlack(code: string, forOperator: string): Finding {
  return { code, ...unusable, forOperator };
}

/** Whether Slack refuses the bot token. */
export function isRefusedToken(error: unknown): boolean {
  return tokenCodes.has(answeredCodeOf(error) ?? '');
}

/** What to do where Slack refuses the bot token with this code; undefined for other codes. */
export function refusedToken(code: string): string | undefined {
  return tokenCodes.has(code)
    ? `Slack refuses SLACK_BOT_TOKEN (${code}): copy the bot token again (OAuth & Permissions)`
    : undefined;
}

/** Slack refuses the app token. */
export class AppTokenRefusedError extends InvigilatorError {
  readonly code = 'app_token_refused';
}

function whatToDo(error: unknown, code: string): string {
  if (error instanceof AppTokenRefusedError) return error.message;
  if (code === 'socket_gone')
    return 'Socket Mode has no connection: check SLACK_APP_TOKEN, and that this machine can connect to Slack';
  const refused = refusedToken(code);
  if (refused !== undefined) return refused;
  const slackCode = answeredCodeOf(error);
  if (slackCode !== undefined) return `Slack answers with an error (${slackCode}): try again later`;
  const ofNetwork = networkErrorOf(error);
  if (ofNetwork !== undefined) return `Slack cannot be reached: ${networkRemedies[ofNetwork]}`;
  return `Slack cannot be reached (${messageOf(error)}): check SLACK_API_URL, and that this machine can connect to it`;
}

/** Slack’s error code, if Slack answered. */
export function answeredCodeOf(error: unknown): string | undefined {
  const { code, retryAfter } = Object(error) as { code?: unknown; retryAfter?: unknown };
  return retryAfter !== undefined || code === 'slack_webapi_rate_limited_error' ? 'ratelimited' : slackCodeOf(error);
}

/** What went wrong on the way, such as `ECONNREFUSED`. The SDK and `fetch` wrap it. */
export function messageOf(error: unknown): string {
  const { original, cause, code, message } = Object(error) as {
    original?: unknown;
    cause?: unknown;
    code?: unknown;
    message?: unknown;
  };
  const inner = original ?? cause;
  if (inner !== undefined) return messageOf(inner);
  return typeof code === 'string' ? code : String(message);
}

/** @param ask rejects where Slack does not take the bot's calls, or delivers nothing */
export function slackCheck(ask: () => Promise<unknown>): Check {
  return {
    ...slackMeaning,
    async look() {
      try {
        await ask();
        return undefined;
      } catch (error) {
        return slackFinding(error);
      }
    },
  };
}

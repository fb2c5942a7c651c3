import { createHmac, randomUUID } from 'node:crypto';
import { LogLevel, WebClient } from '@slack/web-api';
import { Agent, fetch as undiciFetch } from 'undici';
import { clockFinding, fault, right, unknown, type Finding } from '../domain/finding.ts';

/** What the bot is configured with, and what it needs. */
export interface SlackSetup {
  botToken: string;
  appToken: string | undefined;
  apiUrl: string;
  /** The file that the app has to be installed from, and the scopes it asks for. */
  manifest: { name: string; scopes: readonly string[] };
  /** The variables that name a channel, with the IDs. */
  channels: Readonly<Record<string, string>>;
  owners: readonly string[];
  signingSecret: string | undefined;
  /** The address of the bot from outside, if the operator names it. */
  publicUrl: string | undefined;
}

const timeoutMs = 10_000;

/**
 * Checks the token, its scopes, the channels, the owners and the connection. Reads only: `apps.connections.open` opens nothing by itself.
 * @returns with the id of the workspace, if Slack names it
 */
export async function diagnoseSlack(
  setup: SlackSetup,
  now: () => number,
): Promise<{ findings: Finding[]; workspace: string | undefined }> {
  const dispatcher = new Agent();
  let date: string | undefined;
  const client = new WebClient(setup.botToken, {
    slackApiUrl: setup.apiUrl,
    timeout: timeoutMs,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logger: silent,
    fetch: async (url, init) => {
      const response = await undiciFetch(url, { ...(init as Parameters<typeof undiciFetch>[1]), dispatcher });
      date ??= response.headers.get('date') ?? undefined;
      return response;
    },
  });

  try {
    const { team, team_id: workspace, bot_id: botId, response_metadata: metadata } = await client.auth.test();
    const granted = metadata?.scopes;
    const findings = [
      botId === undefined
        ? fault('SLACK_BOT_TOKEN is not a bot token: copy the one that begins with xoxb- (OAuth & Permissions)')
        : right(`the token belongs to the workspace ${team}`),
      scopesFinding(setup.manifest, granted),
      clockFinding('Slack', date, now()),
      ...(await Promise.all(
        Object.entries(setup.channels).map(async ([variable, id]) => channelFinding(client, variable, id)),
      )),
      ...(await Promise.all(setup.owners.map(async (id) => ownerFinding(client, id)))),
      setup.appToken === undefined
        ? await requestUrlFinding(setup, now())
        : await socketFinding(client, setup.appToken),
    ];
    return { findings, workspace };
  } catch (error) {
    const code = codeOf(error);
    const text =
      code === undefined
        ? `Slack cannot be reached (${messageOf(error)}): check SLACK_API_URL, and that this machine can connect to it`
        : `Slack refuses SLACK_BOT_TOKEN (${code}): copy the bot token again (OAuth & Permissions)`;
    return {
      findings: [fault(text), unknown('scopes, channels and the connection were not checked')],
      workspace: undefined,
    };
  } finally {
    await dispatcher.close();
  }
}

function scopesFinding(
  { name, scopes: needed }: SlackSetup['manifest'],
  granted: readonly string[] | undefined,
): Finding {
  if (granted === undefined) return unknown('Slack does not name the scopes of the token');
  const missing = needed.filter((scope) => !granted.includes(scope));
  if (missing.length > 0)
    return fault(
      `the token lacks ${missing.join(', ')}: paste ${name} into the app’s settings (App Manifest), reinstall the app, and set the token it shows`,
    );
  const more = granted.filter((scope) => !needed.includes(scope));
  return more.length === 0
    ? right(`the token has the scopes of ${name}`)
    : right(`the token has the scopes of ${name}, and others that the bot does not use: ${more.join(', ')}`);
}

async function channelFinding(client: WebClient, variable: string, id: string): Promise<Finding> {
  try {
    const { channel } = await client.conversations.info({ channel: id });
    const name = channel?.name === undefined ? id : `#${channel.name}`;
    if (channel?.is_archived === true)
      return fault(`${variable}: ${name} is archived. Unarchive it, or set another channel`);
    if (channel?.is_member === false && channel.is_im !== true)
      return fault(`${variable}: the bot isn’t in ${name}. Type /invite @Invigilator there`);
    return right(`${variable}: the bot is in ${name}`);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'channel_not_found')
      return fault(
        `${variable}: Slack knows no channel ${id}, or it is private and the bot isn’t in it. Type /invite @Invigilator there, or set another ID`,
      );
    return unknown(`${variable}: ${id} could not be looked up (${code ?? messageOf(error)})`);
  }
}

async function ownerFinding(client: WebClient, id: string): Promise<Finding> {
  try {
    const { user } = await client.users.info({ user: id });
    if (user?.deleted === true || user?.is_bot === true)
      return fault(`OWNERS: ${id} is ${user.deleted ? 'deactivated' : 'a bot'}. Remove the ID`);
    return right(`OWNERS: ${id} is an active person`);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'user_not_found' || code === 'user_not_visible')
      return fault(`OWNERS: Slack knows no person ${id}. Remove or correct the ID`);
    return unknown(`OWNERS: ${id} could not be looked up (${code ?? messageOf(error)})`);
  }
}

/** Sends what Slack sends to a new request URL: https://docs.slack.dev/reference/events/url_verification */
async function requestUrlFinding(
  { publicUrl, signingSecret = '' }: Pick<SlackSetup, 'publicUrl' | 'signingSecret'>,
  nowMs: number,
): Promise<Finding> {
  if (publicUrl === undefined) {
    return unknown(
      'HTTP mode: whether Slack reaches the bot was not checked. The request URL of commands, interactivity and events must be https://<your host>/slack/events, and socket_mode_enabled false: npm run doctor -- --url https://<your host> checks it while the bot runs',
    );
  }
  const url = new URL('/slack/events', publicUrl).href;
  if (!url.startsWith('https:') && !isLoopback(url))
    return fault(
      `Slack calls only https addresses, and ${url} is none: put a proxy with a certificate in front of the bot`,
    );
  const challenge = randomUUID();
  const body = JSON.stringify({ type: 'url_verification', challenge });
  const timestamp = String(Math.floor(nowMs / 1000));
  const signature = `v0=${createHmac('sha256', signingSecret).update(`v0:${timestamp}:${body}`).digest('hex')}`;
  try {
    const headers = {
      'content-type': 'application/json',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': signature,
    };
    const response = await undiciFetch(url, {
      method: 'POST',
      body,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const answer = await response.text();
    if (response.status === 401)
      return fault(
        `${url} refuses a request that is signed with SLACK_SIGNING_SECRET: start the bot there with this secret, and check its clock`,
      );
    if (response.status !== 200 || !answer.includes(challenge))
      return fault(
        `${url} answers with ${response.status}, and not as the bot does: have the proxy pass it on to the bot’s port unchanged`,
      );
    return right(`${url} answers as Slack expects: it must be the request URL of commands, interactivity and events`);
  } catch (error) {
    return fault(
      `${url} cannot be reached from here (${messageOf(error)}): check the address, its certificate, the proxy, and that the bot runs`,
    );
  }
}

function isLoopback(url: string): boolean {
  return /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(new URL(url).hostname);
}

async function socketFinding(client: WebClient, appToken: string): Promise<Finding> {
  try {
    await client.apps.connections.open({ token: appToken });
    return right('Socket Mode: Slack accepts SLACK_APP_TOKEN');
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined || code === 'ratelimited')
      return unknown(
        `Socket Mode: SLACK_APP_TOKEN could not be checked (${code ?? messageOf(error)}). Try again in a minute`,
      );
    return fault(
      `Socket Mode: Slack refuses SLACK_APP_TOKEN (${code}). Create an app-level token with connections:write (Basic Information) and turn Socket Mode on`,
    );
  }
}

/** Slack’s error code, if Slack answered. */
function codeOf(error: unknown): string | undefined {
  const { code, data, retryAfter } = Object(error) as {
    code?: unknown;
    data?: { error?: unknown };
    retryAfter?: unknown;
  };
  if (retryAfter !== undefined || code === 'slack_webapi_rate_limited_error') return 'ratelimited';
  return typeof data?.error === 'string' ? data.error : undefined;
}

/** What went wrong on the way, such as `ECONNREFUSED`. The SDK and `fetch` wrap it. */
function messageOf(error: unknown): string {
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

const silent = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  setLevel() {},
  getLevel: () => LogLevel.ERROR,
  setName() {},
};

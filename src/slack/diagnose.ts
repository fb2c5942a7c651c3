import { LogLevel, WebClient } from '@slack/web-api';
import { Agent, fetch as undiciFetch } from 'undici';
import { clockFinding, fault, right, unknown, type Finding } from '../domain/finding.ts';

/** What the bot is configured with, and what it needs. */
export interface SlackSetup {
  botToken: string;
  appToken: string | undefined;
  apiUrl: string;
  /** The scopes in manifest.yml. */
  scopes: readonly string[];
  /** The variables that name a channel, with the IDs. */
  channels: Readonly<Record<string, string>>;
  owners: readonly string[];
}

const timeoutMs = 10_000;

/** Checks the token, its scopes, the channels, the owners and the connection. Reads only: `apps.connections.open` opens nothing by itself. */
export async function diagnoseSlack(setup: SlackSetup, now: () => number): Promise<Finding[]> {
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
    const { team, bot_id: botId, response_metadata: metadata } = await client.auth.test();
    const granted = metadata?.scopes;
    return [
      botId === undefined ? fault('SLACK_BOT_TOKEN is not a bot token: copy the one that begins with xoxb- (OAuth & Permissions)') : right(`the token belongs to the workspace ${team}`),
      scopesFinding(setup.scopes, granted),
      clockFinding('Slack', date, now()),
      ...(await Promise.all(Object.entries(setup.channels).map(async ([variable, id]) => channelFinding(client, variable, id)))),
      ...(await Promise.all(setup.owners.map(async (id) => ownerFinding(client, id)))),
      await deliveryFinding(client, setup.appToken),
    ];
  } catch (error) {
    const code = codeOf(error);
    const text = code === undefined ? `Slack cannot be reached (${messageOf(error)}): check SLACK_API_URL, and that this machine can connect to it` : `Slack refuses SLACK_BOT_TOKEN (${code}): copy the bot token again (OAuth & Permissions)`;
    return [fault(text), unknown('scopes, channels and the connection were not checked')];
  } finally {
    await dispatcher.close();
  }
}

function scopesFinding(needed: readonly string[], granted: readonly string[] | undefined): Finding {
  if (granted === undefined) return unknown('Slack does not name the scopes of the token');
  const missing = needed.filter((scope) => !granted.includes(scope));
  if (missing.length > 0) return fault(`the token lacks ${missing.join(', ')}: paste manifest.yml into the app’s settings (App Manifest), reinstall the app, and set the token it shows`);
  const more = granted.filter((scope) => !needed.includes(scope));
  return more.length === 0 ? right('the token has the scopes of manifest.yml') : right(`the token has the scopes of manifest.yml, and others that the bot does not use: ${more.join(', ')}`);
}

async function channelFinding(client: WebClient, variable: string, id: string): Promise<Finding> {
  try {
    const { channel } = await client.conversations.info({ channel: id });
    const name = channel?.name === undefined ? id : `#${channel.name}`;
    if (channel?.is_archived === true) return fault(`${variable}: ${name} is archived. Unarchive it, or set another channel`);
    if (channel?.is_member === false && channel.is_im !== true) return fault(`${variable}: the bot isn’t in ${name}. Type /invite @Invigilator there`);
    return right(`${variable}: the bot is in ${name}`);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'channel_not_found') return fault(`${variable}: Slack knows no channel ${id}, or it is private and the bot isn’t in it. Type /invite @Invigilator there, or set another ID`);
    return unknown(`${variable}: ${id} could not be looked up (${code ?? messageOf(error)})`);
  }
}

async function ownerFinding(client: WebClient, id: string): Promise<Finding> {
  try {
    const { user } = await client.users.info({ user: id });
    if (user?.deleted === true || user?.is_bot === true) return fault(`OWNERS: ${id} is ${user.deleted ? 'deactivated' : 'a bot'}. Remove the ID`);
    return right(`OWNERS: ${id} is an active person`);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'user_not_found' || code === 'user_not_visible') return fault(`OWNERS: Slack knows no person ${id}. Remove or correct the ID`);
    return unknown(`OWNERS: ${id} could not be looked up (${code ?? messageOf(error)})`);
  }
}

async function deliveryFinding(client: WebClient, appToken: string | undefined): Promise<Finding> {
  if (appToken === undefined) {
    return unknown('HTTP mode: whether Slack reaches the bot cannot be checked from here. The request URL of commands, interactivity and events must be https://<your host>/slack/events, and socket_mode_enabled false');
  }
  try {
    await client.apps.connections.open({ token: appToken });
    return right('Socket Mode: Slack accepts SLACK_APP_TOKEN');
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined || code === 'ratelimited') return unknown(`Socket Mode: SLACK_APP_TOKEN could not be checked (${code ?? messageOf(error)}). Try again in a minute`);
    return fault(`Socket Mode: Slack refuses SLACK_APP_TOKEN (${code}). Create an app-level token with connections:write (Basic Information) and turn Socket Mode on`);
  }
}

/** Slack’s error code, if Slack answered. */
function codeOf(error: unknown): string | undefined {
  const { code, data, retryAfter } = Object(error) as { code?: unknown; data?: { error?: unknown }; retryAfter?: unknown };
  if (retryAfter !== undefined || code === 'slack_webapi_rate_limited_error') return 'ratelimited';
  return typeof data?.error === 'string' ? data.error : undefined;
}

/** What went wrong on the way, such as `ECONNREFUSED`. The SDK and `fetch` wrap it. */
function messageOf(error: unknown): string {
  const { original, cause, code, message } = Object(error) as { original?: unknown; cause?: unknown; code?: unknown; message?: unknown };
  const inner = original ?? cause;
  if (inner !== undefined) return messageOf(inner);
  return typeof code === 'string' ? code : String(message);
}

const silent = { debug() {}, info() {}, warn() {}, error() {}, setLevel() {}, getLevel: () => LogLevel.ERROR, setName() {} };

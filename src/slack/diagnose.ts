import { createHmac, randomUUID } from 'node:crypto';
import { WebClient, LogLevel, type Logger, type TeamProfileGetResponse } from '@slack/web-api';
import { fetch as undiciFetch } from 'undici';
import { isLoopback } from '../domain/address.ts';
import type { OwnNames } from '../domain/own-names.ts';
import { clockDiagnosis, fault, right, unknown, type Diagnosis, type Check } from '../domain/finding.ts';
import { listWorkspaces } from './connection/client.ts';
import { answeredCodeOf, messageOf, slackFinding, slackMeaning, unusableSlack } from './slack-finding.ts';
import { noManagersWords } from '../operations/wording/words.ts';
import { managerFieldIn } from './people/managers.ts';
import { inEnglish, marked } from '../domain/said.ts';

/** What the bot is configured with, and what it needs. */
interface SlackSetup {
  botToken: string;
  appToken: string | undefined;
  apiUrl: string;
  names: OwnNames;
  /** What the app has to be installed from, in words, and the scopes in it. */
  manifest: { name: string; scopes: { bot: readonly string[]; bot_optional?: readonly string[] } };
  /** The variables that name a channel, with the IDs. */
  channels: Readonly<Record<string, string>>;
  owners: readonly string[];
  /** The configured field of profiles that names managers. */
  managerField: string | undefined;
  signingSecret: string | undefined;
  /** The address of the bot from outside, if the operator names it. */
  publicUrl: string | undefined;
  /** Where Slack sends requests below it, such as `/slack/events`. */
  eventsPath: string;
}

const timeoutMs = 10_000;

/**
 * Checks the token, its scopes, the channels, the owners and the connection. Reads only: `apps.connections.open` opens nothing by itself.
 * @returns with whether Slack can be used, and the id of the workspace, if Slack names it
 */
export async function diagnoseSlack(
  setup: SlackSetup,
  now: () => number,
): Promise<{ check: Check; diagnoses: Diagnosis[]; workspace: string | undefined }> {
  let date: string | undefined;
  const client = new WebClient(setup.botToken, {
    slackApiUrl: setup.apiUrl,
    timeout: timeoutMs,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logger: silent,
    fetch: async (url, init) => {
      const response = await undiciFetch(url, init);
      date ??= response.headers.get('date') ?? undefined;
      return response;
    },
  });

  try {
    const {
      team,
      team_id: workspace,
      bot_id: botId,
      user_id: botUserId,
      is_enterprise_install: isOrganizationWide = false,
      response_metadata: metadata,
    } = await client.auth.test();
    const granted = metadata?.scopes;
    const diagnoses = [
      ...scopesDiagnoses(setup.manifest, granted),
      ...(await nameDiagnoses(client, setup.names, botUserId)),
      unknown(
        'Slack does not say which commands, shortcuts and events the app has: npm run manifest prints those that the bot needs',
      ),
      ...(isOrganizationWide ? [await workspacesDiagnosis(client)] : []),
      clockDiagnosis('Slack', date, now()),
      ...(await Promise.all(
        Object.entries(setup.channels).map(async ([variable, id]) => channelDiagnosis(client, variable, id)),
      )),
      ...(await Promise.all(setup.owners.map(async (id) => ownerDiagnosis(client, id)))),
      ...(granted === undefined || granted.includes('users.profile:read')
        ? [await managersDiagnosis(client, setup.managerField, isOrganizationWide)]
        : []),
      setup.appToken === undefined
        ? await requestUrlDiagnosis(setup, now())
        : await socketDiagnosis(client, setup.appToken),
    ];
    const well = `the token belongs to the ${isOrganizationWide ? 'organization' : 'workspace'} ${team}`;
    const finding =
      botId === undefined
        ? unusableSlack(
            'not_a_bot_token',
            'SLACK_BOT_TOKEN is not a bot token: copy the one that begins with xoxb- (OAuth & Permissions)',
          )
        : undefined;
    return { check: { ...slackMeaning, well, look: async () => finding }, diagnoses, workspace };
  } catch (error) {
    return {
      check: { ...slackMeaning, look: async () => slackFinding(error) },
      diagnoses: [unknown('scopes, channels and the connection were not checked')],
      workspace: undefined,
    };
  }
}

function scopesDiagnoses(
  { name, scopes: { bot: needed, bot_optional: optionalScopes = [] } }: SlackSetup['manifest'],
  granted: readonly string[] | undefined,
): Diagnosis[] {
  if (granted === undefined) return [unknown('Slack does not name the scopes of the token')];
  const missing = needed.filter((scope) => !granted.includes(scope));
  const [optional, required] = [true, false].map((isOptional) =>
    missing.filter((scope) => optionalScopes.includes(scope) === isOptional),
  ) as [string[], string[]];
  if (required.length > 0)
    return [
      fault(
        `the token lacks ${missing.join(', ')}: paste ${name} into the app’s settings (App Manifest), reinstall the app, and set the token it shows`,
      ),
    ];
  const more = granted.filter((scope) => !needed.includes(scope));
  const others = more.length === 0 ? '' : `, and others that the bot does not use: ${more.join(', ')}`;
  return [
    right(`the token has the ${optional.length === 0 ? '' : 'required '}scopes of ${name}${others}`),
    ...optional.map((scope) =>
      unknown(`the token lacks the optional scope ${scope}: docs/configuration.md says what does not work without it`),
    ),
  ];
}

/** People type the name of the bot to invite it. */
async function nameDiagnoses(client: WebClient, { botName }: OwnNames, botUserId = ''): Promise<Diagnosis[]> {
  try {
    const { user } = await client.users.info({ user: botUserId });
    const called = user?.profile?.real_name || user?.real_name;
    if (called === undefined || called === '') return [];
    return called === botName
      ? [right(`the bot is called ${botName}, as its messages say`)]
      : [
          fault(
            `the bot is called ${marked('part', called)}, and ${botName} in its messages: set BOT_NAME to its name, or paste what npm run manifest prints into the app’s settings (App Manifest)`,
          ),
        ];
  } catch (error) {
    return [unknown(`what the bot is called was not read (${answeredCodeOf(error) ?? messageOf(error)})`)];
  }
}

/** An administrator of the organization adds the app to each workspace: https://docs.slack.dev/reference/methods/auth.teams.list */
async function workspacesDiagnosis(client: WebClient): Promise<Diagnosis> {
  try {
    const names = (await listWorkspaces(client)).map(({ name }) => name);
    return names.length > 0
      ? right(`the app is in these workspaces of the organization: ${names.join(', ')}`)
      : fault(
          'the app is installed for the organization, and in none of its workspaces: an administrator of the organization adds it to them (Manage organization, Integrations)',
        );
  } catch (error) {
    return unknown(
      `the workspaces of the organization could not be listed (${answeredCodeOf(error) ?? messageOf(error)})`,
    );
  }
}

async function channelDiagnosis(client: WebClient, variable: string, id: string): Promise<Diagnosis> {
  try {
    const { channel } = await client.conversations.info({ channel: id });
    const name = channel?.name === undefined ? id : `#${channel.name}`;
    if (channel?.is_archived === true)
      return fault(`${variable}: ${name} is archived. Unarchive it, or set another channel`);
    if (channel?.is_member === false && channel.is_im !== true)
      return fault(`${variable}: the bot isn’t in ${name}. Type /invite @Invigilator there`);
    return right(`${variable}: the bot is in ${name}`);
  } catch (error) {
    const code = answeredCodeOf(error);
    if (code === 'channel_not_found')
      return fault(
        `${variable}: Slack knows no channel ${id}, or it is private and the bot isn’t in it. Type /invite @Invigilator there, or set another ID`,
      );
    return unknown(`${variable}: ${id} could not be looked up (${code ?? messageOf(error)})`);
  }
}

async function ownerDiagnosis(client: WebClient, id: string): Promise<Diagnosis> {
  try {
    const { user } = await client.users.info({ user: id });
    if (user?.deleted === true || user?.is_bot === true)
      return fault(`OWNERS: ${id} is ${user.deleted ? 'deactivated' : 'a bot'}. Remove the ID`);
    return right(`OWNERS: ${id} is an active person`);
  } catch (error) {
    const code = answeredCodeOf(error);
    if (code === 'user_not_found' || code === 'user_not_visible')
      return fault(`OWNERS: Slack knows no person ${id}. Remove or correct the ID`);
    return unknown(`OWNERS: ${id} could not be looked up (${code ?? messageOf(error)})`);
  }
}

/** Sends what Slack sends to a new request URL: https://docs.slack.dev/reference/events/url_verification */
async function requestUrlDiagnosis(
  { publicUrl, eventsPath, signingSecret = '' }: Pick<SlackSetup, 'publicUrl' | 'eventsPath' | 'signingSecret'>,
  nowMs: number,
): Promise<Diagnosis> {
  if (publicUrl === undefined) {
    return unknown(
      `HTTP mode: whether Slack reaches the bot was not checked. The request URL of commands, interactivity and events must be https://<your host>${eventsPath}, and socket_mode_enabled false: npm run doctor -- --url https://<your host> checks it while the bot runs`,
    );
  }
  const url = new URL(eventsPath, publicUrl).href;
  if (!url.startsWith('https:') && !isLoopback(new URL(url).hostname))
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

async function socketDiagnosis(client: WebClient, appToken: string): Promise<Diagnosis> {
  try {
    await client.apps.connections.open({ token: appToken });
    return right('Socket Mode: Slack accepts SLACK_APP_TOKEN');
  } catch (error) {
    const code = answeredCodeOf(error);
    if (code === undefined || code === 'ratelimited')
      return unknown(
        `Socket Mode: SLACK_APP_TOKEN could not be checked (${code ?? messageOf(error)}). Try again in a minute`,
      );
    return fault(
      `Socket Mode: Slack refuses SLACK_APP_TOKEN (${code}). Create an app-level token with connections:write (Basic Information) and turn Socket Mode on`,
    );
  }
}

/** For what asks Slack once and says itself what came of it. */
const silent: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  setLevel() {},
  getLevel: () => LogLevel.ERROR,
  setName() {},
};

/**
 * Finds out whose profile field would name managers. A workspace needs none, unless one is configured.
 *
 * @param configured as in `managerFieldIn`
 */
async function managersDiagnosis(
  client: WebClient,
  configured: string | undefined,
  isOrganizationWide: boolean,
): Promise<Diagnosis> {
  try {
    const team = isOrganizationWide ? (await listWorkspaces(client))[0] : undefined;
    // The types of the method lack the workspace.
    const { profile }: TeamProfileGetResponse = await client.apiCall('team.profile.get', {
      ...(team && { team_id: team.id }),
    });
    const found = managerFieldIn(profile?.fields ?? [], configured);
    if ('id' in found) return right(`the field “${found.label}” of profiles names managers`);
    const words = inEnglish(noManagersWords(found.problem, 'Slack'));
    return configured === undefined ? unknown(words) : fault(words);
  } catch (error) {
    return unknown(`the fields of profiles were not read (${answeredCodeOf(error) ?? messageOf(error)})`);
  }
}

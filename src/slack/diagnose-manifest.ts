import type { WebClient } from '@slack/web-api';
import { fault, right, unknown, type Diagnosis } from '../domain/diagnosis.ts';
import { fromOutside, isStandard, type OwnNames } from '../domain/own-names.ts';
import type { AppManifest } from './app-manifest.ts';
import { answeredCodeOf, messageOf } from './slack-finding.ts';

/** What Slack has of the app, as far as it says. */
type PartOfManifest = { [Key in keyof AppManifest]?: Partial<AppManifest[Key]> };

export interface ManifestSetup {
  names: OwnNames;
  /** Makes the manifest that the app should have, where Slack sends everything to this address; undefined: Socket Mode. */
  manifest: { at: (eventsUrl: string | undefined) => AppManifest };
  appToken: string | undefined;
  /** The address of the bot from outside, if the operator names it. */
  publicUrl: string | undefined;
  eventsPath: string;
  /** The token of a person who may read the configuration of the app; undefined: none. */
  configToken: string | undefined;
}

const remedy = 'paste what npm run manifest prints into the app’s settings (App Manifest)';

/** Compares what the bot is called in Slack, and, with a token for it, the whole manifest of the app. Reads only. */
export async function manifestDiagnoses(
  client: WebClient,
  setup: ManifestSetup,
  botUserId: string | undefined,
): Promise<Diagnosis[]> {
  const { names, configToken } = setup;
  try {
    const { user } = await client.users.info({ user: botUserId ?? '' });
    return [
      ...nameDiagnoses(names, user?.profile?.real_name || user?.real_name),
      ...(configToken === undefined
        ? commandsDiagnoses(names)
        : await settingsDiagnoses(client, setup, configToken, user?.profile?.api_app_id)),
    ];
  } catch (error) {
    return [unknown(`what the bot is called was not read (${answeredCodeOf(error) ?? messageOf(error)})`)];
  }
}

/** People type this name to invite the bot. @param called in Slack */
function nameDiagnoses({ botName }: OwnNames, called: string | undefined): Diagnosis[] {
  if (called === undefined || called === '') return [];
  return called === botName
    ? [right(`the bot is called ${botName}, as its messages say`)]
    : [
        fault(
          `the bot is called ${fromOutside(called)}, and ${botName} in its messages: set BOT_NAME to its name, or ${remedy}`,
        ),
      ];
}

function commandsDiagnoses(names: OwnNames): Diagnosis[] {
  return isStandard(names)
    ? []
    : [
        unknown(
          `Slack does not say which commands the app has: npm run manifest prints those that the messages name, and with SLACK_CONFIG_TOKEN the doctor compares them`,
        ),
      ];
}

/** https://docs.slack.dev/reference/methods/apps.manifest.export */
async function settingsDiagnoses(
  client: WebClient,
  setup: ManifestSetup,
  token: string,
  appId = '',
): Promise<Diagnosis[]> {
  try {
    const exported = await client.apps.manifest.export({ token, app_id: appId });
    const manifest = (exported.manifest ?? {}) as PartOfManifest;
    const expected = setup.manifest.at(setup.appToken === undefined ? urlOf(setup, manifest) : undefined);
    const [differences, others] = [differencesOf(expected, manifest), othersIn(expected, manifest)];
    return [
      ...(differences.length === 0 ? [right('the app has everything that its manifest should have')] : []),
      ...differences.map((difference) => fault(`the app ${difference}: ${remedy}`)),
      ...others.map((other) => unknown(`the app ${other}, which the bot does not use`)),
    ];
  } catch (error) {
    const code = answeredCodeOf(error) ?? messageOf(error);
    return [
      unknown(
        `the settings of the app were not read with SLACK_CONFIG_TOKEN (${code}): Slack takes such a token for 12 hours, and for the apps of the person who made it. Make a new one at https://api.slack.com/apps`,
      ),
    ];
  }
}

/** Where everything goes: to the address that the operator names, or where Slack sends events now. */
function urlOf(
  { publicUrl, eventsPath }: Pick<ManifestSetup, 'publicUrl' | 'eventsPath'>,
  { settings }: PartOfManifest,
): string {
  if (publicUrl !== undefined) return new URL(eventsPath, publicUrl).href;
  return settings?.event_subscriptions?.request_url ?? 'the bot';
}

/** What the app lacks or has otherwise, each in words that follow “the app”. */
export function differencesOf(expected: AppManifest, found: PartOfManifest): string[] {
  const {
    display_information: about,
    features,
    settings,
    oauth_config: oauth,
    functions,
    mcp_servers: servers,
  } = found;
  const { bot: scopes, bot_optional: optional = [] } = expected.oauth_config.scopes;
  const events = expected.settings.event_subscriptions;
  return [
    ...differs('is called', expected.display_information.name, about?.name),
    ...differs('has a bot that is called', expected.features.bot_user.display_name, features?.bot_user?.display_name),
    ...lacks('the command', commandsOf(expected), commandsOf(found)),
    ...expected.features.slash_commands.flatMap((command) => commandDifferences(command, found)),
    ...lacks('the shortcut', shortcutsOf(expected), shortcutsOf(found)),
    // Declining them is nobody’s mistake.
    ...lacks(
      'the scope',
      scopes.filter((scope) => !optional.includes(scope)),
      oauth?.scopes?.bot,
    ),
    ...lacks('the event', events.bot_events, settings?.event_subscriptions?.bot_events),
    ...switched('Socket Mode', expected.settings.socket_mode_enabled, settings?.socket_mode_enabled),
    ...switched('interactivity', expected.settings.interactivity.is_enabled, settings?.interactivity?.is_enabled),
    ...goesTo('events', events.request_url, settings?.event_subscriptions?.request_url),
    ...goesTo('interactions', expected.settings.interactivity.request_url, settings?.interactivity?.request_url),
    ...lacks('the function', Object.keys(expected.functions ?? {}), Object.keys(functions ?? {})),
    ...(expected.mcp_servers !== undefined && Object.keys(servers ?? {}).length === 0
      ? ['lacks the MCP server, so that Slackbot has no tools']
      : []),
  ];
}

/** What else the app has, likewise. */
export function othersIn(expected: AppManifest, { oauth_config: oauth, settings, ...found }: PartOfManifest): string[] {
  const has = (what: string, wanted: readonly string[], all: readonly string[] = []) =>
    all.filter((name) => !wanted.includes(name)).map((name) => `has ${what} ${fromOutside(name)}`);
  return [
    ...has('the command', commandsOf(expected), commandsOf(found)),
    ...has('the shortcut', shortcutsOf(expected), shortcutsOf(found)),
    ...has('the scope', expected.oauth_config.scopes.bot, oauth?.scopes?.bot),
    ...has('the event', expected.settings.event_subscriptions.bot_events, settings?.event_subscriptions?.bot_events),
  ];
}

type Command = AppManifest['features']['slash_commands'][number];

function commandDifferences({ command, url }: Command, { features }: PartOfManifest): string[] {
  const found = features?.slash_commands?.find((other) => other.command === command);
  if (found === undefined) return [];
  return [
    ...goesTo(command, url, found.url),
    ...(found.should_escape === true
      ? []
      : [`sends ${command} without the IDs of people and channels (should_escape)`]),
  ];
}

const commandsOf = ({ features }: PartOfManifest): string[] =>
  (features?.slash_commands ?? []).map(({ command }) => command);
const shortcutsOf = ({ features }: PartOfManifest): string[] =>
  (features?.shortcuts ?? []).map(({ callback_id: id }) => id);

function differs(words: string, wanted: string, found: string | undefined): string[] {
  return wanted === found ? [] : [`${words} ${fromOutside(found ?? 'nothing')} instead of ${wanted}`];
}

function lacks(what: string, wanted: readonly string[], found: readonly string[] = []): string[] {
  return wanted.filter((name) => !found.includes(name)).map((name) => `lacks ${what} ${name}`);
}

function switched(what: string, wanted: boolean, found = false): string[] {
  return wanted === found ? [] : [`has ${what} turned ${found ? 'on' : 'off'}`];
}

/** In Socket Mode, Slack keeps addresses and uses none. */
function goesTo(what: string, wanted: string | undefined, found: string | undefined): string[] {
  return wanted === undefined || wanted === found
    ? []
    : [`sends ${what} to ${found ?? 'nowhere'} instead of ${wanted}`];
}

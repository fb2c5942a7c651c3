import { parseDocument, type Document } from 'yaml';
import type { OwnNames } from '../domain/own-names.ts';
import { createRename } from '../words/render.ts';
import { manifestFunctions } from './workflow-steps.ts';

/** What the manifest of an app depends on. */
export interface ManifestOptions {
  names: OwnNames;
  /** Where Slack sends commands, interactions and events, such as `https://bot.example/slack/events`; undefined: Socket Mode. */
  eventsUrl: string | undefined;
  /** Where Slackbot calls tools, such as `https://bot.example/mcp`; undefined: agents are turned off. */
  agentsUrl: string | undefined;
  /** Whether workflows can run steps. */
  hasSteps: boolean;
  /** Whether it asks for the scopes that people can refuse when they install the app. Default: true. */
  hasOptionalScopes?: boolean;
}

/** What of a manifest the bot reads: https://docs.slack.dev/reference/app-manifest */
interface AppManifest {
  display_information: Record<string, string>;
  features: { bot_user: { display_name: string }; slash_commands: { command: string }[] };
  oauth_config: { scopes: { bot: string[]; bot_optional?: string[] } };
}

/**
 * Makes the manifest of the bot’s app, as YAML.
 *
 * @param base the text of `manifest.yml`: that of an app in Socket Mode with the standard names
 */
export function manifestText(base: string, options: ManifestOptions): string {
  return documentFor(base, options).toString({ lineWidth: 103 });
}

/** Likewise as an object. */
export function manifestFor(base: string, options: ManifestOptions): AppManifest {
  return documentFor(base, options).toJS() as AppManifest;
}

function documentFor(base: string, options: ManifestOptions): Document {
  const { names, eventsUrl, agentsUrl, hasSteps, hasOptionalScopes = true } = options;
  const manifest = parseDocument(base);
  const {
    display_information: about,
    features: {
      bot_user: { display_name: bot },
      slash_commands: commands,
    },
    oauth_config: {
      scopes: { bot: scopes, bot_optional: optional = [] },
    },
  } = manifest.toJS() as AppManifest;
  const rename = createRename(names);
  // Slack does not say whether it reads aliases.
  const set = (path: readonly (string | number)[], value: unknown) =>
    manifest.setIn(path, manifest.createNode(value, { aliasDuplicateObjects: false }));
  // What stays as it is keeps how it is written.
  const setName = (path: readonly (string | number)[], text: string) => {
    if (rename(text) !== text) set(path, rename(text));
  };

  for (const [key, text] of Object.entries(about)) setName(['display_information', key], text);
  setName(['features', 'bot_user', 'display_name'], bot);
  for (const [index, { command }] of commands.entries()) {
    setName(['features', 'slash_commands', index, 'command'], command);
    if (eventsUrl !== undefined) set(['features', 'slash_commands', index, 'url'], eventsUrl);
  }
  if (!hasOptionalScopes) {
    set(
      ['oauth_config', 'scopes', 'bot'],
      scopes.filter((scope) => !optional.includes(scope)),
    );
    manifest.deleteIn(['oauth_config', 'scopes', 'bot_optional']);
  }
  if (hasSteps) {
    manifest.addIn(['settings', 'event_subscriptions', 'bot_events'], 'function_executed');
    set(['settings', 'org_deploy_enabled'], true);
    set(['settings', 'function_runtime'], 'remote');
    set(['functions'], manifestFunctions());
  }
  if (eventsUrl !== undefined) {
    set(['settings', 'event_subscriptions', 'request_url'], eventsUrl);
    set(['settings', 'interactivity', 'request_url'], eventsUrl);
    set(['settings', 'socket_mode_enabled'], false);
  }
  if (agentsUrl !== undefined) {
    manifest.addIn(['oauth_config', 'scopes', 'bot'], 'mcp:connect');
    set(['mcp_servers'], { invigilator: { url: agentsUrl, auth_type: 'slack_identity_auth' } });
  }
  return manifest;
}

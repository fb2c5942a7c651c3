import type { Clock } from './clock.ts';
import type { Dispatcher } from './delivery/dispatcher.ts';
import type { Sockets } from './delivery/sockets.ts';
import type { Faults } from './faults.ts';
import type { Manifest } from './manifest.ts';
import type { Enterprise, Team } from './model.ts';
import { teamId, teamName } from './people.ts';
import type { ResponseUrls, Triggers } from './expiring-handles.ts';
import type { OwnApp } from './own-apps.ts';
import type { Slackbot } from './slackbot.ts';
import type { State } from './state.ts';
import type { zoneOffsetMs } from './locales.ts';
import type { Uploads } from './uploads.ts';

export interface Strictness {
  /** Applies the Web API tiers and the limit of one message per second per channel. Default: true. */
  rateLimits: boolean;
  /** Rejects data_table and data_visualization blocks, as an older workspace does. Default: false. */
  legacy: boolean;
  /** Messages per minute over all channels. Slack's documentation says "several hundred". Default: 600. */
  messagesPerMinute: number;
}

/** The state and services that all parts of the workspace share. */
export interface Core {
  readonly clock: Clock;
  readonly state: State;
  readonly manifest: Manifest;
  readonly strictness: Strictness;
  readonly triggers: Triggers;
  readonly responseUrls: ResponseUrls;
  readonly faults: Faults;
  readonly dispatcher: Dispatcher;
  readonly sockets: Sockets;
  readonly slackbot: Slackbot;
  readonly workflowBuilder: OwnApp;
  readonly uploads: Uploads;
  readonly enterprise: Enterprise | undefined;
  readonly baseUrl: () => string;
  readonly zoneOffsetMs: typeof zoneOffsetMs;
}

/** The organization, if the bot's token is one for all its workspaces. */
export const organizationOf = ({ enterprise }: Pick<Core, 'enterprise'>): Enterprise | undefined =>
  enterprise?.isInstalledForAll === true ? enterprise : undefined;

/** The workspaces in which the bot's token works. */
export const workspacesOf = (core: Pick<Core, 'enterprise'>): readonly Team[] =>
  organizationOf(core)?.workspaces ?? [{ id: teamId, name: teamName }];

const newBlocks: ReadonlySet<string> = new Set(['data_table', 'data_visualization']);

/** The types of blocks and elements that the workspace rejects: new ones in legacy mode, and file inputs without `files:read`. */
export const unknownTypes = ({ strictness, manifest }: Pick<Core, 'strictness' | 'manifest'>): ReadonlySet<string> =>
  new Set([
    ...(strictness.legacy ? newBlocks : []),
    // https://docs.slack.dev/reference/block-kit/block-elements/file-input-element
    ...(manifest.oauth_config.scopes.bot.includes('files:read') ? [] : ['file_input']),
  ]);

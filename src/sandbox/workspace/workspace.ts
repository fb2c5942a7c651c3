import { createServer } from 'node:http';
import { urlOf, writeReply } from '../http.ts';
import { type Clock, systemClock, watchdogMs } from './clock.ts';
import { actAs, type Actor } from './actor/actor.ts';
import { type Core, organizationOf, type Strictness } from './core.ts';
import {
  createState,
  directMessages,
  keepConversations,
  lastCalls,
  readConversations,
  slackbotMessages,
} from './state.ts';
import { createDispatcher } from './delivery/dispatcher.ts';
import { createSockets } from './delivery/sockets.ts';
import { createFaults } from './faults.ts';
import { createBotRoutes } from './http/bot-routes.ts';
import { createPageRoutes } from './http/page-routes.ts';
import { messageOf } from './json.ts';
import { readManifest } from './manifest.ts';
import {
  changeMembers,
  changePerson,
  publishMembers,
  publishSharing,
  publishUserGroup,
  setActive,
  setLocale,
} from './membership.ts';
import type {
  Call,
  Channel,
  Delivery,
  Enterprise,
  FunctionExecution,
  Link,
  Person,
  ProfileField,
  UserGroup,
} from './model.ts';
import { bot, botUserId, channels, people, teamId, userGroups } from './people.ts';
import { createResponseUrls, createTriggers } from './expiring-handles.ts';
import { createSlackbot } from './slackbot.ts';
import { createZoneOffsets } from './locales.ts';
import { createUploads } from './uploads.ts';
import { stackOf } from './view-stacks.ts';
import { createRateLimits } from './web-api/call.ts';
import { dynamicOptions, startFunction } from './workflow-builder/functions.ts';
import { createWorkflowBuilder } from './workflow-builder/workflows.ts';

export interface WorkspaceOptions {
  /** Default: 127.0.0.1. */
  host?: string;
  /** Default: 0, any free port. */
  port?: number;
  /** The app manifest, which defines commands, shortcuts, scopes, events and tabs, or several that `readManifest` joins. */
  manifestPath: string;
  botToken: string;
  /** The token for Socket Mode. Default: none, which disables Socket Mode. */
  appToken?: string;
  signingSecret: string;
  /** The bot's URL in HTTP mode. A connected socket takes precedence. */
  bot?: { url: string };
  links?: Link[];
  /** Channels in addition to the sample ones. */
  channels?: Channel[];
  /** What its own addresses begin with, where a proxy leads to it. Default: where it listens. */
  publicUrl?: string;
  /** Milliseconds since 1970. Tests that control time pass `clock`, which includes timers. */
  now?: () => number;
  clock?: Clock;
  strictness?: Partial<Strictness>;
  /** The Enterprise organization of the workspace. Default: none. */
  enterprise?: Enterprise;
  /** Where conversations outlive a restart. Default: nowhere. */
  conversationsFile?: string;
}

export type Workspace = Awaited<ReturnType<typeof startWorkspace>>;

/** Starts a local replacement for Slack: the Web API, deliveries to the bot, and a page for people. */
export async function startWorkspace(options: WorkspaceOptions) {
  const clock = options.clock ?? systemClock(options.now);
  const { conversationsFile: conversationsPath } = options;
  const state = createState(clock, conversationsPath === undefined ? undefined : readConversations(conversationsPath));
  state.links = options.links ?? [];
  for (const channel of options.channels ?? []) state.channels.set(channel.id, channel);
  let baseUrl = '';
  let botUrl = options.bot?.url;
  const sockets = createSockets(clock, () => {
    state.changes.emit();
  });
  const faults = createFaults(clock, () => {
    state.changes.emit();
  });
  const strictness: Strictness = { rateLimits: true, legacy: false, messagesPerMinute: 600, ...options.strictness };
  const manifest = readManifest(options.manifestPath);
  state.people.set(bot.id, { ...bot, realName: manifest.features.bot_user.display_name });
  const core: Core = {
    clock,
    state,
    manifest,
    strictness,
    triggers: createTriggers(clock),
    responseUrls: createResponseUrls(clock, () => baseUrl),
    faults,
    sockets,
    dispatcher: createDispatcher({
      state,
      clock,
      sockets,
      signingSecret: options.signingSecret,
      subscriptions: manifest.settings.event_subscriptions.bot_events,
      botUrl,
      enterprise: options.enterprise,
      faultOf: (type) => faults.eventFault(type),
    }),
    enterprise: options.enterprise,
    slackbot: createSlackbot({
      state,
      clock,
      manifest,
      signingSecret: options.signingSecret,
      enterprise: options.enterprise,
      botUrl: () => botUrl,
    }),
    workflowBuilder: createWorkflowBuilder(() => core),
    uploads: createUploads(state, clock, () => baseUrl),
    baseUrl: () => baseUrl,
    zoneOffsetMs: createZoneOffsets(),
  };
  const conversationsFile =
    conversationsPath === undefined ? undefined : keepConversations(state, clock, conversationsPath);
  const botRoutes = createBotRoutes(
    core,
    { bot: options.botToken, app: options.appToken },
    createRateLimits(clock, strictness.messagesPerMinute),
  );
  clock.onChange?.(() => state.changes.emit());
  const pageRoutes = createPageRoutes(core, () => sockets.connected > 0 || botUrl !== undefined);

  const server = createServer((request, response) => {
    void (async () => {
      const url = URL.parse(request.url ?? '/', 'http://sandbox');
      const isHandled =
        url !== null &&
        ((await botRoutes(request, response, url.pathname)) || (await pageRoutes.handle(request, response, url)));
      if (!isHandled)
        await writeReply(response, { status: 404, headers: { 'content-type': 'text/plain' }, body: 'Not found' });
    })().catch(async (error: unknown) => {
      await writeReply(response, { status: 500, headers: { 'content-type': 'text/plain' }, body: messageOf(error) });
    });
  });
  // Longer than a bot's pool keeps idle connections, so that the bot never reuses one that the server just closed.
  server.keepAliveTimeout = 65_000;
  server.on('upgrade', (request, socket, head) => {
    sockets.upgrade(request, socket, head);
  });
  const host = options.host ?? '127.0.0.1';
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, host, resolve);
  });
  const ownUrl = urlOf(server, host);
  baseUrl = options.publicUrl ?? ownUrl;

  return {
    /** The URL of the page. */
    url: `${ownUrl}/`,
    /** The value for `SLACK_API_URL`. It ends in /api/. */
    apiUrl: `${ownUrl}/api/`,
    teamId,
    /** The organization of the workspace. */
    enterprise: options.enterprise,
    /** What the app is installed for, as `auth.test` names it: the workspace or the organization. */
    installedFor: organizationOf(core)?.id ?? teamId,
    people,
    channels,
    userGroups,
    setBot(url: string | undefined): void {
      botUrl = url;
      core.dispatcher.setBot(url);
      state.changes.emit();
    },
    setLinks(links: Link[]): void {
      state.links = links;
      state.changes.emit();
    },
    /** Offers the tour on the page, which starts where it does. */
    startTour(): void {
      state.tour = { sinceTs: state.newTs(), done: [] };
      state.changes.emit();
    },
    /** Adds or replaces a person, for example to deactivate them or make them a guest. */
    setPerson: (person: Person): void => void changePerson(core, person),
    /** Deactivates a person, as an administrator of the workspace does, or activates them again. Resolves when the app has the event. */
    setActive: (userId: string, isActive: boolean) => setActive(core, userId, isActive),
    /** Changes the language of a person’s Slack, such as `de-DE`. Resolves when the app has the event. */
    setLocale: (userId: string, locale: string) => setLocale(core, userId, locale),
    /** Removes the app as an administrator does, or installs it again. Resolves when the app has the events. */
    setInstalled: (isInstalled: boolean) => setInstalled(core, isInstalled),
    /** Changes a channel, for example to archive it. */
    setChannel(id: string, change: Partial<Channel>): void {
      const channel = state.channels.get(id);
      const before = [...(channel?.members ?? [])];
      const sharers = channel?.sharedWith;
      Object.assign(channel ?? {}, change);
      state.changes.emit();
      if (channel === undefined) return;
      void publishMembers(core, channel, before);
      void publishSharing(core, channel, sharers);
    },
    /** Adds or replaces a user group. */
    setUserGroup(group: UserGroup): void {
      const before = state.userGroups.get(group.id);
      state.userGroups.set(group.id, group);
      state.changes.emit();
      void publishUserGroup(core, group, before);
    },
    /** These people join a channel. Resolves when the bot has the events. */
    join: (channelId: string, ...personIds: string[]) =>
      changeMembers(core, channelId, (members) => [...members, ...personIds]),
    /** They leave it. */
    leave: (channelId: string, ...personIds: string[]) =>
      changeMembers(core, channelId, (members) => members.filter((id) => !personIds.includes(id))),
    /** Adds or replaces a custom field of the profiles. */
    setProfileField(field: ProfileField): void {
      state.profileFields.set(field.id, field);
      state.changes.emit();
    },
    as: (userId: string): Actor => actAs(core, userId),
    /** The messages of a channel that are visible to all members, replies in threads included. */
    messages: (channelId: string) => state.messages.filter((message) => message.channel === channelId),
    /** The ephemeral messages that a client of this person shows now. */
    ephemerals: (userId: string, channelId?: string) =>
      state.ephemerals
        .all()
        .filter((message) => message.onlyFor === userId && (channelId === undefined || message.channel === channelId)),
    /** The direct messages between this person and the bot. */
    directMessages: (userId: string) =>
      state.messages.filter((message) => message.channel === directMessages(state, userId).id),
    /** The messages that the bot sent to this person's conversation with Slackbot. */
    slackbotMessages: (userId: string) =>
      state.messages.filter((message) => message.channel === slackbotMessages(state, userId).id),
    /** The person's open modals, root first. */
    views: (userId: string) => stackOf(state, userId),
    home: (userId: string) => state.homes.get(userId),
    notices: (userId: string) => state.notices.filter((notice) => notice.user === userId),
    /** Functions of the app, as Workflow Builder uses them. */
    functions: {
      /**
       * Runs a function as a step of its own. Resolves when the app has the event.
       *
       * @param workflowId Slack documents none
       */
      async run(name: string, inputs: Record<string, unknown>, workflowId?: string): Promise<FunctionExecution> {
        const { execution, delivered } = startFunction(core, name, inputs, { workflowId });
        await delivered;
        return execution;
      },
      /** The choices of a dropdown, for the person who builds a workflow. @throws Error with the sentence that they see */
      options: (builderId: string, name: string, input: string, query?: string) =>
        dynamicOptions(core, builderId, name, input, query),
      executions: state.executions as ReadonlyMap<string, FunctionExecution>,
      /** Adds a run that began earlier. */
      add: (execution: FunctionExecution): void => void state.executions.set(execution.id, execution),
    },
    calls: state.calls as readonly Call[],
    deliveries: state.deliveries as readonly Delivery[],
    /** Resolves with the first truthy value of the condition, which runs now and after every change. */
    until: <T>(condition: () => T, timeoutMs = watchdogMs): Promise<NonNullable<T>> =>
      state.changes.until(
        condition,
        timeoutMs,
        () => `not so within ${timeoutMs} ms: ${String(condition)}; ${lastCalls(state)}`,
      ),
    faults: {
      /** @returns a function that removes the fault */
      inject: faults.inject,
      /** Events of these types, or all of them, are lost or late until this is called with undefined. */
      setEventFault: faults.setEventFault,
      /** How many calls an injected latency is delaying now. */
      get delayed(): number {
        return faults.delayed;
      },
      /** Asks every socket to reconnect, as Slack does every few hours. */
      disconnectSockets: sockets.refresh,
      /** Terminates every socket without a close frame. */
      dropSockets: sockets.drop,
      setSocketFault: sockets.setFault,
      setLegacy(isLegacy: boolean): void {
        strictness.legacy = isLegacy;
      },
      setRateLimits(areOn: boolean): void {
        strictness.rateLimits = areOn;
      },
    },
    /** The sockets that got a hello. */
    get sockets(): number {
      return sockets.connected;
    },
    async close(): Promise<void> {
      pageRoutes.close();
      conversationsFile?.close();
      sockets.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * Removes the app from the workspace, which revokes its token, or installs it again.
 * https://docs.slack.dev/reference/events/app_uninstalled and https://docs.slack.dev/reference/events/tokens_revoked
 */
async function setInstalled({ state, dispatcher }: Core, isInstalled: boolean): Promise<void> {
  state.isTokenRevoked = !isInstalled;
  state.changes.emit();
  if (isInstalled) return;
  await Promise.all([
    dispatcher.publish('tokens_revoked', { tokens: { oauth: [], bot: [botUserId] } }),
    dispatcher.publish('app_uninstalled', {}),
  ]);
}

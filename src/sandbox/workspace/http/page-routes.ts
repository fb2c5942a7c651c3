import type { IncomingMessage, ServerResponse } from 'node:http';
import { isKnownHost, json, readBody, type Reply, writeReply } from '../../http.ts';
import { loadPageAssets } from './page-assets.ts';
import type { Core } from '../core.ts';
import { messageOf, parseJson, pickKeys } from '../json.ts';
import type { Person } from '../model.ts';
import { type PageAction, pageActionSchema, type PageState } from '../page-contract.ts';
import { actAs, type Actor } from '../actor/actor.ts';
import { changeMembers, setLocale } from '../membership.ts';
import { bot, botUserId, teamName } from '../people.ts';
import { stackOf } from '../view-stacks.ts';
import { ownHome } from '../own-apps.ts';
import { runBlocks } from '../workflow-builder/workflows.ts';
import { visibleTo } from '../messages.ts';
import { directMessages, directMessagesId, slackbotMessages } from '../state.ts';
import { nextDeadline, shownTour } from '../tour.ts';

/** The routes that the page in the browser calls. */
interface PageRoutes {
  handle(request: IncomingMessage, response: ServerResponse, url: URL): Promise<boolean>;
  close(): void;
}

/** Tells the page to fetch its state again. */
const announcement = 'data: changed\n\n';

/** A skip makes hundreds of steps; the page need not fetch its state after each. */
const pauseDuringSkipMs = 150;

export function createPageRoutes(core: Core, isBotConnected: () => boolean): PageRoutes {
  let assets: ReturnType<typeof loadPageAssets> | undefined;
  const listeners = new Set<ServerResponse>();
  let isAnnounced = false;

  const stopListening = core.state.changes.listen(() => {
    if (isAnnounced) return;
    isAnnounced = true;
    const announce = (): void => {
      isAnnounced = false;
      for (const listener of listeners) listener.write(announcement);
    };
    if (core.clock.skipping === undefined) setImmediate(announce);
    else setTimeout(announce, pauseDuringSkipMs).unref();
  });

  const clientOf = (url: URL): string => `page ${url.searchParams.get('client') ?? ''}`;

  const follow = (request: IncomingMessage, response: ServerResponse, url: URL): void => {
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      connection: 'keep-alive',
    });
    response.write(`retry: 1000\n${announcement}`);
    listeners.add(response);
    const disconnect = core.state.ephemerals.connect(clientOf(url), url.searchParams.get('as') ?? '');
    request.on('close', () => {
      listeners.delete(response);
      disconnect();
    });
  };

  const personFrom = (url: URL): Person | undefined => core.state.people.get(url.searchParams.get('as') ?? '');

  const act = async (request: IncomingMessage, url: URL): Promise<Reply> => {
    const person = personFrom(url);
    if (!isFromPage(request)) return json(403, { problem: 'Only the workspace page can do this.' });
    const parsed = pageActionSchema.safeParse(parseJson((await readBody(request)).toString()));
    if (person === undefined || person.isBot === true || !parsed.success)
      return json(400, { problem: 'The workspace doesn’t know this action.' });
    try {
      const run = () => runPageAction(core, person.id, parsed.data);
      return json(200, await (core.clock.hold?.(run) ?? run()));
    } catch (error) {
      return json(409, { problem: messageOf(error) });
    }
  };

  /** Stores a file that a person chose. The page names it in a later action. */
  const upload = async (request: IncomingMessage, url: URL): Promise<Reply> => {
    const person = personFrom(url);
    const name = url.searchParams.get('name') ?? '';
    if (!isFromPage(request, 'application/octet-stream'))
      return json(403, { problem: 'Only the workspace page can do this.' });
    if (person === undefined || name === '') return json(400, { problem: 'The workspace doesn’t know this action.' });
    const file = core.uploads.add(person.id, name, await readBody(request));
    return json(200, { id: file.id, name: file.name, size: file.size });
  };

  const read = (url: URL): Reply | undefined => {
    const person = personFrom(url);
    if (url.pathname === '/page/state')
      return person === undefined
        ? json(404, { problem: 'This person doesn’t exist.' })
        : json(200, pageState(core, person, { isBotConnected: isBotConnected(), clientId: clientOf(url) }), {
            'cache-control': 'no-store',
          });
    const file = /^\/files\/([A-Z0-9]+)$/.exec(url.pathname)?.[1];
    if (file !== undefined) return download(core, file);
    // Stripping types takes a third of the time of a start, and a workspace may have no page open.
    assets ??= loadPageAssets();
    return assets(url.pathname);
  };

  return {
    async handle(request, response, url) {
      if (!isKnownHost(request.headers.host)) {
        const body = 'Open this page as localhost or by its IP address.';
        await writeReply(response, { status: 404, headers: { 'content-type': 'text/plain' }, body });
        return true;
      }
      if (request.method === 'POST' && url.pathname === '/page/acts') {
        await writeReply(response, await act(request, url));
        return true;
      }
      if (request.method === 'POST' && url.pathname === '/page/files') {
        await writeReply(response, await upload(request, url));
        return true;
      }
      if (request.method !== 'GET') return false;
      if (url.pathname === '/page/changes') {
        follow(request, response, url);
        return true;
      }
      const reply = read(url);
      if (reply === undefined) return false;
      await writeReply(response, reply);
      return true;
    },
    close() {
      stopListening();
      for (const listener of listeners) listener.end();
    },
  };
}

/** Rejects cross-site requests from other pages in the same browser. */
const isFromPage = (request: IncomingMessage, contentType = 'application/json'): boolean =>
  (request.headers['content-type'] ?? '').startsWith(contentType) &&
  ['same-origin', undefined].includes(request.headers['sec-fetch-site']?.toString());

function download(core: Core, id: string): Reply | undefined {
  const file = core.state.files.get(id);
  const bytes = core.uploads.bytesOf(id);
  if (file === undefined || bytes === undefined) return undefined;
  const isImage = /^image\/(png|jpeg|gif)$/.test(file.mimetype);
  return {
    status: 200,
    headers: {
      'content-type': isImage ? file.mimetype : 'application/octet-stream',
      'content-disposition': `${isImage ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(file.name)}`,
      'content-security-policy': "default-src 'none'; sandbox",
    },
    body: bytes,
  };
}

/** Runs an action of the page as this person. Resolves with the details that the page state does not contain. */
async function runPageAction(core: Core, userId: string, action: PageAction): Promise<object> {
  const actor = actAs(core, userId);
  switch (action.do) {
    case 'say':
      return { ts: (await actor.say(action.channel, action.text, pickKeys(action, 'threadTs', 'files'))).ts };
    case 'command':
      return typeCommand(core, actor, action.channel, action.text);
    case 'shortcut':
      return { error: (await actor.shortcut(action.callbackId)).error };
    case 'messageShortcut':
      return { error: (await actor.messageShortcut(action.callbackId, action.channel, action.ts)).error };
    case 'click':
      if ('view' in action.where) await actor.fill(action.where.view, action.values);
      return { error: (await actor.click(action.where, action.what, action.value)).error };
    case 'options':
      return actor.options(action.where, action.what, action.query);
    case 'submit': {
      const { errors, failed } = await actor.submit(action.view, action.values);
      return { errors, failed };
    }
    case 'close':
      // Pressing Escape twice sends a second request for a view that is closed already.
      if (stackOf(core.state, userId).some((view) => view.id === action.view))
        await actor.close(action.view, { all: action.all });
      return {};
    case 'openOwn':
      await (action.app === 'slackbot' ? core.slackbot : core.workflowBuilder).open(userId);
      return {};
    case 'setLocale':
      await setLocale(core, userId, action.locale);
      return {};
    case 'skip':
      void core.clock.skip?.(action.ms);
      return {};
    default:
      return { isPublished: (await actor.openHome()) !== undefined };
  }
}

const isAboutBot = (text: string): boolean => text.toLowerCase() === `@${bot.name}`;

/** Handles `/invite` and `/remove`, which are commands of Slack itself. */
async function typeCommand(core: Core, actor: Actor, channel: string, text: string): Promise<object> {
  const [name, who = ''] = text.trim().split(/\s+/);
  if (name === '/invite' && isAboutBot(who)) {
    await actor.invite(channel);
    return {};
  }
  if (name === '/remove' && isAboutBot(who)) {
    await actor.remove(channel);
    return {};
  }
  const person = personCalled(core, who);
  if (person !== undefined && (name === '/invite' || name === '/remove')) {
    const others = (members: readonly string[]) => members.filter((id) => id !== person.id);
    await changeMembers(core, channel, (members) => (name === '/invite' ? [...members, person.id] : others(members)));
    return {};
  }
  return { error: (await actor.command(text, { channel })).error };
}

/** Somebody who can be in channels. @param who such as `@rosa` */
function personCalled({ state }: Core, who: string): Person | undefined {
  const people = [...state.people.values()].filter(({ isBot, isDeleted }) => isBot !== true && isDeleted !== true);
  return people.find(({ name }) => `@${name}` === who.toLowerCase());
}

const shownMessages = 200;

/** Builds the page's whole state for one person. */
function pageState(core: Core, person: Person, options: { isBotConnected: boolean; clientId: string }): PageState {
  const { state } = core;
  const direct = directMessages(state, person.id);
  const channels = [...state.channels.values()].filter(
    (channel) => channel.kind !== 'im' && channel.members.includes(person.id),
  );
  const withSlackbot = slackbotMessages(state, person.id);
  const builder = state.homes.get(ownHome('workflow', person.id));
  const { slash_commands: commands, shortcuts, app_home: home } = core.manifest.features;
  return {
    teamName,
    me: person,
    people: [...state.people.values()],
    channels,
    userGroups: [...state.userGroups.values()],
    direct,
    othersDirect: othersDirect(core, person),
    botUserId,
    botName: core.manifest.features.bot_user.display_name,
    isBotConnected: options.isBotConnected,
    messages: Object.fromEntries(
      [...channels, direct, withSlackbot].map((channel) => [
        channel.id,
        visibleTo(state, person.id, channel.id, options.clientId).slice(-shownMessages),
      ]),
    ),
    stack: stackOf(state, person.id),
    home: state.homes.get(person.id) ?? null,
    notices: state.notices.filter((notice) => notice.user === person.id),
    commands,
    shortcuts,
    hasHome: home.home_tab_enabled,
    slackbot: core.slackbot.isOffered()
      ? { conversation: withSlackbot, home: state.homes.get(ownHome('slackbot', person.id)) ?? null }
      : null,
    workflow:
      Object.keys(core.manifest.functions).length === 0
        ? null
        : { home: builder === undefined ? null : { ...builder, blocks: [...builder.blocks, ...runBlocks(core)] } },
    links: state.links,
    nowMs: core.clock.now(),
    canSkip: core.clock.skip !== undefined,
    skipping: core.clock.skipping ?? null,
    deadlineMs: nextDeadline(state, core.clock.now()),
    tour: shownTour(core),
  };
}

function othersDirect({ state }: Core, me: Person): PageState['othersDirect'] {
  const sent = Map.groupBy(
    state.messages.filter((message) => message.user === botUserId),
    (message) => message.channel,
  );
  return [...state.people.values()].flatMap((person) => {
    const channel = directMessagesId(person.id);
    const messages = sent.get(channel);
    return person.id === me.id || messages === undefined
      ? []
      : [{ person, channel, sent: messages.slice(-shownMessages).map(({ ts }) => ts) }];
  });
}

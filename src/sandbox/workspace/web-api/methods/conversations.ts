import { ApiError, type Arguments, type Method, method, missingScope, page } from '../method.ts';
import type { Core } from '../../core.ts';
import { findMessage, messagePayload } from '../../messages.ts';
import type { Channel, Message } from '../../model.ts';
import { botUserId, teamId } from '../../people.ts';
import { directMessages, slackbotMessages } from '../../state.ts';

const readScopes = ['channels:read', 'groups:read', 'im:read', 'mpim:read'];
const historyScopes = ['channels:history', 'groups:history', 'im:history', 'mpim:history'];

function channelPayload(channel: Channel): Record<string, unknown> {
  if (channel.kind === 'im')
    return {
      id: channel.id,
      is_im: true,
      user: channel.members.find((member) => member !== botUserId),
      is_archived: false,
    };
  const partners = (channel.sharedWith ?? []).map(({ id }) => id);
  const isShared = partners.length > 0;
  return {
    id: channel.id,
    name: channel.name,
    name_normalized: channel.name,
    is_channel: channel.kind === 'public',
    is_group: channel.kind === 'private',
    is_im: false,
    is_mpim: channel.kind === 'mpim',
    is_private: channel.kind !== 'public',
    is_archived: channel.isArchived === true,
    is_member: isBotIn(channel),
    topic: { value: channel.topic ?? '', creator: '', last_set: 0 },
    purpose: { value: '', creator: '', last_set: 0 },
    num_members: channel.members.length,
    context_team_id: teamId,
    is_shared: isShared,
    is_ext_shared: isShared,
    is_org_shared: false,
    is_pending_ext_shared: false,
    shared_team_ids: [teamId, ...partners],
    connected_team_ids: partners,
  };
}

function readable(core: Core, args: Arguments): Channel {
  const channel = findConversation(core, args.required('channel'));
  requireScopeFor(core, channel, 'history');
  if (!isBotIn(channel)) throw new ApiError('not_in_channel');
  return channel;
}

function isWithin(message: Message, args: Arguments): boolean {
  const oldest = args.text('oldest') ?? '0';
  const latest = args.text('latest') ?? '9999999999';
  const inclusive = args.flag('inclusive');
  const ts = Number(message.ts);
  return (
    (ts > Number(oldest) && ts < Number(latest)) || (inclusive && (message.ts === oldest || message.ts === latest))
  );
}

/**
 * Pages of members are shorter than any limit that bots ask for: “Fewer than the requested number of items may be returned,
 * even if the end of the users list hasn’t been reached” (https://docs.slack.dev/reference/methods/conversations.members).
 */
const memberPageSize = 10;

/** The limit is an integer of at most 999, as the types of @slack/web-api say. */
function requireLimit(args: Arguments): void {
  const limit = Number(args.text('limit') ?? 100);
  if (!Number.isInteger(limit) || limit < 1 || limit > 999) throw new ApiError('invalid_limit');
}

const mostPeopleInConversation = 8;

export const conversations: Record<string, Method> = {
  'conversations.info': method(3, readScopes, (core, args) => {
    const channel = findConversation(core, args.required('channel'));
    requireScopeFor(core, channel, 'read');
    return { channel: channelPayload(channel) };
  }),
  'conversations.members': method(4, readScopes, (core, args) => {
    const channel = findConversation(core, args.required('channel'));
    requireScopeFor(core, channel, 'read');
    requireLimit(args);
    const { items, ...paging } = page(channel.members, args, memberPageSize);
    return { members: items, ...paging };
  }),
  'conversations.open': method(3, ['im:write', 'mpim:write'], (core, args) => {
    const ids = (args.text('users') ?? '').split(',').filter((id) => id !== '');
    const [id] = ids;
    // https://docs.slack.dev/reference/methods/conversations.open#errors
    if (id === undefined) throw new ApiError('users_list_not_supplied');
    if (ids.length > mostPeopleInConversation) throw new ApiError('too_many_users');
    if (ids.length > 1) throw new ApiError('invalid_arguments');
    const person = core.state.people.get(id);
    if (person === undefined) throw new ApiError('user_not_found');
    if (person.isBot === true) throw new ApiError('cannot_dm_bot');
    if (person.isDeleted === true) throw new ApiError('user_disabled');
    return { channel: channelPayload(directMessages(core.state, id)) };
  }),
  'conversations.history': method(3, historyScopes, (core, args) => {
    const channel = readable(core, args);
    const found = core.state.messages.filter(
      (message) =>
        message.channel === channel.id &&
        (message.threadTs === undefined || message.threadTs === message.ts || message.isBroadcast === true) &&
        isWithin(message, args),
    );
    const { items, ...paging } = page(found.toReversed(), args);
    return {
      messages: items.map((message) => messagePayload(message, teamId, args.flag('include_all_metadata'))),
      pin_count: 0,
      ...paging,
    };
  }),
  'conversations.replies': method(3, historyScopes, (core, args) => {
    const channel = readable(core, args);
    const parent = findMessage(core.state, channel.id, args.required('ts'));
    if (parent === undefined || parent.onlyFor !== undefined) throw new ApiError('thread_not_found');
    const replies = core.state.messages.filter(
      (message) => message.channel === channel.id && message.threadTs === parent.ts && isWithin(message, args),
    );
    const { items, ...paging } = page([parent, ...replies], args);
    return {
      messages: items.map((message) => messagePayload(message, teamId, args.flag('include_all_metadata'))),
      ...paging,
    };
  }),
};

const isBotIn = (channel: Channel): boolean => channel.members.includes(botUserId);

/** Finds a conversation that is visible to the bot. Private ones require membership. */
export function findConversation(core: Core, id: string): Channel {
  const channel = core.state.channels.get(id);
  if (channel === undefined || (channel.kind !== 'public' && !isBotIn(channel)))
    throw new ApiError('channel_not_found');
  return channel;
}

/** Finds a conversation that has the bot as a member and is not archived. */
export function findOpenConversation(core: Core, id: string): Channel {
  const channel = findConversation(core, id);
  if (channel.isArchived === true) throw new ApiError('is_archived');
  if (!isBotIn(channel)) throw new ApiError('not_in_channel');
  return channel;
}

/**
 * Resolves the `channel` of chat.postMessage. The id of a person posts to their conversation with Slackbot, not to their
 * direct messages with the bot: https://docs.slack.dev/reference/methods/chat.postMessage#channels
 */
export function findDestination(core: Core, id: string): Channel {
  const person = core.state.people.get(id);
  if (person?.isBot === true) throw new ApiError('cannot_dm_bot');
  if (person !== undefined) return slackbotMessages(core.state, id);
  const channel = findConversation(core, byName(core, id));
  if (channel.isArchived === true) throw new ApiError('is_archived');
  const mayPostAnywhere =
    channel.kind === 'public' && core.manifest.oauth_config.scopes.bot.includes('chat:write.public');
  if (!isBotIn(channel) && !mayPostAnywhere) throw new ApiError('not_in_channel');
  return channel;
}

/** chat.postMessage is the only method that accepts `#name`. */
function byName(core: Core, id: string): string {
  if (!id.startsWith('#')) return id;
  return (
    [...core.state.channels.values()].find((channel) => channel.kind !== 'im' && channel.name === id.slice(1))?.id ?? id
  );
}

/** Checks the scope of a conversations.* method, which depends on the kind of conversation. */
function requireScopeFor(core: Core, channel: Channel, action: 'read' | 'history' | 'write'): void {
  const family = { public: 'channels', private: 'groups', im: 'im', mpim: 'mpim' }[channel.kind];
  const needed = `${family}:${action}`;
  const granted = core.manifest.oauth_config.scopes.bot;
  if (!granted.includes(needed)) throw missingScope(needed, granted);
}

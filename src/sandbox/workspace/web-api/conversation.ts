import { ApiError, missingScope } from './method.ts';
import type { Core } from '../core.ts';
import type { Channel } from '../model.ts';
import { botUserId } from '../people.ts';
import { slackbotMessages } from '../state.ts';

export const isBotIn = (channel: Channel): boolean => channel.members.includes(botUserId);

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
export function requireScopeFor(core: Core, channel: Channel, action: 'read' | 'history' | 'write'): void {
  const family = { public: 'channels', private: 'groups', im: 'im', mpim: 'mpim' }[channel.kind];
  const needed = `${family}:${action}`;
  const granted = core.manifest.oauth_config.scopes.bot;
  if (!granted.includes(needed)) throw missingScope(needed, granted);
}

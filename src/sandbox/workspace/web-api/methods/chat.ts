import { ApiError, type Arguments, type Method } from '../method.ts';
import { findConversation, findDestination, findOpenConversation } from '../conversation.ts';
import { readContent } from '../message-content.ts';
import type { Core } from '../../core.ts';
import { changeMessage, deleteMessage, findMessage, messagePayload, postAsBot } from '../../messages.ts';
import type { Message } from '../../model.ts';
import { botUserId, teamId } from '../../people.ts';

const scopes = ['chat:write'];

/** A message of the bot that others can see. */
function ownMessage(core: Core, args: Arguments, refusal: string): Message {
  const channel = findConversation(core, args.required('channel'));
  const message = findMessage(core.state, channel.id, args.required('ts'));
  if (message === undefined || message.onlyFor !== undefined) throw new ApiError('message_not_found');
  if (message.user !== botUserId) throw new ApiError(refusal);
  if (channel.isArchived === true) throw new ApiError('is_archived');
  return message;
}

function threadOf(core: Core, args: Arguments, channel: string): { threadTs?: string } {
  const threadTs = args.text('thread_ts');
  if (threadTs === undefined) return {};
  const parent = findMessage(core.state, channel, threadTs);
  if (parent === undefined) throw new ApiError('thread_not_found');
  return { threadTs: parent.threadTs ?? parent.ts };
}

export const chat: Record<string, Method> = {
  'chat.postMessage': {
    tier: 'special',
    scopes,
    run(core, args) {
      const channel = findDestination(core, args.required('channel'));
      const message = postAsBot(core.state, {
        channel: channel.id,
        ...readContent(core, args),
        ...threadOf(core, args, channel.id),
      });
      return { channel: channel.id, ts: message.ts, message: messagePayload(message, teamId) };
    },
  },
  'chat.postEphemeral': {
    tier: 4,
    scopes,
    run(core, args) {
      const channel = findOpenConversation(core, args.required('channel'));
      const user = args.required('user');
      if (!channel.members.includes(user)) throw new ApiError('user_not_in_channel');
      const message = postAsBot(core.state, {
        channel: channel.id,
        onlyFor: user,
        ...readContent(core, args),
        ...threadOf(core, args, channel.id),
      });
      return { message_ts: message.ts };
    },
  },
  'chat.update': {
    tier: 3,
    scopes,
    run(core, args) {
      const message = ownMessage(core, args, 'cant_update_message');
      const content = readContent(core, args);
      const keepsText = args.text('text') === undefined && args.text('markdown_text') === undefined;
      changeMessage(core.state, message, {
        ...content,
        text: keepsText ? message.text : content.text,
        editedTs: core.state.newTs(),
      });
      return { channel: message.channel, ts: message.ts, text: message.text, message: messagePayload(message, teamId) };
    },
  },
  'chat.delete': {
    tier: 3,
    scopes,
    run(core, args) {
      const message = ownMessage(core, args, 'cant_delete_message');
      deleteMessage(core.state, message);
      return { channel: message.channel, ts: message.ts };
    },
  },
  'chat.getPermalink': {
    tier: 'special',
    scopes: [],
    run(core, args) {
      const channel = findConversation(core, args.required('channel'));
      const message = findMessage(core.state, channel.id, args.required('message_ts'));
      if (message === undefined) throw new ApiError('message_not_found');
      return { channel: channel.id, permalink: `${core.baseUrl()}/#/${channel.id}/${message.ts}` };
    },
  },
};

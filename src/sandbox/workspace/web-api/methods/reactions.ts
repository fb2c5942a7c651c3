import { ApiError, type Arguments, type Method } from '../method.ts';
import { findConversation } from '../conversation.ts';
import type { Core } from '../../core.ts';
import { findMessage } from '../../messages.ts';
import type { Message } from '../../model.ts';
import { botUserId } from '../../people.ts';

function target(core: Core, args: Arguments): { message: Message; name: string } {
  const channel = findConversation(core, args.required('channel'));
  const message = findMessage(core.state, channel.id, args.required('timestamp'));
  if (message === undefined || message.onlyFor !== undefined) throw new ApiError('message_not_found');
  const name = args.required('name');
  if (!/^[a-z0-9_+'-]+$/.test(name)) throw new ApiError('invalid_name');
  return { message, name };
}

export const reactions: Record<string, Method> = {
  'reactions.add': {
    tier: 3,
    scopes: ['reactions:write'],
    run(core, args) {
      const { message, name } = target(core, args);
      message.reactions ??= [];
      const reaction = message.reactions.find((known) => known.name === name) ?? { name, users: [] };
      if (reaction.users.includes(botUserId)) throw new ApiError('already_reacted');
      if (reaction.users.length === 0) message.reactions.push(reaction);
      reaction.users.push(botUserId);
      core.state.changes.emit();
      return {};
    },
  },
  'reactions.remove': {
    tier: 2,
    scopes: ['reactions:write'],
    run(core, args) {
      const { message, name } = target(core, args);
      const reaction = message.reactions?.find((known) => known.name === name && known.users.includes(botUserId));
      if (reaction === undefined) throw new ApiError('no_reaction');
      reaction.users = reaction.users.filter((user) => user !== botUserId);
      message.reactions = message.reactions?.filter(({ users }) => users.length > 0) ?? [];
      core.state.changes.emit();
      return {};
    },
  },
};

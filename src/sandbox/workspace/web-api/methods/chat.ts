import { z } from 'zod';
import type { Block } from '../../block-kit/blocks.ts';
import { checkBlocks, identify, messageSize } from '../../block-kit/validate.ts';
import { type Core, unknownTypes } from '../../core.ts';
import { limits } from '../../limits.ts';
import { changeMessage, findMessage, messagePayload, postAsBot } from '../../messages.ts';
import type { Message, Metadata } from '../../model.ts';
import { botUserId, teamId } from '../../people.ts';
import { findConversation, findDestination, findOpenConversation } from './conversations.ts';
import { ApiError, type Arguments, type Method, method } from '../method.ts';

const metadataSchema = z.strictObject({
  event_type: z.string().min(1),
  event_payload: z.record(z.string(), z.unknown()),
});

interface Content {
  text: string;
  blocks?: Block[];
  metadata?: Metadata;
}

/** Validates the `text`, `blocks` and `metadata` of chat.* */
function readContent(core: Core, args: Arguments): Content {
  const text = args.text('text') ?? '';
  const blocks = readBlocks(core, args);
  if (text === '' && blocks === undefined) throw new ApiError('no_text');
  if (text.length > limits.messageText.max) throw new ApiError('msg_too_long');
  if (blocks !== undefined && messageSize(blocks) > limits.messageSize.max) throw new ApiError('msg_blocks_too_long');
  const metadata = readMetadata(args);
  return { text, ...(blocks !== undefined && { blocks }), ...(metadata !== undefined && { metadata }) };
}

/** Validates the `blocks` of a message. */
export function readBlocks(core: Core, args: Arguments): Block[] | undefined {
  const given = args.json('blocks', 'invalid_blocks_format');
  if (given === undefined || (Array.isArray(given) && given.length === 0)) return undefined;
  if (!Array.isArray(given)) throw new ApiError('invalid_blocks_format');
  const checked = checkBlocks(given, { surface: 'message', unknownTypes: unknownTypes(core) });
  if (checked.errors !== undefined)
    throw new ApiError('invalid_blocks', {
      errors: checked.errors,
      response_metadata: { messages: checked.errors.map((message) => `[ERROR] ${message}`) },
    });
  return identify(checked.value, () => core.state.newId('b'));
}

function readMetadata(args: Arguments): Metadata | undefined {
  const given = args.json('metadata', 'invalid_metadata_format');
  if (given === undefined) return undefined;
  const parsed = metadataSchema.safeParse(given);
  if (!parsed.success) throw new ApiError('invalid_metadata_format');
  if (Buffer.byteLength(JSON.stringify(given)) > limits.messageMetadataBytes.max)
    throw new ApiError('metadata_too_large');
  return parsed.data;
}

const scopes = ['chat:write'];

/** Finds a visible message of the bot itself. */
function ownMessage(core: Core, args: Arguments, errorIfForeign: string, errorIfArchived: string): Message {
  const channel = findConversation(core, args.required('channel'));
  const message = findMessage(core.state, channel.id, args.required('ts'));
  if (message === undefined || message.onlyFor !== undefined) throw new ApiError('message_not_found');
  if (message.user !== botUserId) throw new ApiError(errorIfForeign);
  if (channel.isArchived === true) throw new ApiError(errorIfArchived);
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
  'chat.postMessage': method('special', scopes, (core, args) => {
    const channel = findDestination(core, args.required('channel'));
    const message = postAsBot(core.state, {
      channel: channel.id,
      ...readContent(core, args),
      ...threadOf(core, args, channel.id),
      ...(args.text('thread_ts') !== undefined && args.flag('reply_broadcast') && { isBroadcast: true }),
    });
    return { channel: channel.id, ts: message.ts, message: messagePayload(message, teamId) };
  }),
  'chat.postEphemeral': method(4, scopes, (core, args) => {
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
  }),
  'chat.update': method(3, scopes, (core, args) => {
    const message = ownMessage(core, args, 'cant_update_message', 'is_inactive');
    const content = readContent(core, args);
    if (Buffer.byteLength(content.text) > limits.updateTextBytes.max) throw new ApiError('msg_too_long');
    const text = args.text('text') ?? message.text;
    changeMessage(core.state, message, { ...content, text, editedTs: core.state.newTs() });
    return { channel: message.channel, ts: message.ts, text: message.text, message: messagePayload(message, teamId) };
  }),
};

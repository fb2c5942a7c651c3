import { z } from 'zod';
import { checkBlocks, identify } from '../block-kit/validate.ts';
import { type Core, unknownTypes } from '../core.ts';
import { limits } from '../limits.ts';
import { changeMessage, findMessage, postAsBot } from '../messages.ts';
import type { Message } from '../model.ts';
import type { ResponseTarget } from '../expiring-handles.ts';

const messageResponseSchema = z.looseObject({
  text: z.string().optional(),
  blocks: z.unknown().optional(),
  response_type: z.enum(['ephemeral', 'in_channel']).optional(),
  replace_original: z.union([z.boolean(), z.stringbool()]).optional(),
  thread_ts: z.string().optional(),
  metadata: z.object({ event_type: z.string(), event_payload: z.record(z.string(), z.unknown()) }).optional(),
});

type MessageResponseResult = { message?: Message; error?: undefined } | { error: string; details?: string[] };

/**
 * Ephemeral unless it says `in_channel`, and in the channel unless it names the thread:
 * https://docs.slack.dev/interactivity/handling-user-interaction#message_responses
 *
 * Applies a message that the app sent in an acknowledgement or to a response URL: posts or replaces.
 * Writes the posted message to `target.originalTs`, so that a later `replace_original` finds it.
 */
export function applyMessageResponse(core: Core, target: ResponseTarget, answer: unknown): MessageResponseResult {
  const parsed = messageResponseSchema.safeParse(typeof answer === 'string' ? { text: answer } : answer);
  if (!parsed.success) return { error: 'invalid_payload' };
  const { data } = parsed;
  const original =
    target.originalTs === undefined ? undefined : findMessage(core.state, target.channel, target.originalTs);
  if ((data.text ?? '') === '' && data.blocks === undefined) return { error: 'no_text' };
  if ((data.text ?? '').length > limits.messageText.max) return { error: 'msg_too_long' };
  const blocks =
    data.blocks === undefined
      ? undefined
      : checkBlocks(data.blocks, { surface: 'message', unknownTypes: unknownTypes(core) });
  if (blocks?.errors !== undefined) return { error: 'invalid_blocks', details: blocks.errors };
  const content = {
    text: data.text ?? '',
    ...(blocks !== undefined && { blocks: identify(blocks.value, () => core.state.newId('b')) }),
    ...(data.metadata !== undefined && { metadata: data.metadata }),
  };
  // Without a word about it, a response to a click in a thread replaces the message with the button.
  const replaces = data.replace_original ?? (target.originalTs !== undefined && target.threadTs !== undefined);
  if (replaces && original !== undefined) {
    changeMessage(core.state, original, content);
    return { message: original };
  }
  const { thread_ts: threadTs } = data;
  const message = postAsBot(core.state, {
    channel: target.channel,
    ...content,
    ...(threadTs !== undefined && { threadTs }),
    ...(data.response_type !== 'in_channel' && { onlyFor: target.user }),
  });
  target.originalTs ??= message.ts;
  return { message };
}

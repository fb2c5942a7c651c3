import type { BlockAction } from '@slack/bolt';
import type { Button, KnownBlock } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { PlatformError } from '../../domain/errors.ts';
import { say } from '../../domain/said.ts';
import { translateSlackError } from '../errors.ts';
import { channelOf } from '../incoming-text.ts';
import { openModal } from '../open-modal.ts';
import type { ResponseTarget } from '../connection/response-url.ts';
import { asWritten } from '../shown-texts.ts';
import { textMessage, type Message } from '../views/blocks/message.ts';
import type { ListenerContext } from './listener-context.ts';

/** Who acted, and the conversation in which they did; without one, answers go to a direct message. */
export interface Origin {
  client: WebClient;
  personId: string;
  responseTarget?: ResponseTarget | undefined;
  /** Where a message stands that Slack gives no response URL for. In a channel, the person alone sees the answer, and Slack does not keep it. */
  place?: { conversationId: string; threadTs?: string } | undefined;
}

/** The message with the button that was clicked; undefined for a button in a view. */
export function clickedMessage(body: BlockAction, replacesOriginal: boolean): ResponseTarget | undefined {
  if (body.view) return undefined;
  const { thread_ts: threadTs, message_ts: messageTs, is_ephemeral: isEphemeral } = body.container;
  return {
    responseUrl: body.response_url,
    replacesOriginal,
    isOriginalPublic: isEphemeral === false,
    ...(typeof threadTs === 'string' && threadTs !== messageTs && { threadTs }),
  };
}

/** The message with the button as people see it, whatever it names; undefined where it has no blocks. */
export function shownMessage({ message }: BlockAction): { text: string; blocks: KnownBlock[] } | undefined {
  const { text = '', blocks } = { ...message };
  if (!Array.isArray(blocks)) return undefined;
  return asWritten({ text, blocks: blocks as KnownBlock[] });
}

/** Answers where the person acted, and leaves the message with the button as it is. */
export async function answerBeside(
  listenerContext: ListenerContext,
  { client, personId, responseTarget, place }: Origin,
  message: Message,
): Promise<void> {
  if (responseTarget) return listenerContext.answerAt({ ...responseTarget, replacesOriginal: false }, message);
  const { text, blocks, plain = blocks, isSecret = false } = message;
  const channel = place?.conversationId ?? (await listenerContext.openDirectMessages(personId));
  const thread = place?.threadTs === undefined ? {} : { thread_ts: place.threadTs };
  if (isSecret || channelOf(channel) !== undefined) {
    await client.chat.postEphemeral({ channel, user: personId, text, blocks: plain, ...thread });
    return;
  }
  await client.chat.postMessage({
    channel,
    text,
    blocks: plain,
    unfurl_links: false,
    unfurl_media: false,
    ...thread,
  });
}

/**
 * Opens a modal. Slack now and then opens none, for example because the trigger arrived too late; the person then gets a
 * message instead of silence.
 *
 * @param options.instead the message
 */
export async function openModalOrAnswer(
  listenerContext: ListenerContext,
  origin: Origin,
  options: Omit<Parameters<typeof openModal>[0], 'client' | 'sleep'> & {
    instead: (error: unknown) => Message | Promise<Message>;
  },
): Promise<void> {
  try {
    await openModal({ ...options, client: origin.client, sleep: listenerContext.sleep });
  } catch (error) {
    const message = await options.instead(error);
    await answerBeside(listenerContext, origin, message);
  }
}

/** Says that a modal did not open, with a button whose click brings a new trigger. */
export function notOpenedMessage(listenerContext: ListenerContext, error: unknown, retry: readonly Button[]): Message {
  const explained = listenerContext.logAndExplain(error);
  const translated = translateSlackError(error);
  const hasExplanation = translated instanceof PlatformError && translated.explanation !== undefined;
  const message = textMessage(
    '⚠️',
    hasExplanation
      ? explained
      : retry.length > 0
        ? say`Slack didn’t open the window. Nothing has changed yet.`
        : say`Slack didn’t open the window. Nothing has changed yet: try again.`,
  );
  return retry.length > 0
    ? { ...message, blocks: [...message.blocks, { type: 'actions', elements: [...retry] }] }
    : message;
}

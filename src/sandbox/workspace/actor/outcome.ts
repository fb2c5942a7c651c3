import { watchdogMs } from '../clock.ts';
import { type Core, unknownTypes } from '../core.ts';
import { changeMessage, findMessage, notify, postAsBot } from '../messages.ts';
import type { Delivery, Message, Person, View } from '../model.ts';
import { lastCalls } from '../state.ts';
import { stackOf } from '../view-stacks.ts';
import { z } from 'zod';
import { checkBlocks, identify } from '../block-kit/validate.ts';
import { limits } from '../limits.ts';
import type { ResponseTarget } from '../expiring-handles.ts';

/** The result of a person's action. */
export interface Outcome {
  /** The request to the bot. Absent when the workspace itself answered. */
  delivery?: Delivery;
  /** The error that the person sees: `operation_timeout`, `dispatch_failed`, … */
  error?: string;
  /** Messages of the bot that this person can see since the action, in this channel or privately. The list grows. */
  readonly replies: readonly Message[];
  /** Waits for the first reply. */
  reply(timeoutMs?: number): Promise<Message>;
  /** Waits until a view opens or changes. */
  view(timeoutMs?: number): Promise<View>;
}

type Watched = Omit<Outcome, 'delivery' | 'error'>;

/** Starts watching what this person sees. Call it before the bot receives the request. */
export function watch(core: Core, userId: string, channelId?: string): Watched {
  const { state } = core;
  const startTs = state.newTs();
  const hashes = new Set(stackOf(state, userId).map((view) => view.hash));
  const isReply = (message: Message): boolean =>
    message.user !== userId &&
    message.ts > startTs &&
    (message.onlyFor === userId ||
      (message.onlyFor === undefined && (message.channel === channelId || message.channel === `D${userId.slice(1)}`)));
  const replies = (): Message[] =>
    [...state.messages.filter(isReply), ...state.ephemerals.all().filter(isReply)].toSorted(
      (a, b) => Number(a.ts) - Number(b.ts),
    );
  const describe = (): string => `no reply arrived in time; ${lastCalls(state)}`;
  return {
    get replies() {
      return replies();
    },
    reply: (timeoutMs = watchdogMs) => state.changes.until(() => replies()[0], timeoutMs, describe),
    view: (timeoutMs = watchdogMs) =>
      state.changes.until(() => stackOf(state, userId).findLast((view) => !hashes.has(view.hash)), timeoutMs, describe),
  };
}

/** Adds the delivery and its error to a watched outcome. */
export function outcomeOf(watched: Watched, delivery?: Delivery, error = delivery?.error): Outcome {
  const outcome: Outcome = watched;
  if (delivery !== undefined) outcome.delivery = delivery;
  if (error !== undefined) outcome.error = error;
  return outcome;
}

/** Shows a person Slack's notice that the app did not respond or sent an invalid response. */
export function showError(core: Core, person: Person, reasons: readonly string[]): void {
  notify(core.state, person.id, `We had some trouble connecting. Try again? (${reasons.join('; ')})`);
}

/** Shows the delivery's error, if any, to the person. */
export function showDeliveryError(core: Core, person: Person, delivery: Delivery): Delivery {
  if (delivery.error !== undefined) showError(core, person, [delivery.error]);
  return delivery;
}

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
 * Applies a message that the app sent in an acknowledgement or to a response URL: posts, replaces or deletes.
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

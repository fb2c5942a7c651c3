import type { Core } from '../core.ts';
import type { Delivery, Message, View } from '../model.ts';
import { lastCalls } from '../state.ts';
import { stackOf } from '../view-stacks.ts';

/** What came of something a person did. */
export interface Outcome {
  /** The request that told the bot; none where the program itself answered. */
  delivery?: Delivery;
  /** What the person is told went wrong: `operation_timeout`, `dispatch_failed`, … */
  error?: string;
  /** What the bot has said to this person since, privately or in this channel; grows. */
  readonly replies: readonly Message[];
  /** Waits for the first of them. */
  reply(timeoutMs?: number): Promise<Message>;
  /** Waits until a view opens, or the one on top changes. */
  view(timeoutMs?: number): Promise<View>;
}

type Watched = Omit<Outcome, 'delivery' | 'error'>;

const patienceMs = 5000;

/** Starts watching, before the bot hears of it, what the bot shows to this person. */
export function watch(core: Core, userId: string, channelId?: string): Watched {
  const { state } = core;
  const startTs = state.newTs();
  const hashes = new Set(stackOf(state, userId).map((view) => view.hash));
  const isReply = (message: Message): boolean =>
    message.user !== userId &&
    message.ts > startTs &&
    (message.onlyFor === userId ||
      (message.onlyFor === undefined && (message.channel === channelId || message.channel === `D${userId.slice(1)}`)));
  const describe = (): string => `nothing came within the time; ${lastCalls(state)}`;
  return {
    get replies() {
      return state.messages.filter(isReply);
    },
    reply: (timeoutMs = patienceMs) => state.changes.until(() => state.messages.find(isReply), timeoutMs, describe),
    view: (timeoutMs = patienceMs) =>
      state.changes.until(() => stackOf(state, userId).findLast((view) => !hashes.has(view.hash)), timeoutMs, describe),
  };
}

/** Adds what became of the delivery. */
export function outcomeOf(watched: Watched, delivery?: Delivery, error = delivery?.error): Outcome {
  const outcome: Outcome = watched;
  if (delivery !== undefined) outcome.delivery = delivery;
  if (error !== undefined) outcome.error = error;
  return outcome;
}

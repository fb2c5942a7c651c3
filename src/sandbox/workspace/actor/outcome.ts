import { watchdogMs } from '../clock.ts';
import type { Core } from '../core.ts';
import { notify } from '../messages.ts';
import type { Delivery, Message, Person, View } from '../model.ts';
import { lastCalls } from '../state.ts';
import { stackOf } from '../view-stacks.ts';

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

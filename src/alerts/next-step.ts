import type { QueueEntry } from '../domain/queue-entry.ts';
import { isPaused, type Subscription } from '../domain/subscription.ts';
import { isStale, type ChannelState, type InFlightMessage, type Thread } from './channel-state.ts';
import { nextMessage, type NextMessage } from './next-message.ts';

/** What a run of a channel's queue does. */
export type Step =
  /** `until`: milliseconds since the epoch; undefined: until something new comes. */
  | { kind: 'wait'; until: number | undefined }
  /** Ask the channel whether a message in flight is there. */
  | { kind: 'resolve-uncertain'; inFlight: InFlightMessage }
  /** Update the head of a thread. */
  | { kind: 'refresh'; key: string; thread: Thread }
  /** Drop entries without a subscription. */
  | { kind: 'discard'; orphans: readonly QueueEntry[] }
  | { kind: 'post'; message: NextMessage };

/** What a step is decided on. */
export interface QueueView {
  state: ChannelState;
  /** Those of the channel. */
  subscriptions: readonly Subscription[];
  now: number;
}

/** A message without an answer may still be on its way into the channel for this long. */
const uncertainGraceMs = 2_000;
/** While submissions keep coming, heads of threads are updated no more often than this. */
const refreshEveryMs = 10_000;

/** Decides the step where it does not depend on entries. */
export function stepBeforeEntries(view: QueueView): Step | undefined {
  const { state: { inFlight, refreshedAt = 0 }, subscriptions, now } = view;
  if (subscriptions.length > 0 && pausedIn(view).length === subscriptions.length) return { kind: 'wait', until: resumesAt(view) };
  if (inFlight) {
    const graceEndsAt = inFlight.startedAt + uncertainGraceMs;
    // A start in the future means that the clock was set back.
    const isInGrace = inFlight.startedAt <= now && now < graceEndsAt;
    return isInGrace ? { kind: 'wait', until: graceEndsAt } : { kind: 'resolve-uncertain', inFlight };
  }
  return now >= refreshedAt + refreshEveryMs ? refreshStep(view) : undefined;
}

/** Decides the step on the first entries, without those of paused subscriptions. */
export function stepForEntries(view: QueueView, entries: readonly QueueEntry[]): Step {
  const { state, subscriptions } = view;
  const orphans = entries.filter(({ subscriptionId }) => !subscriptions.some(({ id }) => id === subscriptionId));
  if (orphans.length > 0) return { kind: 'discard', orphans };
  const message = nextMessage(entries, new Map(subscriptions.map((subscription) => [subscription.id, subscription])), state.threads);
  if (message) return { kind: 'post', message };
  return refreshStep(view) ?? { kind: 'wait', until: resumesAt(view) };
}

export function pausedIn({ subscriptions, now }: QueueView): Subscription[] {
  return subscriptions.filter((subscription) => isPaused(subscription, now));
}

function refreshStep({ state }: QueueView): Step | undefined {
  const stale = Object.entries(state.threads).find(([, thread]) => isStale(thread));
  return stale && { kind: 'refresh', key: stale[0], thread: stale[1] };
}

/** When the first of the pauses ends by itself; undefined where none does. */
function resumesAt(view: QueueView): number | undefined {
  const ends = pausedIn(view).flatMap(({ pause }) => pause?.until ?? []);
  return ends.length === 0 ? undefined : Math.min(...ends);
}

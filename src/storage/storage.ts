import type { Keyv } from 'keyv';

/** A webhook event that was taken; `trusted` when its signature covered the body. */
export interface TakenEvent {
  id: string;
  type: string;
  body: string;
  trusted: boolean;
}

/** Events between the quiz service and Slack. What `remember` has answered survives a crash. */
export interface Inbox {
  /** Keeps the event for delivery. False when its id is known already, delivered or not. */
  remember(event: TakenEvent): Promise<boolean>;
  /** The oldest events that still wait, in the order they came. */
  waiting(limit: number): Promise<TakenEvent[]>;
  countWaiting(): Promise<number>;
  /** The event is dealt with; its id stays known, its body is forgotten. */
  settle(eventId: string): Promise<void>;
}

export interface Storage {
  /** Keyed values with an optional time to live. Throws when the store fails: a lost store must not look like an empty one. */
  keyed<Value>(namespace: string): Keyv<Value>;
  inbox: Inbox;
  /** Rejects when the store cannot be read. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

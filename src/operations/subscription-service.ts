import type { Subscription, SubscriptionSpec } from '../domain/subscription.ts';

export interface SubscriptionState {
  subscription: Subscription;
  /** Submissions that are stored and not posted yet. */
  waiting: number;
}

/** The subscriptions of one workspace, as operations work with them. `closed` explains in plain text why the bot cannot post in the channel, and what to do. */
export interface SubscriptionService {
  /** In the order of their creation. */
  all(): Promise<SubscriptionState[]>;
  /** Subscribes the channel and greets it with a message. A channel in which the bot cannot post is not subscribed. */
  subscribe(spec: SubscriptionSpec, ownerId: string): Promise<{ subscription: Subscription } | { closed: string }>;
  /** Drops what waits. False where the subscription no longer exists. */
  unsubscribe(id: string): Promise<boolean>;
  /** `until`: milliseconds since the epoch; null: until somebody resumes it. False where the subscription no longer exists. */
  pause(id: string, by: string, until: number | null): Promise<boolean>;
  /** Posts what waits. False where the subscription no longer exists. */
  resume(id: string): Promise<boolean>;
  /** Posts a sample alert, marked as a test. */
  test(subscription: Subscription): Promise<{ closed: string } | undefined>;
}

import type { Subscription } from '../domain/subscription.ts';

/** What somebody wishes a channel to hear of. */
export type SubscriptionSpec = Pick<Subscription, 'channelId' | 'quiz' | 'filter' | 'delivery' | 'timeZone' | 'showsNames'>;

/** A subscription and how it is doing. */
export interface SubscriptionState {
  subscription: Subscription;
  /** Submissions that are kept and not posted yet. */
  waiting: number;
}

/** The alerts of one workspace, as operations work with them. */
export interface SubscriptionService {
  /** In the order they were made. */
  all(): Promise<SubscriptionState[]>;
  /** Subscribes the channel, and tells it so in a message; not where the bot cannot post there, with Slack's error. */
  subscribe(spec: SubscriptionSpec, ownerId: string): Promise<{ subscription: Subscription } | { closed: string }>;
  /** What waits is dropped. False where it is not there any more. */
  unsubscribe(id: string): Promise<boolean>;
  /** `until`: milliseconds since the epoch; null: until somebody resumes it. False where it is not there any more. */
  pause(id: string, by: string, until: number | null): Promise<boolean>;
  /** What waits is posted. False where it is not there any more. */
  resume(id: string): Promise<boolean>;
  /** Posts what an alert looks like, marked as a test; Slack's error where the bot cannot post there. */
  test(subscription: Subscription): Promise<{ closed: string } | undefined>;
}

import type { ClosedReason } from './platform.ts';
import type { Subscription, SubscriptionSpec } from '../../domain/subscription.ts';
import type { Language } from '../../words/languages.ts';
import type { LanguageChoice } from '../wording/language-words.ts';

export interface SubscriptionState {
  subscription: Subscription;
  /** Submissions that are stored and not posted yet. */
  waiting: number;
}

interface ClosedChannel {
  closed: string;
}

/** The alerts of one workspace, as operations work with them. */
export interface SubscriptionService {
  /** In the order in which they were made. */
  all(): Promise<SubscriptionState[]>;
  /** Subscribes the channel and posts a message there that says so. Keeps nothing when the bot cannot post there. */
  subscribe(spec: SubscriptionSpec, ownerId: string): Promise<{ subscription: Subscription } | ClosedChannel>;
  /** Drops what waits. False when the subscription is gone. */
  unsubscribe(id: string): Promise<boolean>;
  /** `until`: milliseconds since the epoch; null: until a person resumes it. False when the subscription is gone. */
  pause(id: string, by: string, until: number | null): Promise<boolean>;
  /** Posts what waits. False when the subscription is gone. */
  resume(id: string): Promise<boolean>;
  /** Why the bot cannot post in a channel; undefined where it can, and where the platform does not say. */
  whyClosed(channelId: string): Promise<ClosedReason | undefined>;
  /** Posts an example of an alert, marked as a test. */
  test(subscription: Subscription): Promise<ClosedChannel | undefined>;
}

/** The languages in which the bot posts in the channels of a workspace. */
export interface ChannelLanguages {
  /** Of channels for which nobody chose one. */
  defaultLanguage: Language;
  /** The language of a channel, as it was within a minute; while the store is away, as it was known last. */
  of(channelId: string): Promise<Language>;
  /** @returns what was chosen before */
  choose(channelId: string, language: LanguageChoice): Promise<LanguageChoice>;
}

import { named } from '../../../domain/sentence.ts';
import type { SubscriptionSpec } from '../../../domain/subscription.ts';
import { filterWords, specWords } from '../../../operations/subscription-words.ts';
import { resultsInWords } from '../../../operations/wording/words.ts';

/** What sentences about a subscription name; `channel` in words, such as “this channel”. */
export interface Subscribed {
  channel: string;
  spec: Omit<SubscriptionSpec, 'channelId'>;
}

/** Follows a sentence about a subscription: what becomes of the submissions that were waiting. */
export function waitingInWords(count: number, one: string, many: string): string {
  if (count === 0) return '';
  return count === 1 ? ` The submission ${one}.` : ` The ${count.toLocaleString('en')} submissions ${many}.`;
}

/** Such as “results of ⁨Fire safety⁩: failed only, one message per submission”. */
export function subscribedResults(spec: Subscribed['spec']): string {
  return `${resultsInWords(spec.quiz)}: ${specWords(spec).join(', ')}`;
}

/** What a subscription posts, such as “the daily digest of ⁨Fire safety⁩ (failed only)”. */
export function alertsInWords({ quiz, filter, delivery }: Subscribed['spec']): string {
  const only = filterWords(filter);
  return `${posts(delivery)} ${quiz === null ? 'every quiz' : named(quiz.name)}${only.length === 0 ? '' : ` (${only.join(', ')})`}`;
}

function posts(delivery: SubscriptionSpec['delivery']): string {
  if (delivery.kind === 'each') return 'alerts for';
  if (delivery.kind === 'thread') return 'the daily thread of';
  return delivery.every === 'hour' ? 'the hourly digest of' : 'the daily digest of';
}

/** Follows what a subscription posts; empty for the channel that the person is in. */
export function inWhere({ channel }: Pick<Subscribed, 'channel'>): string {
  return channel === hereWords ? '' : ` in ${channel}`;
}

/** The channel that a person types in, within a sentence. */
export const hereWords = 'this channel';

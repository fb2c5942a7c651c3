import { named } from '../../../domain/sentence.ts';
import type { SubscriptionSpec } from '../../../domain/subscription.ts';
import { specWords } from '../../../operations/subscription-words.ts';
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

/** Such as “⁨Fire safety⁩, failed only, one message per submission”. */
export function alertsInWords(spec: Subscribed['spec']): string {
  return [spec.quiz === null ? 'every quiz' : named(spec.quiz.name), ...specWords(spec)].join(', ');
}

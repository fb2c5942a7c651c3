import { named } from '../../domain/sentence.ts';
import { isPaused, type Subscription } from '../../domain/subscription.ts';
import type { OperationContext } from '../context.ts';
import type { Channel } from '../fields/channel.ts';
import type { NextStep, OperationResult } from '../operation-result.ts';
import { resultsWords } from '../subscription-words.ts';
import type { TextInput } from '../text-input.ts';

/** The answer to a request for a subscription that the channel has. */
export function alreadySubscribed(context: OperationContext, channel: Channel, subscription: Subscription): OperationResult {
  const isPausedNow = isPaused(subscription, context.now());
  return {
    kind: 'done',
    isNoChange: true,
    message: `${capitalized(channelWords(context.channelId, channel))} was already subscribed to ${resultsWords(subscription)}.${isPausedNow ? ' Its alerts are paused.' : ''}`,
    next: isPausedNow ? [nextStep('Resume', 'resume-alerts', subscription)] : [nextStep('Send a test', 'test-alerts', subscription)],
  };
}

export function nextStep(label: string, operation: string, { id }: Subscription, input: TextInput = {}): NextStep {
  return { label, operation, input: { subscription: [id], ...input } };
}

/** @param hereId the channel the person is in, where there is one */
export function channelWords(hereId: string | undefined, { channel_id, channel_name }: Channel): string {
  if (channel_id === hereId) return 'this channel';
  return channel_name === undefined ? 'the channel' : named(`#${channel_name}`);
}

export function placeOf(hereId: string | undefined, { channelId }: Subscription): string {
  return channelWords(hereId, { channel_id: channelId, channel_name: undefined });
}

export function waitingWords(waiting: number): string {
  return waiting === 1 ? 'The submission that was waiting' : `The ${waiting} submissions that were waiting`;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

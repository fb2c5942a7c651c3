import { isPaused, type Subscription } from '../../domain/subscription.ts';
import type { OperationContext } from '../context.ts';
import type { Channel } from '../fields/channel.ts';
import type { NextStep, OperationResult } from '../operation-result.ts';
import type { TextInput } from '../text-input.ts';
import { noChanges } from '../wording/outcomes.ts';
import { channelInWords } from '../wording/words.ts';

/** The answer to a request for a subscription that the channel has. */
export function alreadySubscribed(
  context: OperationContext,
  channel: Channel,
  subscription: Subscription,
): OperationResult {
  const isPausedNow = isPaused(subscription, context.now());
  return {
    kind: 'done',
    isNoChange: true,
    message: noChanges['subscribe-channel']({
      channel: channelWords(context, channel),
      spec: subscription,
      isPaused: isPausedNow,
    }),
    next: [
      isPausedNow
        ? nextStep('Resume', 'resume-alerts', subscription)
        : nextStep('Send a test', 'test-alerts', subscription),
    ],
  };
}

export function nextStep(label: string, operation: string, { id }: Subscription, input: TextInput = {}): NextStep {
  return { label, operation, input: { subscription: [id], ...input } };
}

/** A subscription and its channel, for a sentence. */
export function described(
  context: OperationContext,
  subscription: Subscription,
): { channel: string; spec: Subscription } {
  return {
    channel: channelWords(context, { channel_id: subscription.channelId, channel_name: undefined }),
    spec: subscription,
  };
}

export function channelWords({ channelId }: OperationContext, channel: Channel): string {
  return channel.channel_id === channelId ? 'this channel' : channelInWords(channel);
}

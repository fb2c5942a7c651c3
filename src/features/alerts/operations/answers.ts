import { hereWords } from './alert-words.ts';
import { runStep } from '../../../operations/next-step.ts';
import type { Operation } from '../../../operations/operation.ts';
import type { Subscription } from '../../../domain/subscription.ts';
import type { OperationContext } from '../../../operations/context.ts';
import type { Channel } from '../../../operations/fields/channel.ts';
import type { Step } from '../../../operations/page.ts';
import type { TextInput } from '../../../operations/text-input.ts';
import { channelInWords } from '../../../operations/wording/words.ts';
import { say } from '../../../domain/said.ts';
import type { SubscriptionField } from '../../../operations/fields/subscription.ts';

/** A button that does something to a subscription. */
export function nextStep(label: string, operation: Operation, { id }: Subscription, input: TextInput = {}): Step {
  return runStep(label, operation, { subscription: [id], ...input });
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
  return channel.channel_id === channelId ? hereWords : channelInWords(channel);
}

export const subscriptionField = {
  kind: 'subscription',
  label: 'Subscription',
  hint: 'Its number in the list, or the quiz’s name',
} as const satisfies SubscriptionField;

export const isGone = say`This subscription doesn’t exist any more. /quiz-alerts list shows the current ones.`;

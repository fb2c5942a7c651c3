import { say } from '../../../domain/said.ts';
import type { SubscriptionField } from '../../../operations/fields/subscription.ts';

export const subscriptionField = {
  kind: 'subscription',
  label: 'Subscription',
  hint: 'Its number in the list, or the quiz’s name',
} as const satisfies SubscriptionField;

export const isGone = say`This subscription doesn’t exist any more. /quiz-alerts list shows the current ones.`;

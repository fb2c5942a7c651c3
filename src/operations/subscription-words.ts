import type { Subscription } from '../domain/subscription.ts';

type Described = Pick<Subscription, 'quiz' | 'filter' | 'delivery' | 'timeZone' | 'showsNames'>;

/** A subscription in plain words, on one line: `Fire safety, only failed, a message each`. Not escaped. */
export function subscriptionWords(subscription: Described): string {
  return [subscription.quiz?.name ?? 'Every quiz', ...specWords(subscription)].join(', ');
}

/** The same without the quiz, in parts. */
export function specWords({ filter, delivery, timeZone, showsNames }: Omit<Described, 'quiz'>): string[] {
  return [...filterWords(filter), deliveryWords(delivery, timeZone), ...(showsNames ? [] : ['initials instead of names'])];
}

/** Which submissions, by their result; empty for all. */
export function filterWords(filter: Subscription['filter']): string[] {
  switch (filter.kind) {
    case 'all':
      return [];
    case 'below':
      return [`only below ${filter.percentage} %`];
    case 'grade':
      return [`only grade ${filter.grade}`];
    default:
      return [`only ${filter.kind}`];
  }
}

function deliveryWords(delivery: Subscription['delivery'], timeZone: string): string {
  if (delivery.kind === 'each') return 'a message each';
  if (delivery.kind === 'thread') return `a thread a quiz and day (${timeZone})`;
  return delivery.every === 'hour' ? 'a digest every hour' : `a digest daily at ${delivery.at} (${timeZone})`;
}

import type { Subscription } from '../domain/subscription.ts';

type Described = Pick<Subscription, 'quiz' | 'filter' | 'delivery' | 'timeZone' | 'showsNames'>;

/** A subscription in plain words, on one line: `Fire safety: failed only, one message per submission`. Not escaped. */
export function subscriptionWords(subscription: Described): string {
  return `${subscription.quiz?.name ?? 'Every quiz'}: ${specWords(subscription).join(', ')}`;
}

/** The same without the quiz, in parts. */
export function specWords({ filter, delivery, timeZone, showsNames }: Omit<Described, 'quiz'>): string[] {
  return [
    ...filterWords(filter),
    deliveryWords(delivery, timeZone),
    ...(showsNames ? [] : ['initials instead of names']),
  ];
}

/** Which submissions, by their result; empty for all. */
export function filterWords(filter: Subscription['filter']): string[] {
  switch (filter.kind) {
    case 'all':
      return [];
    case 'below':
      return [`below ${filter.percentage}% only`];
    case 'grade':
      return [`grade ${filter.grade} only`];
    default:
      return [`${filter.kind} only`];
  }
}

function deliveryWords(delivery: Subscription['delivery'], timeZone: string): string {
  if (delivery.kind === 'each') return 'one message per submission';
  if (delivery.kind === 'thread') return `one thread per quiz per day (${zoneWords(timeZone)})`;
  return delivery.every === 'hour' ? 'an hourly digest' : `a daily digest at ${delivery.at} (${zoneWords(timeZone)})`;
}

/** `Europe/Berlin` as “Berlin time”. */
export function zoneWords(timeZone: string): string {
  const [area = '', ...places] = timeZone.split('/');
  const place = places.at(-1);
  return place === undefined || area === 'Etc' ? timeZone : `${place.replaceAll('_', ' ')} time`;
}

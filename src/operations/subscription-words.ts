import type { Subscription } from '../domain/subscription.ts';
import { say, writtenNumber } from '../domain/said.ts';
import { type OutcomeFilter } from '../domain/submission-outcome.ts';

type Described = Pick<Subscription, 'quiz' | 'filter' | 'delivery' | 'timeZone' | 'showsNames'>;

/** A subscription in plain words, on one line: `Fire safety: failed only, one message per submission`. Not escaped. */
export function subscriptionWords(subscription: Described): string {
  return `${subscription.quiz?.name ?? say`Every quiz`}: ${specWords(subscription).join(', ')}`;
}

/** The same without the quiz, in parts. */
export function specWords({ filter, delivery, timeZone, showsNames }: Omit<Described, 'quiz'>): string[] {
  return [
    ...filterWords(filter),
    deliveryWords(delivery, timeZone),
    ...(showsNames ? [] : [say`initials instead of names`]),
  ];
}

/** Which submissions, by their result; empty for all. */
export function filterWords(filter: Subscription['filter']): string[] {
  switch (filter.kind) {
    case 'all':
      return [];
    case 'below':
      return [say`below ${writtenNumber(`${filter.percentage}%`)} only`];
    case 'grade':
      return [say`grade ${filter.grade} only`];
    default:
      return [outcomeOnly[filter.kind]];
  }
}

const outcomeOnly: Readonly<Record<OutcomeFilter, string>> = {
  passed: say`passed only`,
  failed: say`failed only`,
  ungraded: say`ungraded only`,
};

function deliveryWords(delivery: Subscription['delivery'], timeZone: string): string {
  if (delivery.kind === 'each') return say`one message per submission`;
  if (delivery.kind === 'thread') return say`one thread per quiz per day (${zoneWords(timeZone)})`;
  return delivery.every === 'hour'
    ? say`an hourly digest`
    : say`a daily digest at ${delivery.at} (${zoneWords(timeZone)})`;
}

/** `Europe/Berlin` as “Berlin time”. */
export function zoneWords(timeZone: string): string {
  const [area = '', ...places] = timeZone.split('/');
  const place = places.at(-1);
  return place === undefined || area === 'Etc' ? timeZone : say`${place.replaceAll('_', ' ')} time`;
}

import type { Actor } from '../../directory/identity.ts';
import { plainName } from '../../directory/names.ts';
import type { Target } from '../../domain/approval-request.ts';
import { named, say, listed, writtenNumber } from '../../domain/said.ts';
import type { Right } from '../context.ts';
import type { SubscriptionState } from '../services/features.ts';
import { unclear } from '../text-input.ts';
import { unquote } from '../typed-text.ts';
import { channelTarget } from './channel.ts';
import { invalid, valueOf, usualKind, type FieldBase, type FieldKind } from './field-kind.ts';
import type { Subscription } from '../../domain/subscription.ts';
import type { OutcomeFilter } from '../../domain/submission-outcome.ts';

/** A subscription of a channel; left empty, the only one of the channel the person is in. */
export interface SubscriptionField extends FieldBase {
  kind: 'subscription';
}

export const subscriptionKind: FieldKind<SubscriptionField, SubscriptionState> = {
  ...usualKind,
  followsFromPlace: true,
  async resolve([text = ''], _field, { alerts, isChange, ...place }) {
    const typed = unquote(text);
    const found = findSubscription(visibleSubscriptions(await alerts.all(), place), typed, place.channelId);
    if ('message' in found) return invalid(found.message);
    const { fitting, isNumbered } = found;
    const [first, ...others] = fitting;
    // The list can have changed since the person read it.
    if (first !== undefined && others.length === 0 && !(isNumbered && isChange)) return valueOf(first);
    const candidates = fitting.map(({ subscription }) => ({
      value: subscription.id,
      label: subscriptionWords(subscription),
    }));
    return unclear(typed, 'subscription', candidates);
  },
  identify: ({ subscription }) => [subscription.id],
  narrow: async (text, _field, { limit, alerts, ...place }) =>
    visibleSubscriptions(await alerts.all(), place)
      .filter((state) => plainName(subscriptionWords(state.subscription)).includes(plainName(text)))
      .slice(0, limit),
  describe: (state) => listed(targetsOf(state).map(({ name }) => name)),
  targets: targetsOf,
};

/**
 * The subscriptions that a person may see and change, in the order of the list: those of the channel they are in,
 * their own of other channels, and for administrators all the others.
 */
export function visibleSubscriptions(
  all: readonly SubscriptionState[],
  { actor, rights, channelId }: { actor: Actor; rights: ReadonlySet<Right>; channelId: string | undefined },
): SubscriptionState[] {
  const place = ({ subscription }: SubscriptionState) => {
    if (subscription.channelId === channelId) return 'here';
    if (subscription.ownerId === actor.personId) return 'own';
    return rights.has('administrator') ? 'other' : 'hidden';
  };
  const placed = Map.groupBy(all, place);
  return [...(placed.get('here') ?? []), ...(placed.get('own') ?? []), ...(placed.get('other') ?? [])];
}

/** The subscriptions with an id, a number in the list or a quiz's name; all those of the channel when nothing is typed. At least one. */
export function findSubscription(
  visible: readonly SubscriptionState[],
  typed: string,
  channelId: string | undefined,
): { fitting: SubscriptionState[]; isNumbered?: true } | { message: string } {
  const here = visible.filter(({ subscription }) => subscription.channelId === channelId);
  if (typed === '')
    return here.length > 0
      ? { fitting: here }
      : { message: say`This channel has no subscriptions. /quiz-alerts list shows yours in other channels.` };

  const byId = visible.find(({ subscription }) => subscription.id === typed);
  if (byId) return { fitting: [byId] };

  const [, number] = /^#?(\d{1,4})$/.exec(typed) ?? [];
  const byNumber = visible[Number(number) - 1];
  if (byNumber) return { fitting: [byNumber], isNumbered: true };

  const fitting = [here, visible].map((some) => subscriptionsNamed(some, typed)).find((some) => some.length > 0);
  return fitting
    ? { fitting }
    : { message: say`There’s no subscription ${named(typed)}. /quiz-alerts list shows them with their numbers.` };
}

function subscriptionsNamed(states: readonly SubscriptionState[], typed: string): SubscriptionState[] {
  const wanted = plainName(typed);
  if (wanted === 'all' || wanted === 'every quiz')
    return states.filter(({ subscription }) => subscription.quiz === null);
  const nameOf = ({ subscription }: SubscriptionState) => plainName(subscription.quiz?.name ?? '');
  const exactly = states.filter((state) => nameOf(state) === wanted);
  return exactly.length > 0 ? exactly : states.filter((state) => nameOf(state).includes(wanted));
}

/** The subscription and its channel. */
function targetsOf({ subscription }: SubscriptionState): Target[] {
  return [
    { kind: 'subscription', id: subscription.id, name: subscriptionWords(subscription), facts: {} },
    channelTarget({ channel_id: subscription.channelId, channel_name: undefined }),
  ];
}

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

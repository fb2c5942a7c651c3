import type { Actor } from '../../directory/identity.ts';
import { plainName } from '../../directory/names.ts';
import type { Target } from '../../domain/approval-request.ts';
import { named } from '../../domain/sentence.ts';
import type { Right } from '../context.ts';
import type { SubscriptionState } from '../services/alerts.ts';
import { subscriptionWords } from '../subscription-words.ts';
import { unquote } from '../typed-text.ts';
import { channelTarget } from './channel.ts';
import { invalid, valueOf, type FieldBase, type FieldKind, usualKind } from './field-kind.ts';
import { say, listed } from '../../domain/said.ts';

/** A subscription of a channel; left empty, the only one of the channel the person is in. */
export interface SubscriptionField extends FieldBase {
  kind: 'subscription';
}

export const subscriptionKind: FieldKind<SubscriptionField, SubscriptionState> = {
  ...usualKind,
  followsFromPlace: true,
  split: (typed) => [unquote(typed)],
  async resolve([text = ''], _field, { alerts, ...place }) {
    const typed = unquote(text);
    const found = findSubscription(visibleSubscriptions(await alerts.all(), place), typed, place.channelId);
    if ('message' in found) return invalid(found.message);
    const { fitting } = found;
    const [first, ...others] = fitting;
    if (first !== undefined && others.length === 0) return valueOf(first);
    const candidates = fitting.map(({ subscription }) => ({
      value: subscription.id,
      label: subscriptionWords(subscription),
    }));
    return { kind: 'unclear', index: 0, typed, noun: 'subscription', candidates, count: fitting.length, isAlike: true };
  },
  identify: ({ subscription }) => [subscription.id],
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
): { fitting: SubscriptionState[] } | { message: string } {
  const here = visible.filter(({ subscription }) => subscription.channelId === channelId);
  if (typed === '')
    return here.length > 0
      ? { fitting: here }
      : { message: say`This channel has no subscriptions. /quiz-alerts list shows yours in other channels.` };

  const byId = visible.find(({ subscription }) => subscription.id === typed);
  if (byId) return { fitting: [byId] };

  const [, number] = /^#?(\d{1,4})$/.exec(typed) ?? [];
  const byNumber = visible[Number(number) - 1];
  if (byNumber) return { fitting: [byNumber] };

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

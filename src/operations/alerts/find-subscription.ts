import type { Actor } from '../../directory/identity.ts';
import { plainName } from '../../directory/names.ts';
import type { SubscriptionState } from '../subscription-service.ts';
import type { Right } from '../operation.ts';

/**
 * What the person may see and change, in the order of the list: what their channel hears of, what they own
 * elsewhere, and for administrators all the rest.
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

/** Those that are meant by what was typed: an id, a number in the list, a quiz's name; nothing typed: those of the channel. At least one. */
export function findSubscription(
  visible: readonly SubscriptionState[],
  typed: string,
  channelId: string | undefined,
): { fitting: SubscriptionState[] } | { message: string } {
  const isHere = ({ subscription }: SubscriptionState) => subscription.channelId === channelId;
  const here = visible.filter(isHere);
  if (typed === '') return here.length > 0 ? { fitting: here } : { message: 'Nothing is subscribed here. /quiz-alerts list shows what is elsewhere, with a number each.' };

  const byId = visible.find(({ subscription }) => subscription.id === typed);
  if (byId) return { fitting: [byId] };

  const [, number] = /^#?(\d{1,4})$/.exec(typed) ?? [];
  const byNumber = visible[Number(number) - 1];
  if (byNumber) return { fitting: [byNumber] };

  const fitting = [here, visible].map((some) => named(some, typed)).find((some) => some.length > 0);
  return fitting ? { fitting } : { message: `No alerts are called “${typed}”. /quiz-alerts list shows them with their numbers.` };
}

function named(states: readonly SubscriptionState[], typed: string): SubscriptionState[] {
  const wanted = plainName(typed);
  if (wanted === 'all' || wanted === 'every quiz') return states.filter(({ subscription }) => subscription.quiz === null);
  const nameOf = ({ subscription }: SubscriptionState) => plainName(subscription.quiz?.name ?? '');
  const exactly = states.filter((state) => nameOf(state) === wanted);
  return exactly.length > 0 ? exactly : states.filter((state) => nameOf(state).includes(wanted));
}

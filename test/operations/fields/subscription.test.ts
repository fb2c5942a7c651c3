import { describe, expect, test } from 'vitest';
import { named } from '../../../src/domain/sentence.ts';
import { findSubscription, visibleSubscriptions } from '../../../src/operations/fields/subscription.ts';
import type { Right } from '../../../src/operations/context.ts';
import { subscription } from '../../support/builders/alerts.ts';

const all = [
  { id: 'other', channelId: 'C2', ownerId: 'U2', quiz: { id: 'q-1', name: 'Fire safety' } },
  { id: 'own', channelId: 'C2', ownerId: 'U1', quiz: { id: 'q-2', name: 'First aid' } },
  { id: 'here', channelId: 'C1', ownerId: 'U2', quiz: { id: 'q-3', name: 'Première urgence' } },
  { id: 'here-too', channelId: 'C1', ownerId: null, quiz: null },
].map((overrides) => ({ subscription: subscription(overrides), waiting: 0 }));

const seenBy = (rights: Right[], channelId = 'C1') =>
  visibleSubscriptions(all, {
    actor: { personId: 'U1', isOwner: false, user: undefined, nobody: undefined },
    rights: new Set(rights),
    channelId,
  });
const find = (typed: string, { rights = [], channelId = 'C1' }: { rights?: Right[]; channelId?: string } = {}) => {
  const found = findSubscription(seenBy(rights, channelId), typed, channelId);
  return 'message' in found ? found.message : found.fitting.map((state) => state.subscription.id);
};

test('lists the subscriptions of the channel, then the person’s own in other channels, and all for an administrator', () => {
  expect(seenBy([]).map((state) => state.subscription.id)).toEqual(['here', 'here-too', 'own']);
  expect(seenBy(['administrator']).map((state) => state.subscription.id)).toEqual(['here', 'here-too', 'own', 'other']);
});

describe('a subscription is found', () => {
  test.each([
    ['', ['here', 'here-too']],
    ['1', ['here']],
    ['#3', ['own']],
    ['own', ['own']],
    ['premiere', ['here']],
    ['first', ['own']],
    ['all', ['here-too']],
  ])('by “%s”', (typed, ids) => {
    expect(find(typed)).toEqual(ids);
  });

  test('by its id in any channel, but only by its owner and administrators', () => {
    expect(find('own', { channelId: 'D9' })).toEqual(['own']);
    expect(find('other', { channelId: 'D9', rights: ['administrator'] })).toEqual(['other']);
    expect(find('other', { channelId: 'D9' })).toContain(`There’s no subscription ${named('other')}`);
  });

  test('in no channel without subscriptions', () => {
    expect(find('', { channelId: 'C3' })).toContain('This channel has no subscriptions');
  });

  test('by no number beyond the list', () => {
    expect(find('4')).toContain(`There’s no subscription ${named('4')}`);
    expect(find('0')).toContain(`There’s no subscription ${named('0')}`);
  });
});

import { describe, expect, test } from 'vitest';
import { subscription } from '../../support/builders/alerts.ts';
import type { OpenedStore } from './opened-store.ts';

export function subscriptionsCases(store: OpenedStore): void {
  const subscriptions = () => store.storage().subscriptions;

  describe('subscriptions', () => {
    test('are stored by workspace, across a restart, in the order of creation', async () => {
      const [first, second, third] = [1, 2, 3].map((createdAt) =>
        subscription({ id: `s-${4 - createdAt}`, createdAt }),
      );
      const full = subscription({
        id: 's-9',
        teamId: 'T2',
        ownerId: null,
        quiz: { id: 'q-1', name: 'Fire “safety” Ω' },
        filter: { kind: 'below', percentage: 49.5 },
        delivery: { kind: 'digest', every: 'day', at: '08:30' },
        timeZone: 'Europe/Berlin',
        showsNames: false,
        pause: { since: 1, until: null, by: null, code: 'is_archived', isOwnerNotified: false },
      });
      for (const one of [third!, first!, full, second!]) await subscriptions().add(one);
      await store.restart();
      expect(await subscriptions().all('T1')).toEqual([first, second, third]);
      expect(await subscriptions().all('T2')).toEqual([full]);
      expect(await subscriptions().all('T3')).toEqual([]);
    });

    test('do not change when they are added again', async () => {
      await subscriptions().add(subscription({ showsNames: false }));
      await subscriptions().add(subscription({ showsNames: true }));
      expect(await subscriptions().all('T1')).toEqual([subscription({ showsNames: false })]);
    });

    test('can be paused and resumed without other changes', async () => {
      await subscriptions().add(subscription({ id: 's-1' }));
      await subscriptions().add(subscription({ id: 's-2' }));
      const pause = { since: 1_000, until: 2_000, by: 'U00000ADA' };
      expect(await subscriptions().setPause('T1', 's-1', pause)).toBe(true);
      expect(await subscriptions().all('T1')).toEqual([
        subscription({ id: 's-1', pause }),
        subscription({ id: 's-2' }),
      ]);
      expect(await subscriptions().setPause('T1', 's-1', null)).toBe(true);
      expect(await subscriptions().all('T1')).toEqual([subscription({ id: 's-1' }), subscription({ id: 's-2' })]);
    });

    test('are not recreated by a pause after their removal', async () => {
      await subscriptions().add(subscription());
      expect(await subscriptions().remove('T2', 's-1')).toBe(false);
      expect(await subscriptions().remove('T1', 's-1')).toBe(true);
      expect(await subscriptions().remove('T1', 's-1')).toBe(false);
      expect(await subscriptions().setPause('T1', 's-1', null)).toBe(false);
      expect(await subscriptions().all('T1')).toEqual([]);
    });

    test('are removed once by concurrent attempts', async () => {
      await subscriptions().add(subscription());
      const tries = await Promise.all(Array.from({ length: 10 }, () => subscriptions().remove('T1', 's-1')));
      expect(tries.filter(Boolean)).toHaveLength(1);
    });
  });
}

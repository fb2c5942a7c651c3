import { describe, expect, test } from 'vitest';
import type { OpenedStore } from './opened-store.ts';

export function talliesCases(store: OpenedStore): void {
  const counters = () => store.storage().counters;

  describe('counters', () => {
    test('add up by name and field, with concurrent writers and across a restart', async () => {
      await Promise.all(Array.from({ length: 50 }, () => counters().add('webhooks', { taken: 1, refused: 2 })));
      await counters().add('other', { taken: 7 });
      await store.restart();
      await counters().add('webhooks', { taken: 1, 'refused: too old': 1 });
      await counters().add('webhooks', {});
      expect(await counters().of('webhooks')).toEqual({ taken: 51, refused: 100, 'refused: too old': 1 });
      expect(await counters().of('other')).toEqual({ taken: 7 });
      expect(await counters().of('none')).toEqual({});
    });

    test('can be raised to a greater number, but not lowered', async () => {
      const now = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
      await Promise.all([now, now + 2, now + 1].map((time) => counters().raise('webhooks', 'last', time)));
      expect(await counters().of('webhooks')).toEqual({ last: now + 2 });
      await counters().raise('webhooks', 'last', 5);
      expect(await counters().of('webhooks')).toEqual({ last: now + 2 });
    });
  });
}

import { describe, expect, test } from 'vitest';
import type { OpenedStore } from './opened-store.ts';

export function talliesCases(store: OpenedStore): void {
  const tallies = () => store.storage().tallies;

  describe('tallies', () => {
    test('add up by name and field, whoever counts at the same time, over a restart', async () => {
      await Promise.all(Array.from({ length: 50 }, () => tallies().add('webhooks', { taken: 1, refused: 2 })));
      await tallies().add('other', { taken: 7 });
      await store.restart();
      await tallies().add('webhooks', { taken: 1, 'refused: too old': 1 });
      await tallies().add('webhooks', {});
      expect(await tallies().of('webhooks')).toEqual({ taken: 51, refused: 100, 'refused: too old': 1 });
      expect(await tallies().of('other')).toEqual({ taken: 7 });
      expect(await tallies().of('none')).toEqual({});
    });

    test('are raised to a greater number, and never lowered', async () => {
      const now = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
      await Promise.all([now, now + 2, now + 1].map((time) => tallies().raise('webhooks', 'last', time)));
      expect(await tallies().of('webhooks')).toEqual({ last: now + 2 });
      await tallies().raise('webhooks', 'last', 5);
      expect(await tallies().of('webhooks')).toEqual({ last: now + 2 });
    });
  });
}

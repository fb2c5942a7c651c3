import { describe, expect, test } from 'vitest';
import type { OpenedStore } from './opened-store.ts';

export function keyedValuesCases(store: OpenedStore): void {
  describe('key-value pairs', () => {
    test('are stored by namespace, across a restart', async () => {
      await store.storage().kv('plans').set('key', { n: 1 });
      await store.storage().kv('batch-rows').set('key', { n: 2 });
      await store.restart();
      expect(await store.storage().kv('plans').get('key')).toEqual({ n: 1 });
      expect(await store.storage().kv('batch-rows').get('key')).toEqual({ n: 2 });
      expect(await store.storage().kv('plans').get('missing')).toBeUndefined();
    });

    test('are cleared by namespace, even if its name is a prefix of another', async () => {
      const [one, oneMore] = [store.storage().kv('plans'), store.storage().kv('plans-more' as 'plans')];
      await one.set('key', 1);
      await oneMore.set('key', 2);
      await one.clear();
      expect(await one.get('key')).toBeUndefined();
      expect(await oneMore.get('key')).toBe(2);
    });
  });
}

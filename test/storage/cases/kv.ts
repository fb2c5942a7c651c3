import { describe, expect, test } from 'vitest';
import type { OpenedStore } from './opened-store.ts';

export function keyedValuesCases(store: OpenedStore): void {
  describe('key-value pairs', () => {
    test('are stored by namespace, across a restart', async () => {
      await store.storage().kv('one').set('key', { n: 1 });
      await store.storage().kv('two').set('key', { n: 2 });
      await store.restart();
      expect(await store.storage().kv('one').get('key')).toEqual({ n: 1 });
      expect(await store.storage().kv('two').get('key')).toEqual({ n: 2 });
      expect(await store.storage().kv('one').get('missing')).toBeUndefined();
    });

    test('are cleared by namespace, even if its name is a prefix of another', async () => {
      const [one, oneMore] = [store.storage().kv('one'), store.storage().kv('one-more')];
      await one.set('key', 1);
      await oneMore.set('key', 2);
      await one.clear();
      expect(await one.get('key')).toBeUndefined();
      expect(await oneMore.get('key')).toBe(2);
    });
  });
}

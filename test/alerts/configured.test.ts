import { describe, expect, test } from 'vitest';
import { createWithConfigured } from '../../src/alerts/configured.ts';
import { createMemorySubscriptions } from '../support/memory-subscriptions.ts';
import { subscription } from '../support/builders/alerts.ts';

describe('the channel that the configuration names', () => {
  const setUp = (channelId: string | undefined, store = createMemorySubscriptions([subscription({ id: 's-1' })])) => ({
    store,
    all: createWithConfigured({ store, channelId, timeZone: 'UTC', now: () => 7 }),
  });

  test('hears of every submission from its first day on, beside what people subscribed', async () => {
    const { all } = setUp('C0RESULTS');
    const [, configured] = await all('T1');
    expect(configured).toMatchObject({ id: 'configured', channelId: 'C0RESULTS', ownerId: null, quiz: null, filter: { kind: 'all' }, delivery: { kind: 'each' }, createdAt: 7 });
    expect(await all('T1')).toHaveLength(2);
  });

  test('stays paused over a restart', async () => {
    const { all, store } = setUp('C0RESULTS');
    await all('T1');
    await store.setPause('T1', 'configured', { since: 8, until: null, by: 'U1' });
    expect((await setUp('C0RESULTS', store).all('T1')).at(-1)?.pause?.by).toBe('U1');
  });

  test('is another one, or none, when the configuration says so', async () => {
    const { all, store } = setUp('C0RESULTS');
    await all('T1');
    expect((await setUp('C0OTHER', store).all('T1')).map(({ channelId }) => channelId)).toEqual(['C1', 'C0OTHER']);
    expect((await setUp(undefined, store).all('T1')).map(({ id }) => id)).toEqual(['s-1']);
  });
});

import { describe, expect, test } from 'vitest';
import { createPausing } from '../../src/alerts/pausing.ts';
import type { Subscription } from '../../src/domain/subscription.ts';
import { queueEntry, subscription } from '../support/builders/alerts.ts';
import { recordingLog } from '../support/log.ts';
import { createMemoryOutbox } from '../support/memory-outbox.ts';
import { createMemorySubscriptions } from '../support/memory-subscriptions.ts';

async function setUp(subscriptions: Subscription[], tell: (personId: string, text: string) => void = () => {}) {
  const store = createMemorySubscriptions(subscriptions);
  const outbox = createMemoryOutbox();
  await outbox.fanOut([{ eventId: 'e', entries: subscriptions.map(({ id }) => queueEntry({ subscriptionId: id, at: 1 })) }]);
  const pausing = createPausing({
    store,
    outbox,
    subscriptions: (teamId) => store.all(teamId),
    tell: async (personId, message) => tell(personId, JSON.stringify(message)),
    administrators: async () => ['U0ADA', 'U0EVE'],
    log: recordingLog().log,
    now: () => 50,
  });
  return { ...pausing, store, outbox };
}

describe('a channel that Slack does not let the bot post in', () => {
  test('has its subscriptions paused, and each owner is told once how to go on', async () => {
    const told: [string, string][] = [];
    const { pauseChannel, notifyOwners, store } = await setUp(
      [subscription({ id: 's-1', ownerId: 'U0TOM' }), subscription({ id: 's-2', ownerId: null }), subscription({ id: 's-3', channelId: 'C2' })],
      (...one) => told.push(one),
    );
    await pauseChannel('T1', 'C1', 'not_in_channel');
    await notifyOwners('T1');
    expect(told.map(([personId]) => personId)).toEqual(['U0TOM', 'U0ADA', 'U0EVE']);
    expect(told[0]?.[1]).toMatch(/invite/i);
    const pause = { since: 50, until: null, by: null, code: 'not_in_channel', isOwnerNotified: true };
    expect((await store.all('T1')).map((one) => one.pause)).toEqual([pause, pause, null]);
  });

  test('leaves it to a person who paused a subscription to resume it', async () => {
    const pause = { since: 1, until: null, by: 'U0TOM' };
    const { pauseChannel, store } = await setUp([subscription({ pause })]);
    await pauseChannel('T1', 'C1', 'is_archived');
    expect((await store.all('T1'))[0]?.pause).toEqual(pause);
  });

  test('tells an owner later who could not be told', async () => {
    let isAway = true;
    const told: string[] = [];
    const { pauseChannel, notifyOwners } = await setUp([subscription({ ownerId: 'U0TOM' })], (personId) => {
      if (isAway) throw new Error('Slack is away');
      told.push(personId);
    });
    await pauseChannel('T1', 'C1', 'is_archived');
    isAway = false;
    await notifyOwners('T1');
    await notifyOwners('T1');
    expect(told).toEqual(['U0TOM']);
  });

  test('tells the owner of a digest how much waits, in the channel and for the next digest', async () => {
    const told: string[] = [];
    const { pauseChannel, outbox } = await setUp([subscription({ id: 's-1', ownerId: 'U0TOM', delivery: { kind: 'digest', every: 'hour' } })], (_slackId, text) => told.push(text));
    const collected = queueEntry({ queue: 'digest/T1/s-1', at: 2 });
    await outbox.fanOut([{ eventId: 'f', entries: [collected, collected] }]);
    await pauseChannel('T1', 'C1', 'is_archived');
    expect(told[0]).toContain('3 submissions');
  });
});

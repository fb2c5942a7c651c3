import { inEnglish } from '../../../src/domain/said.ts';
import { createPausing } from '../../../src/features/alerts/subscriptions.ts';
import { describe, expect, test } from 'vitest';
import type { Subscription } from '../../../src/domain/subscription.ts';
import { recordingLog } from '../../support/log.ts';
import { createMemoryChannel, platformError } from '../../support/memory-channel.ts';
import { createMemoryMail, createMemoryOutbox, createMemorySubscriptions } from '../../support/memory-outbox.ts';
import { queueEntry, subscription } from '../../support/builders/alerts.ts';

async function setUp(...subscriptions: Subscription[]) {
  const store = createMemorySubscriptions(subscriptions);
  const outbox = createMemoryOutbox();
  outbox.putNow(subscriptions.map(({ id }) => queueEntry({ subscriptionId: id, at: 1 })));
  const { channel, direct, fates } = createMemoryChannel();
  const { log, lines } = recordingLog();
  const unnotified: string[] = [];
  const wakes: string[] = [];
  const pausing = createPausing({
    store,
    outbox,
    mail: createMemoryMail(outbox, (queue) => wakes.push(queue)),
    subscriptions: async (teamId) => store.all(teamId),
    channel,
    administrators: async () => ['U0ADA', 'U0EVE'],
    onNobodyNotified: async ({ id }) => void unnotified.push(id),
    log,
    now: () => 50,
  });
  const pauses = async () => (await store.all('T1')).map(({ pause }) => pause);
  /** Pauses a channel, and lets the owners be told, as the queue of pauses does. */
  const pauseAndTell = async (...where: Parameters<typeof pausing.pauseChannel>) => {
    await pausing.pauseChannel(...where);
    await pausing.notifyOwners('T1');
  };
  return {
    ...pausing,
    pauseAndTell,
    store,
    outbox,
    direct,
    fates,
    pauses,
    lines,
    unnotified,
    wakes,
    notified: () => direct.map(({ personId }) => personId),
  };
}

const byBot = { since: 50, until: null, by: null, code: 'not_in_channel' };

describe('channels that refuse at the same moment', () => {
  test('have one run tell their owner, once for each', async () => {
    const ids = ['1', '2', '3', '4', '5'];
    const { pauseChannel, notifyOwners, wakes, direct, notified } = await setUp(
      ...ids.map((id) => subscription({ id: `s-${id}`, channelId: `C${id}`, ownerId: 'U0TOM' })),
    );
    await Promise.all(ids.map(async (id) => pauseChannel('T1', `C${id}`, 'not_in_channel')));
    expect([notified(), new Set(wakes)]).toEqual([[], new Set(['pauses'])]);
    await notifyOwners('T1');
    await notifyOwners('T1');
    expect(notified()).toEqual(ids.map(() => 'U0TOM'));
    expect(direct.map(({ announcement }) => announcement)).toMatchObject(
      ids.map((id) => ({ note: { steps: [{ input: { subscription: [`s-${id}`] } }] } })),
    );
  });
});

describe('a channel that the platform does not let the bot post in', () => {
  test('has its subscriptions paused, and each owner is notified once', async () => {
    const { pauseChannel, notifyOwners, notified, pauses, direct, lines } = await setUp(
      subscription({ id: 's-1', ownerId: 'U0TOM' }),
      subscription({ id: 's-2', ownerId: null }),
      subscription({ id: 's-3', channelId: 'C2' }),
      subscription({ id: 's-4', teamId: 'T2' }),
    );
    await pauseChannel('T1', 'C1', 'not_in_channel');
    await notifyOwners('T1');
    expect(notified()).toEqual(['U0TOM', 'U0ADA', 'U0EVE']);
    const { announcement } = direct[0]!;
    expect(inEnglish(JSON.stringify(announcement))).toMatch(/are paused: not_in_channel.*1 is waiting.*"s-1"/);
    expect(await pauses()).toEqual([{ ...byBot, isOwnerNotified: true }, { ...byBot, isOwnerNotified: true }, null]);
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      {
        level: 'error',
        channel: 'C1',
        subscription: 's-1',
        code: 'not_in_channel',
        msg: 'alerts are paused: the bot cannot post in the channel',
      },
      { level: 'error', subscription: 's-2' },
    ]);
  });

  test('leaves it to a person who paused a subscription to resume it', async () => {
    const pause = { since: 1, until: null, by: 'U0TOM' };
    const { pauseChannel, pauses, notified } = await setUp(subscription({ pause }));
    await pauseChannel('T1', 'C1', 'is_archived');
    expect([await pauses(), notified()]).toEqual([[pause], []]);
  });

  test('is announced later to an owner who cannot be reached now', async () => {
    const { pauseAndTell, notifyOwners, notified, fates, pauses, lines } = await setUp(
      subscription({ ownerId: 'U0TOM' }),
      subscription({ id: 's-2', ownerId: 'U0EVE' }),
    );
    fates.sendDirect.push(platformError('unclear'));
    await pauseAndTell('T1', 'C1', 'not_in_channel');
    expect([notified(), await pauses()]).toEqual([
      ['U0EVE'],
      [
        { ...byBot, isOwnerNotified: false },
        { ...byBot, isOwnerNotified: true },
      ],
    ]);
    expect(JSON.parse(lines[2]!)).toMatchObject({
      level: 'warn',
      subscription: 's-1',
      error: { name: 'PlatformError' },
      msg: 'the owner of paused alerts is not notified yet',
    });
    await notifyOwners('T1');
    await notifyOwners('T1');
    expect(notified()).toEqual(['U0EVE', 'U0TOM']);
  });

  test('is announced to the other administrators, and once, where one of them has left', async () => {
    const { pauseChannel, notifyOwners, notified, fates, lines } = await setUp(subscription({ ownerId: null }));
    fates.sendDirect.push(platformError('closed', { code: 'user_disabled' }));
    await pauseChannel('T1', 'C1', 'not_in_channel');
    await notifyOwners('T1');
    expect(notified()).toEqual(['U0EVE']);
    expect(JSON.parse(lines[1]!)).toMatchObject({
      level: 'error',
      person: 'U0ADA',
      error: { code: 'user_disabled' },
      msg: 'a person cannot be notified of paused alerts',
    });
  });

  test('is counted where nobody could be notified', async () => {
    const { pauseChannel, notifyOwners, unnotified, fates } = await setUp(
      subscription({ id: 's-1' }),
      subscription({ id: 's-2' }),
    );
    fates.sendDirect.push(platformError('closed', { code: 'user_disabled' }));
    await pauseChannel('T1', 'C1', 'not_in_channel');
    await notifyOwners('T1');
    expect(unnotified).toEqual(['s-1']);
  });

  test('is announced to the owner of a digest with what waits in the channel and for the next digest', async () => {
    const { pauseAndTell, outbox, direct } = await setUp(subscription({ delivery: { kind: 'digest', every: 'hour' } }));
    const collected = queueEntry({ queue: 'digest/T1/s-1', at: 2 });
    outbox.putNow([collected, collected]);
    await pauseAndTell('T1', 'C1', 'is_archived');
    expect(inEnglish(JSON.stringify(direct[0]))).toContain('and 3 are waiting');
  });
});

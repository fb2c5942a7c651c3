import { describe, expect, test } from 'vitest';
import type { AlertsDesk, Wish } from '../../../src/operations/subscription-service.ts';
import { subscribeChannel } from '../../../src/operations/alerts/alerts.ts';
import { InvalidInputError, type World } from '../../../src/operations/operation.ts';
import type { Subscription } from '../../../src/domain/subscription.ts';
import { subscription } from '../../support/subscription.ts';

const channel = { channel_id: 'C1', channel_name: 'training' };

/** A desk at which somebody with a zone in Slack wishes for something. */
function setUp({ kept = [], timeZone }: { kept?: Subscription[]; timeZone?: string | undefined } = {}) {
  const wishes: Wish[] = [];
  const alerts: Partial<AlertsDesk> = {
    all: async () => kept.map((one) => ({ subscription: one, waiting: 0 })),
    async subscribe(wish, ownerId) {
      wishes.push(wish);
      return { subscription: subscription({ ...wish, ownerId }) };
    },
  };
  const actor = { slackId: 'U1', isOwner: false, user: undefined, nobody: undefined, timeZone };
  const world = { alerts, actor, timeZone: 'Asia/Tokyo', channelId: 'C1' } as Partial<World> as World;
  return { wishes, run: (input: Record<string, string | string[]>) => subscribeChannel.run(world, { channel, ...input }) };
}

describe('the zone of a digest', () => {
  test.each([
    ['that was typed, as Intl writes it', 'europe/berlin', 'America/Lima', 'Europe/Berlin'],
    ['of the person in Slack', undefined, 'America/Lima', 'America/Lima'],
    ['of the bot, where Slack names one that does not exist', undefined, 'Mars/Olympus', 'Asia/Tokyo'],
    ['of the bot, where Slack names none', undefined, undefined, 'Asia/Tokyo'],
  ])('is the one %s', async (_, typed, inSlack, zone) => {
    const { run, wishes } = setUp({ timeZone: inSlack });
    const result = await run({ how: 'daily', at: '8:30', ...(typed && { time_zone: typed }) });
    expect(wishes).toEqual([{ channelId: 'C1', quiz: null, which: { kind: 'all' }, how: { kind: 'digest', every: 'day', at: '08:30' }, timeZone: zone, showsNames: true }]);
    expect(result).toMatchObject({ kind: 'done', sentence: expect.stringContaining(`08:30 (${zone})`) });
  });
});

describe('a channel', () => {
  const twenty = Array.from({ length: 20 }, (_, index) => subscription({ id: `s-${index}`, which: { kind: 'below', percentage: index + 1 } }));

  test('hears of 20 wishes at most', async () => {
    const { run, wishes } = setUp({ kept: twenty });
    await expect(run({ how: 'each' })).rejects.toThrow('at most 20');
    expect(wishes).toEqual([]);
  });

  test('may hear of more where others do', async () => {
    const { run, wishes } = setUp({ kept: twenty.map((one) => ({ ...one, channelId: 'C2' })) });
    await run({});
    expect(wishes).toHaveLength(1);
  });

  test('hears of nothing twice', async () => {
    const { run, wishes } = setUp({ kept: [subscription({ which: { kind: 'grade', grade: 'B' }, timeZone: 'Europe/Oslo' })] });
    await expect(run({ which: 'grade', limit: 'B' })).rejects.toThrow(InvalidInputError);
    await run({ which: 'grade', limit: 'C' });
    await run({ which: 'grade', limit: 'B', how: 'thread' });
    await run({ which: 'grade', limit: 'B', names: ['off'] });
    expect(wishes).toHaveLength(3);
  });
});

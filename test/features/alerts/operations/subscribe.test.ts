import { describe, expect, test } from 'vitest';
import type { OperationContext } from '../../../../src/operations/context.ts';
import type { SubscriptionService, SubscriptionState } from '../../../../src/operations/services/features.ts';
import {
  subscribeChannel,
  unsubscribeChannel,
} from '../../../../src/features/alerts/operations/subscribe-and-unsubscribe.ts';
import type { Subscription, SubscriptionSpec } from '../../../../src/domain/subscription.ts';
import { subscription } from '../../../support/builders/alerts.ts';
import { pauseAlerts, readPauseEnd } from '../../../../src/features/alerts/operations/pause-and-resume.ts';
import type { TextInput } from '../../../../src/operations/text-input.ts';

const nowMs = 1_000;
const channel = { channel_id: 'C1', channel_name: 'training' };

/** A context with a person, their time zone in Slack and existing subscriptions. */
function setUp({
  kept = [],
  timeZone,
  seesEveryQuiz = true,
}: {
  kept?: Subscription[];
  timeZone?: string | undefined;
  seesEveryQuiz?: boolean;
} = {}) {
  const wishes: SubscriptionSpec[] = [];
  const alerts: Partial<SubscriptionService> = {
    all: async () => kept.map((one) => ({ subscription: one, waiting: 0 })),
    unsubscribe: async () => true,
    async subscribe(spec, ownerId) {
      wishes.push(spec);
      return { subscription: subscription({ ...spec, ownerId }) };
    },
  };
  const requester = { personId: 'U1', isOwner: false, user: undefined, nobody: undefined, timeZone };
  const context = {
    alerts,
    requester,
    timeZone: 'Asia/Tokyo',
    channelId: 'C1',
    visibility: { seesEveryQuiz },
    now: () => nowMs,
  } as unknown as OperationContext;
  return {
    wishes,
    run: (input: Record<string, unknown>) => subscribeChannel.run(context, { channel, ...input }),
    unsubscribe: (state: SubscriptionState) => unsubscribeChannel.run(context, { subscription: state }),
  };
}

describe('the time zone of a digest', () => {
  test.each([
    ['typed zone in the spelling of Intl', 'europe/berlin', 'America/Lima', 'Europe/Berlin'],
    ['zone of the person in Slack', undefined, 'America/Lima', 'America/Lima'],
    ['zone of the bot if the one from Slack does not exist', undefined, 'Mars/Olympus', 'Asia/Tokyo'],
    ['zone of the bot if Slack has none', undefined, undefined, 'Asia/Tokyo'],
  ])('is the %s', async (_, typed, inSlack, zone) => {
    const { run, wishes } = setUp({ timeZone: inSlack });
    const result = await run({ delivery: 'daily', at: '8:30', ...(typed && { time_zone: typed }) });
    expect(wishes).toEqual([
      {
        channelId: 'C1',
        quiz: null,
        filter: { kind: 'all' },
        delivery: { kind: 'digest', every: 'day', at: '08:30' },
        timeZone: zone,
        showsNames: true,
      },
    ]);
    expect(result).toMatchObject({
      kind: 'done',
      message: expect.stringContaining(`08:30 (${zone.split('/')[1]} time)`),
    });
  });
});

test('a person who sees some quizzes cannot subscribe a channel to every quiz', async () => {
  const { run, wishes } = setUp({ seesEveryQuiz: false });
  const refusal = run({});
  await expect(refusal).rejects.toThrow('Name one of the quizzes you train');
  await expect(refusal).rejects.toMatchObject({ field: 'quiz' });
  expect(wishes).toEqual([]);
  await run({ quiz: { quiz_id: 'q-1', name: 'Fire safety' }, names: ['off'] });
  expect(wishes).toMatchObject([{ quiz: { id: 'q-1', name: 'Fire safety' }, showsNames: false }]);
});

describe('unsubscribing', () => {
  const quiz = { id: 'q-1', name: 'Fire safety' };
  const undo = { label: 'Undo', operation: 'subscribe-channel' };

  test('from every quiz can be taken back only by people who can subscribe a channel to every quiz', async () => {
    const { unsubscribe } = setUp({ seesEveryQuiz: false });
    expect(await unsubscribe({ subscription: subscription({ quiz: null }), waiting: 0 })).toMatchObject({ next: [] });
    expect(await unsubscribe({ subscription: subscription({ quiz }), waiting: 0 })).toMatchObject({ next: [undo] });
  });
});

const noon = Date.parse('2026-11-21T12:00:00Z');
const endOf = (typed: string | undefined, timeZone = 'UTC') => readPauseEnd(typed, { nowMs: noon, timeZone });

function readings(line: string): readonly TextInput[] {
  const read = pauseAlerts.parse?.(line) ?? [];
  return 'inputs' in read ? read.inputs : read;
}

describe('a pause', () => {
  test.each([
    ['Ready 2h', [{ subscription: ['Ready'], time: ['2h'] }]],
    ['friday', [{ time: ['friday'] }]],
    ['“Ready 2h”', []],
    ['“Ready” 2h', [{ subscription: ['Ready'], time: ['2h'] }]],
    ['Ready for 2 moons', [{ subscription: ['Ready'], time: ['2 moons'] }]],
    ['Ready until dark', [{ subscription: ['Ready'], time: ['until dark'] }]],
    ['Ready for Easter', []],
    ['Ready for part2', []],
    ['Ready for a week', [{ subscription: ['Ready for a week'] }]],
  ])('that can be read in other ways, “%s”, is then %j', (line, others) => {
    expect(readings(line).slice(1)).toEqual(others);
  });

  test.each([
    ['for 30m', '2026-11-21T12:30:00Z'],
    ['for 2h', '2026-11-21T14:00:00Z'],
    ['2 hours', '2026-11-21T14:00:00Z'],
    ['for 3d', '2026-11-24T12:00:00Z'],
    ['until 2026-12-01', '2026-12-01T00:00:00Z'],
    ['until tomorrow', '2026-11-22T00:00:00Z'],
    ['until friday 8am', '2026-11-27T08:00:00Z'],
    ['tomorrow 8am', '2026-11-22T08:00:00Z'],
    ['until 18h', '2026-11-21T18:00:00Z'],
    ['for 18h', '2026-11-22T06:00:00Z'],
    ['for 1h30', '2026-11-21T13:30:00Z'],
    [' For tomorrow', '2026-11-22T00:00:00Z'],
    ['for 366d', '2027-11-22T12:00:00Z'],
    ['until 15 dec', '2026-12-15T00:00:00Z'],
  ])('“%s” sets the end of the pause', (typed, end) => {
    expect(endOf(typed)).toBe(Date.parse(end));
  });

  test('until a date ends at the start of the date in the time zone', () => {
    expect(endOf('until 2026-12-01', 'Europe/Berlin')).toBe(Date.parse('2026-11-30T23:00:00Z'));
  });

  test('without a time does not end by itself', () => {
    expect(endOf(undefined)).toBeNull();
  });

  test.each(
    [
      'for ever, for 0h, until 2026-11-20, until 2026-13-01, until 2026-02-30, for 367d, waiting for friday, until 3/4',
      'until yesterday, until 30 feb',
    ].flatMap((line) => line.split(', ')),
  )('refuses “%s” and repeats the input', (typed) => {
    expect(() => endOf(typed)).toThrow(
      expect.objectContaining({ field: 'time', message: expect.stringContaining(typed) }),
    );
  });
});

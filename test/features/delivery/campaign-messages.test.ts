import { resultFor } from '../../../src/features/webhooks/take.ts';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { CampaignMessage } from '../../../src/domain/queues.ts';
import { submission } from '../../support/builders/alerts.ts';
import { openPersonQueue, queue, userId } from '../../support/person-queue.ts';
import { runs } from '../../support/drawn.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** A Monday. */
const monday = Date.parse('2026-11-23T10:00:00Z');

type Notice = Extract<CampaignMessage, { kind: 'campaign-notice' }>;
const notice = (campaignId: string, overrides: Partial<Notice> = {}): Notice => ({
  kind: 'campaign-notice',
  campaignId,
  quizId: `q-${campaignId}`,
  quizName: campaignId,
  by: 'UTOM',
  dueAt: null,
  isReminder: false,
  ...overrides,
});
const escalationOf = (campaignId: string): CampaignMessage => ({
  kind: 'campaign-escalation',
  campaignId,
  quizName: campaignId,
  dueAt: null,
  names: ['Kim'],
  missing: 1,
});
const notMe: CampaignMessage = {
  kind: 'note',
  campaignId: 'Fire',
  note: { heading: 'Kim says that it isn’t for them' },
};
const entry = (content: CampaignMessage | { kind: 'week' }, at = monday) => ({
  queue,
  subscriptionId: 'campaigns',
  at,
  content,
});
const ownResult = resultFor({ userId }, { submission: submission(), teamId: 'T1', at: monday });

function setUp(options: Parameters<typeof openPersonQueue>[0] = {}) {
  const opened = openPersonQueue({ now: monday, ...options });
  /** What was posted, and when. */
  const shown = () =>
    opened.posted.map(({ announcement, at }) => [
      announcement.kind === 'campaign-notices'
        ? announcement.notices
            .map(({ campaignId, isReminder }) => `${campaignId}${isReminder ? ' again' : ''}`)
            .join(', ')
        : announcement.kind === 'campaign-escalations'
          ? `escalations of ${announcement.escalations.map(({ campaignId }) => campaignId).join(', ')}`
          : announcement.kind,
      new Date(at).toISOString().slice(0, 16),
    ]);
  return { ...opened, shown };
}

/** What campaigns get to know of the messages to the person. */
async function deliveriesOf(outbox: ReturnType<typeof setUp>['outbox'], campaignId: string): Promise<unknown[]> {
  const waiting = await outbox.waiting(`campaign/T1/${campaignId}`, { limit: 10 });
  return waiting.map(({ content }) => (content.kind === 'campaign-event' ? content.event : content));
}

test('whoever answers for several campaigns is asked to take people in once a day, for all of them in one message', async () => {
  const { outbox, runAll, shown, posted } = setUp();
  const asking = (campaignId: string): CampaignMessage => ({
    kind: 'note',
    campaignId,
    untilTakenIn: true,
    note: { heading: `Kim joined the audience of ${campaignId}` },
  });
  outbox.putNow([entry(asking('Fire')), entry(asking('Food'))]);
  await runAll();
  outbox.putNow([entry(asking('Fire')), entry(asking('Data'))]);
  await runAll();
  expect(shown().map(([kind, at]) => [kind, at?.slice(0, 10)])).toEqual([
    ['note', '2026-11-23'],
    ['note', '2026-11-24'],
  ]);
  const said = JSON.stringify(posted[0]);
  for (const campaignId of ['Fire', 'Food']) expect(said).toContain(`joined the audience of ${campaignId}`);
});

describe('a campaign gets to know that a message', () => {
  const delivery = { kind: 'delivery', userId, handedAt: monday, failure: null } as const;

  test('arrived, once for each that was handed over, and which due time was in it', async () => {
    const { outbox, runAll } = setUp({ now: monday + hourMs });
    const dueAt = monday + dayMs;
    outbox.putNow([entry(notice('Fire', { dueAt })), entry(notice('Food', { isReminder: true }), monday + 5)]);
    await runAll();
    const arrived = { ...delivery, at: monday + hourMs };
    expect(await deliveriesOf(outbox, 'Fire')).toEqual([{ ...arrived, dueAt }]);
    expect(await deliveriesOf(outbox, 'Food')).toEqual([{ ...arrived, handedAt: monday + 5, dueAt: null }]);
  });

  test.each([
    [
      'nobody is the user',
      { findRecipient: async () => ({ kind: 'nobody', reason: 'no_person' }) as const },
      'no_person',
    ],
    ['it is not needed any more', { isStillWanted: () => false }, 'not_needed'],
  ])('could not arrive: %s', async (_, options, failure) => {
    const { outbox, runAll } = setUp(options);
    outbox.putNow([entry(notice('Fire'))]);
    await runAll();
    expect(await deliveriesOf(outbox, 'Fire')).toEqual([{ ...delivery, at: monday, failure }]);
  });
});

describe('messages of campaigns', () => {
  test('reach a person in one message, the latest of each campaign', async () => {
    const { outbox, runAll, posted, counted, waiting } = setUp();
    outbox.putNow([
      entry(notice('Fire', { dueAt: 1 })),
      entry(notice('Food', { isReminder: true })),
      entry(notice('Fire', { isReminder: true, dueAt: 2 })),
      entry(notice('Food', { isReminder: true })),
    ]);
    await runAll();
    expect(posted.map(({ channelId, announcement }) => [channelId, announcement])).toEqual([
      [
        'D-UROSA',
        {
          kind: 'campaign-notices',
          notices: [
            {
              campaignId: 'Fire',
              quizId: 'q-Fire',
              quizName: 'Fire',
              by: 'UTOM',
              dueAt: 2,
              isReminder: false,
              takeUrl: 'https://quiz.example/q-Fire',
            },
            {
              campaignId: 'Food',
              quizId: 'q-Food',
              quizName: 'Food',
              by: 'UTOM',
              dueAt: null,
              isReminder: true,
              takeUrl: 'https://quiz.example/q-Food',
            },
          ],
          now: monday,
        },
      ],
    ]);
    expect([counted, await waiting()]).toEqual([{ posted: 1 }, 0]);
  });

  test.each([
    ['reminders that come due at the same time', monday, true, [['Fire again, Food again', '2026-11-23T10:00']]],
    ['first messages at the beginning of working hours', monday - hourMs, false, [['Fire, Food', '2026-11-23T09:00']]],
    [
      'reminders just before the end of working hours',
      monday + 8 * hourMs - 60_000,
      true,
      [
        ['Fire again', '2026-11-23T17:59'],
        ['Food again', '2026-11-24T09:00'],
      ],
    ],
    [
      'a campaign that a person starts during working hours',
      monday,
      false,
      [
        ['Fire', '2026-11-23T10:00'],
        ['Food', '2026-11-24T09:00'],
      ],
    ],
  ])('of campaigns that follow each other within 2 minutes: %s', async (_, now, isReminder, expected) => {
    const { outbox, run, runAll, shown, clock } = setUp({ now, running: ['Fire', 'Food'] });
    outbox.putNow([entry(notice('Fire', { isReminder }), now)]);
    await run();
    clock.now += 50_000;
    outbox.putNow([entry(notice('Food', { isReminder }), clock.now)]);
    await runAll();
    expect(shown()).toEqual(expected);
  });

  test.each([
    ['is due that day', 7 * hourMs, '2026-11-23T11:00'],
    ['is due when the next day begins', 23 * hourMs, '2026-11-23T11:00'],
    ['is due later', 23 * hourMs + 1, '2026-11-24T09:00'],
    ['was due before', 0, '2026-11-24T09:00'],
  ])('wait for the next day after the notice of a day, unless what they ask for %s', async (_, dueAfter, at) => {
    const { outbox, runAll, shown, clock } = setUp();
    outbox.putNow([entry(notice('Fire'))]);
    await runAll();
    clock.now = monday + hourMs;
    outbox.putNow([entry(notice('Food', { dueAt: monday + dueAfter }), clock.now)]);
    await runAll();
    expect(shown().at(-1)).toEqual(['Food', at]);
  });

  test('to a lead wait for other campaigns no longer than working hours last, and keep notices waiting no longer', async () => {
    const at = monday + 8 * hourMs - 60_000;
    const { outbox, run, runAll, shown } = setUp({ now: at, running: ['Fire', 'Food'] });
    outbox.putNow([entry(escalationOf('Fire'), at)]);
    await run();
    outbox.putNow([entry(escalationOf('Food'), at)]);
    await runAll();
    const both = setUp({ now: monday, running: ['Fire', 'Food', 'Ladders'] });
    both.outbox.putNow([entry(escalationOf('Fire')), entry(notice('Food'), monday)]);
    await both.runAll();
    expect([shown(), both.shown()]).toEqual([
      [
        ['escalations of Fire', '2026-11-23T17:59'],
        ['escalations of Food', '2026-11-23T17:59'],
      ],
      [
        ['Food', '2026-11-23T10:00'],
        ['escalations of Fire', '2026-11-23T10:02'],
      ],
    ]);
  });

  test('of the only campaign that runs wait for no other', async () => {
    const { outbox, runAll, shown } = setUp({ running: ['Fire'] });
    outbox.putNow([entry(notice('Fire', { isReminder: true }))]);
    await runAll();
    expect(shown()).toEqual([['Fire again', '2026-11-23T10:00']]);
  });

  test('keep no other message waiting, and that a quiz isn’t for a person is said at once', async () => {
    const { outbox, runAll, shown } = setUp({ now: monday + 12 * hourMs });
    outbox.putNow([entry(notice('Fire')), ...ownResult, entry(notMe)]);
    await runAll();
    expect(shown()).toEqual([
      ['own-result', '2026-11-23T22:00'],
      ['note', '2026-11-23T22:00'],
      ['Fire', '2026-11-24T09:00'],
    ]);
  });

  test('are looked for where an answer was lost, and then count as the message of the day', async () => {
    for (const fate of ['taken', 'lost'] as const) {
      const { outbox, run, runAll, shown, fates } = setUp({ now: monday + 8 * hourMs - 1_000 });
      outbox.putNow([entry(notice('Fire'))]);
      fates.post.push(fate);
      await run();
      outbox.putNow([entry(notice('Food'))]);
      await runAll();
      // The message that did not arrive falls into the evening.
      expect(shown()).toEqual(
        fate === 'taken'
          ? [
              ['Fire', '2026-11-23T17:59'],
              ['Food', '2026-11-24T09:00'],
            ]
          : [['Fire, Food', '2026-11-24T09:00']],
      );
    }
  });

  test('open conversations no faster than the platform lets them', async () => {
    const opensAt = monday + 60_000;
    const turn = vi.fn(() => undefined);
    const { outbox, run, runAll, shown } = setUp({ openingTurn: (now) => (now < opensAt ? opensAt : undefined), turn });
    outbox.putNow([entry(notice('Fire'))]);
    expect([await run(), turn.mock.calls]).toEqual([opensAt, []]);
    await runAll();
    expect(shown()).toEqual([['Fire', '2026-11-23T10:01']]);
  });

  test('over two months in any zone, are in working hours, once a day, and none is lost', async () => {
    const zones = ['UTC', 'America/Los_Angeles', 'Asia/Kolkata', 'Pacific/Auckland', 'Europe/Berlin'];
    const arrivals = fc.array(fc.record({ afterMs: fc.nat(60 * dayMs), campaign: fc.nat(3) }), {
      minLength: 1,
      maxLength: 25,
    });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...zones), arrivals, async (timeZone, all) => {
        const { outbox, run, posted, clock } = setUp({
          findRecipient: async () => ({ kind: 'found', personId: 'UROSA', timeZone }),
        });
        let wakesAt: number | undefined;
        for (const { afterMs, campaign } of all.toSorted((a, b) => a.afterMs - b.afterMs)) {
          const at = monday + afterMs;
          while (wakesAt !== undefined && wakesAt <= at) {
            clock.now = Math.max(clock.now, wakesAt);
            wakesAt = await run();
          }
          clock.now = Math.max(clock.now, at);
          outbox.putNow([entry(notice(`c-${campaign}`), at)]);
          wakesAt = await run();
        }
        while (wakesAt !== undefined) {
          clock.now = Math.max(clock.now, wakesAt);
          wakesAt = await run();
        }
        const clockOf = (at: number, options: Intl.DateTimeFormatOptions) =>
          new Intl.DateTimeFormat('en-GB', { timeZone, ...options }).format(at);
        for (const { at } of posted) {
          expect(['Sat', 'Sun']).not.toContain(clockOf(at, { weekday: 'short' }));
          expect(Number(clockOf(at, { hour: 'numeric', hourCycle: 'h23' }))).toSatisfy(
            (hour: number) => hour >= 9 && hour < 18,
          );
        }
        const days = posted.map(({ at }) => clockOf(at, { dateStyle: 'short' }));
        expect(days).toEqual([...new Set(days)]);
        expect(days).not.toContain('25/11/2026');
        const last = new Map(all.map(({ afterMs, campaign }) => [`c-${campaign}`, monday + afterMs]));
        for (const [campaignId, at] of last) {
          expect(
            posted.some(
              (one) =>
                one.at >= at &&
                one.announcement.kind === 'campaign-notices' &&
                one.announcement.notices.some((shown) => shown.campaignId === campaignId),
            ),
          ).toBe(true);
        }
      }),
      { numRuns: runs(30) },
    );
  });
});

describe('the message of Monday', () => {
  const sunday = monday - 34 * hourMs;
  const week = entry({ kind: 'week' }, sunday);
  const late = { campaignId: 'Fire', quizName: 'Fire', done: 0, late: ['Kim'], expiring: 0 };
  const found = (timeZone: string) => async () => ({ kind: 'found' as const, personId: 'UROSA', timeZone });

  test.each([
    ['UTC', '2026-11-23T09:02'],
    ['Pacific/Auckland', '2026-11-22T20:02'],
    ['America/Los_Angeles', '2026-11-23T17:02'],
  ])('comes in the morning of %s', async (timeZone, at) => {
    const { outbox, runAll, shown } = setUp({ now: sunday, weeks: [late], findRecipient: found(timeZone) });
    outbox.putNow([week]);
    await runAll();
    expect(shown()).toEqual([['campaign-weeks', at]]);
  });

  test('takes the place of the escalations that it says as well', async () => {
    const { outbox, runAll, shown, waiting } = setUp({ now: sunday, weeks: [late], running: ['Fire', 'Food', 'Own'] });
    const morning = monday - hourMs;
    outbox.putNow([week, entry(escalationOf('Fire'), morning), entry(escalationOf('Food'), morning)]);
    await runAll();
    expect(shown()).toEqual([
      ['campaign-weeks', '2026-11-23T09:02'],
      ['escalations of Food', '2026-11-23T09:02'],
    ]);
    expect(await waiting()).toBe(0);
  });
});

import { resultFor } from '../../../src/features/webhooks/take.ts';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { CampaignMessage } from '../../../src/domain/queues.ts';
import { submission } from '../../support/builders/alerts.ts';
import { managerQueue } from '../../../src/domain/queues.ts';
import { platformError } from '../../support/memory-channel.ts';
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
  const { outbox, runAll, shown, posted, fates } = setUp();
  const asking = (campaignId: string): CampaignMessage => ({
    kind: 'note',
    campaignId,
    untilTakenIn: true,
    note: { heading: `Kim joined the audience of ${campaignId}` },
  });
  fates.post.push('ok', platformError('rate_limited', { retryAfterMs: 1_000 }));
  outbox.putNow([entry(notMe), entry(asking('Fire')), entry(asking('Food'))]);
  await runAll();
  outbox.putNow([entry(asking('Fire')), entry(asking('Data'))]);
  await runAll();
  expect(shown().map(([kind, at]) => [kind, at?.slice(0, 10)])).toEqual([
    ['note', '2026-11-23'],
    ['note', '2026-11-23'],
    ['note', '2026-11-24'],
  ]);
  const said = JSON.stringify(posted[1]);
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

  test('arrived when it was sent, where its answer was lost', async () => {
    const { outbox, runAll, fates } = setUp();
    fates.post.push('taken');
    outbox.putNow([entry(notice('Fire', { dueAt: monday + dayMs }))]);
    await runAll();
    expect(await deliveriesOf(outbox, 'Fire')).toEqual([{ ...delivery, at: monday }]);
  });

  test('is refused for what is in it, and which, and that is no message of the day', async () => {
    const { outbox, runAll, fates, shown } = setUp();
    fates.post.push(...Array.from({ length: 6 }, () => platformError('bad_message', { code: 'invalid_blocks' })));
    outbox.putNow([entry(notice('Fire')), entry(notice('Food'))]);
    await runAll();
    const failures = async (campaignId: string) =>
      (await deliveriesOf(outbox, campaignId)).map((one) => (one as { failure: unknown }).failure);
    expect([await failures('Fire'), await failures('Food')]).toEqual([['invalid_blocks'], [null]]);
    expect(shown().map(([what, at]) => [what, at?.slice(0, 10)])).toEqual([['Food', '2026-11-23']]);
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

  test('are asked for as they are now, and late people only for managers', async () => {
    const messageNow = vi.fn(async (_: string, message: CampaignMessage) => message);
    const lateReports = vi.fn(async () => []);
    const { outbox, runAll } = setUp({ now: monday + 5, deps: { messageNow, lateReports } });
    outbox.putNow([entry(notice('Fire'))]);
    await runAll();
    expect(messageNow).toHaveBeenCalledExactlyOnceWith('T1', notice('Fire'), { userId, handedAt: monday });
    expect(lateReports).not.toHaveBeenCalled();
  });

  test('to a lead come where messages to respondents are turned off, which drops those alone', async () => {
    const { outbox, runAll, shown, counted } = setUp({ deps: { notifiesRespondents: false } });
    outbox.putNow([entry(notice('Fire')), entry(escalationOf('Food'))]);
    await runAll();
    expect([shown(), counted]).toEqual([[['escalations of Food', '2026-11-23T10:00']], { turned_off: 1, posted: 1 }]);
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

  test('takes the place of the escalations that it says as well', async () => {
    const done = { ...late, campaignId: 'Done', late: [] };
    const { outbox, runAll, shown, posted, waiting } = setUp({ now: sunday, weeks: [late, done] });
    const morning = monday - hourMs;
    const own = { ...escalationOf('Fire'), ownQuizId: 'q-Fire' };
    const escalations = [escalationOf('Fire'), escalationOf('Food'), escalationOf('Done'), own];
    outbox.putNow([week, ...escalations.map((one) => entry(one, morning))]);
    await runAll();
    expect(shown()).toEqual([
      ['campaign-weeks', '2026-11-23T09:02'],
      ['escalations of Food, Done, Fire', '2026-11-23T09:02'],
    ]);
    expect(posted[0]?.announcement).toEqual({ kind: 'campaign-weeks', weeks: [late, done] });
    expect(await waiting()).toBe(0);
  });

  test.each([
    ['nothing is new', [], true],
    ['the person turned it off', [late], false],
  ])('is left out where %s', async (_, weeks, isWanted) => {
    const wantsWeeks = vi.fn(async () => isWanted);
    const { outbox, runAll, posted, counted, waiting } = setUp({ now: monday, weeks, deps: { wantsWeeks } });
    outbox.putNow([week]);
    await runAll();
    expect([posted, counted, await waiting()]).toEqual([[], { not_wanted: 1 }, 0]);
    expect(wantsWeeks).toHaveBeenCalledWith('T1', 'UROSA');
  });
});

describe('the list of late people', () => {
  const name = managerQueue('T1', 'UMAX');
  const list = (campaignId: string) => ({
    ...entry({ kind: 'campaign-reports', campaignId, quizName: campaignId }),
    queue: name,
  });
  const people = [
    { userId: 'u-2', name: 'Kim', quizzes: ['Fire', 'Data'].map((one) => ({ campaignId: one, quizName: one })) },
  ];

  test('goes to the manager once a week, and leaves out what nobody is late for', async () => {
    const lateReports = vi.fn(async () => people);
    const findPerson = vi.fn(async () => ({ kind: 'found' as const, personId: 'UMAX', timeZone: 'UTC' }));
    const { outbox, runAll, shown, posted, counted, fates, findRecipient } = setUp({
      name,
      running: ['Fire', 'Food'],
      deps: { lateReports, findPerson },
    });
    fates.post.push('ok', platformError('rate_limited', { retryAfterMs: 1_000 }));
    outbox.putNow([{ ...entry(notMe), queue: name }, list('Fire'), list('Food')]);
    await runAll();
    outbox.putNow([list('Fire')]);
    await runAll();
    expect(shown()).toEqual([
      ['note', '2026-11-23T10:00'],
      ['campaign-reports', '2026-11-23T10:02'],
      ['campaign-reports', '2026-11-30T09:00'],
    ]);
    expect(posted[1]).toMatchObject({ channelId: 'D-UMAX', announcement: { kind: 'campaign-reports', people } });
    expect(counted).toEqual({ not_wanted: 1, 'code of rate_limited': 1, posted: 3 });
    expect(await deliveriesOf(outbox, 'Fire')).toEqual([]);
    expect(lateReports).toHaveBeenCalledWith('T1', 'UMAX', ['Fire', 'Food']);
    expect(findPerson).toHaveBeenCalledWith('UMAX');
    expect(findRecipient).not.toHaveBeenCalled();
  });

  test.each([
    ['no_person', [{ kind: 'manager-gone', managerId: 'UMAX', at: monday }]],
    ['not_needed', []],
  ])('that is not posted (%s) makes a campaign know of a manager who is gone: %j', async (reason, events) => {
    const findPerson = async () =>
      reason === 'no_person'
        ? ({ kind: 'nobody', reason } as const)
        : ({ kind: 'found', personId: 'UMAX', timeZone: 'UTC' } as const);
    const { outbox, runAll, posted } = setUp({ name, deps: { findPerson } });
    outbox.putNow([list('Fire')]);
    await runAll();
    expect([posted, await deliveriesOf(outbox, 'Fire')]).toEqual([[], events]);
  });
});

import { resultFor } from '../../../src/features/webhooks/take.ts';
import { describe, expect, test, vi } from 'vitest';
import type { Keyv } from 'keyv';
import { assignmentsFor, createMessagePreferences } from '../../../src/features/delivery/person-view.ts';
import { createPace } from '../../../src/time/timers.ts';
import type { IsMember } from '../../../src/features/delivery/person-view.ts';
import { batchQueue } from '../../../src/domain/queues.ts';
import { QuizApiError } from '../../../src/quiz-api/errors.ts';
import { StoreAwayError } from '../../../src/storage/storage.ts';
import { submission } from '../../support/builders/alerts.ts';
import { platformError, type Fate } from '../../support/memory-channel.ts';
import { openPersonQueue, queue, userId } from '../../support/person-queue.ts';

const quiz = (quizId: string, through: { groupId?: string } = {}) =>
  assignmentsFor({ quizId, quizName: quizId, users: [{ userId, ...through }] }, { by: 'UTOM', teamId: 'T1', at: 1 });

describe('the queue of a person', () => {
  test('leaves out a quiz of a group that the person has left meanwhile, and posts what comes after it', async () => {
    const isMember = vi.fn<IsMember>(async (_, groupId) => groupId !== 'left');
    const { outbox, run, runAll, counted, waiting } = openPersonQueue({ isMember });
    await outbox.put([...quiz('Ladders', { groupId: 'left' }), ...quiz('Food', { groupId: 'kept' }), ...quiz('Fire')]);
    await run();
    expect([counted, await waiting()]).toEqual([{ not_assigned: 1 }, 2]);
    await runAll();
    expect([counted, await waiting()]).toEqual([{ not_assigned: 1, posted: 2 }, 0]);
    expect(isMember).toHaveBeenCalledWith(userId, 'kept', 1);
    expect(isMember).toHaveBeenCalledTimes(2);
  });

  test('has the batch that created a user know that no message about the password can be sent', async () => {
    const { outbox, runAll, waiting, wakes } = openPersonQueue({
      findRecipient: async () => ({ kind: 'nobody', reason: 'no_person' }),
    });
    await outbox.put([
      {
        queue,
        subscriptionId: 'own-passwords',
        at: 1,
        content: { kind: 'own-password', by: 'UADA', of: { batchId: 'b-1', row: 7 } },
      },
      {
        queue,
        subscriptionId: 'direct',
        at: 1,
        content: { kind: 'assigned', quizId: 'q-1', quizName: 'Fire safety', by: 'UADA' },
      },
    ]);
    await runAll();
    expect(await waiting()).toBe(0);
    expect(wakes).toEqual([batchQueue('T1', 'b-1')]);
    expect((await outbox.waiting(batchQueue('T1', 'b-1'), { limit: 10 })).map(({ content }) => content)).toEqual([
      { kind: 'batch-event', event: { kind: 'unreached', row: 7 } },
    ]);
  });

  test('waits as long as the platform, the service or the pace asks for', async () => {
    const later = [
      platformError('rate_limited', { retryAfterMs: 30_000 }),
      new QuizApiError('budget spent', { operation: 'users.get', method: 'GET', path: '/v1/users' }, 'was not sent', {
        availableAt: new Date(145_000),
      }),
    ];
    const { outbox, run, waiting, clock } = openPersonQueue({
      findRecipient: async () => {
        const error = later.shift();
        if (error) throw error;
        return { kind: 'later', at: clock.now + 7 };
      },
    });
    outbox.putNow(quiz('q-1'));
    expect(await run()).toBe(130_000);
    expect(await run()).toBe(130_000);
    clock.now = 130_000;
    expect(await run()).toBe(145_000);
    clock.now = 145_000;
    expect(await run()).toBe(145_007);
    expect(await waiting()).toBe(1);
  });

  test('asks nobody before it is its turn, and does nothing where nothing waits', async () => {
    const { outbox, run, findRecipient } = openPersonQueue({ turn: () => 100_500 });
    expect(await run()).toBeUndefined();
    outbox.putNow(quiz('q-1'));
    expect(await run()).toBe(100_500);
    expect(findRecipient).not.toHaveBeenCalled();
    const now = Date.parse('2026-11-23T12:00:00Z');
    const timed = openPersonQueue({ now, turn: () => now + 500 });
    timed.outbox.putNow([{ queue, subscriptionId: 'campaigns', at: now, content: { kind: 'week' } }]);
    timed.clock.now += 120_000;
    expect([await timed.run(), timed.counted]).toEqual([now + 500, {}]);
  });
});

describe('what is kept from a person', () => {
  const noon = Date.parse('2026-11-23T12:00:00Z');
  const content = {
    assigned: { kind: 'assigned', quizId: 'q-1', quizName: 'Fire', by: 'UTOM' },
    notice: {
      kind: 'campaign-notice',
      campaignId: 'Food',
      quizId: 'q-2',
      quizName: 'Food',
      by: 'UTOM',
      dueAt: null,
      isReminder: false,
    },
    note: { kind: 'note', note: { heading: 'Done' } },
    unknown: { kind: 'of-2030' },
  } as const;
  const closed = platformError('closed', { code: 'user_disabled' });
  type Options = NonNullable<Parameters<typeof openPersonQueue>[0]>;

  test.each<
    [what: string, options: Options, fates: { post?: Fate[]; openDirect?: Fate[] }, posted: string[], counted: object]
  >([
    ['nothing', {}, {}, ['assigned', 'note', 'campaign-notices'], { posted: 3, unknown: 1 }],
    [
      'what respondents get, where the operator turned that off',
      { deps: { notifiesRespondents: false } },
      {},
      ['note'],
      { turned_off: 2, posted: 1, unknown: 1 },
    ],
    [
      'what they turned off, but not what a campaign asks of them',
      { deps: { wantsMessages: async () => false } },
      {},
      ['note', 'campaign-notices'],
      { turned_off: 1, posted: 2, unknown: 1 },
    ],
    ['everything, where their conversation cannot be opened', {}, { openDirect: [closed] }, [], { user_disabled: 4 }],
    ['everything, where nothing may be posted to them', {}, { post: [closed] }, [], { user_disabled: 5 }],
  ])('is %s', async (_, options, fates, posted, counted) => {
    const stage = openPersonQueue({ now: noon, ...options });
    Object.assign(stage.fates, fates);
    stage.outbox.putNow(
      Object.values(content).map((one) => ({ queue, subscriptionId: 'direct', at: noon, content: one as never })),
    );
    await stage.runAll();
    expect(stage.posted.map(({ announcement }) => announcement.kind)).toEqual(posted);
    expect([stage.counted, await stage.waiting()]).toEqual([counted, 0]);
  });

  test('is what comes in working hours alone, while they want to be left alone', async () => {
    const quiet = [noon + 60_000];
    const quietUntil = vi.fn(async (_: string) => quiet.shift());
    const { outbox, runAll, posted } = openPersonQueue({ now: noon, deps: { quietUntil } });
    const both = [content.notice, content.note].map((one) => ({
      queue,
      subscriptionId: 'direct',
      at: noon,
      content: one,
    }));
    outbox.putNow(both);
    await runAll();
    expect(posted.map(({ announcement, at }) => [announcement.kind, at - noon])).toEqual([
      ['note', 0],
      ['campaign-notices', 60_000],
    ]);
    expect(quietUntil).toHaveBeenCalledWith('UROSA');
  });

  test('is what can be looked up by nobody now: later for longer, unless the store is away', async () => {
    const failures: Error[] = [new Error('no'), new Error('no'), new StoreAwayError('gone')];
    const { outbox, run, clock, waiting, lines } = openPersonQueue({
      findRecipient: async () => Promise.reject(failures.shift()),
    });
    outbox.putNow(quiz('q-1'));
    const pauses: number[] = [];
    for (let tries = 0; tries < 2; tries += 1) {
      const at = (await run())!;
      pauses.push(at - clock.now);
      clock.now = at;
    }
    expect(pauses[0]).toBeGreaterThan(0);
    expect(pauses[1]).toBeGreaterThan(pauses[0]!);
    expect(JSON.parse(lines[0]!)).toMatchObject({
      level: 'warn',
      queue: 'person',
      error: { message: 'no' },
      msg: 'a direct message is not posted yet: its recipient cannot be looked up; it is kept',
    });
    await expect(run()).rejects.toThrow(StoreAwayError);
    expect(await waiting()).toBe(1);
  });

  test.each([
    [false, [['D-UROSA', '1']], { connection_lost: 1, found: 1 }],
    [true, [], { connection_lost: 1 }],
  ])(
    'is no message that was sent, but it is not looked for after it is too old: %j',
    async (isOld, looks, outcomes) => {
      const { outbox, run, runAll, fates, counted, posted, lookups } = openPersonQueue();
      fates.post.push('taken');
      outbox.putNow(quiz('q-1'));
      await run();
      expect(await outbox.queues()).toMatchObject([{ queue }]);
      if (isOld) await outbox.drop('direct-messages', Infinity);
      await runAll();
      expect([posted.length, counted, await outbox.queues()]).toEqual([1, outcomes, []]);
      expect(lookups.map(({ channelId, key }) => [channelId, key])).toEqual(looks);
    },
  );

  test('is no password that was announced, and only batches wait for one', async () => {
    const { outbox, runAll, counted, wakes } = openPersonQueue();
    const ofs = [{ of: { batchId: 'b-1', row: 7 } }, {}];
    const passwords = ofs.map((of) => ({ kind: 'own-password', by: 'UADA', ...of }) as const);
    outbox.putNow(passwords.map((one) => ({ queue, subscriptionId: 'own-passwords', at: 1, content: one })));
    await runAll();
    expect([counted, wakes]).toEqual([{ posted: 2 }, []]);
    const nobody = openPersonQueue({ findRecipient: async () => ({ kind: 'nobody', reason: 'no_person' }) });
    nobody.outbox.putNow([{ queue, subscriptionId: 'own-passwords', at: 1, content: passwords[1]! }]);
    await nobody.runAll();
    expect([nobody.counted, nobody.wakes]).toEqual([{ no_person: 1 }, []]);
  });
});

test('a person turns messages off, or those of Monday alone, and on again, in one workspace', async () => {
  const kept = new Map<string, 'off'>();
  const preferences = createMessagePreferences({
    get: (async (key: string) => kept.get(key)) as Keyv<'off'>['get'],
    set: async (key, value) => {
      kept.set(key, value as 'off');
      return true;
    },
    delete: async (key) => kept.delete(String(key)),
  });
  const wants = async (teamId: string, personId: string) => [
    await preferences.wantsMessages(teamId, personId),
    await preferences.wantsWeeks(teamId, personId),
  ];
  for (const [choice, messages, weeks] of [
    ['off', false, true],
    ['monday-off', false, false],
    ['on', true, false],
    ['off', false, false],
    ['monday-on', false, true],
  ] as const) {
    await preferences.turn('T1', 'U1', choice);
    expect([choice, await wants('T1', 'U1')]).toEqual([choice, [messages, weeks]]);
    expect([await wants('T1', 'U2'), await wants('T2', 'U1')]).toEqual([
      [true, true],
      [true, true],
    ]);
    // What a person is erased by comes last.
    expect([...kept.keys()].filter((key) => !key.endsWith(':U1'))).toEqual([]);
  }
});

describe('a result', () => {
  const dayMs = 24 * 3_600_000;
  const at = 100 * dayMs;
  const entries = (details: Partial<ReturnType<typeof submission>>) =>
    resultFor({ userId }, { submission: submission(details), teamId: 'T1', at });

  test('that the bot found later than a day is for nobody', () => {
    expect(entries({ isBackfilled: true, submittedAt: at - dayMs })).toHaveLength(1);
    expect(entries({ isBackfilled: true, submittedAt: at - dayMs - 1 })).toEqual([]);
    expect(entries({ isBackfilled: true, submittedAt: null })).toEqual([]);
  });
});

describe('the pace', () => {
  test('gives a burst at once, then a turn at a time, and keeps places', () => {
    const clock = { now: 1_000_000 };
    const pace = createPace({ everyMs: 200, burst: 2, now: () => clock.now });
    expect(['a', 'b', 'c', 'd', 'c'].map((key) => pace.turn(key))).toEqual([
      undefined,
      undefined,
      1_000_200,
      1_000_400,
      1_000_200,
    ]);
    clock.now = 1_000_200;
    expect(['c', 'e', 'd'].map((key) => pace.turn(key))).toEqual([undefined, 1_000_600, 1_000_400]);
    clock.now = 1_010_000;
    expect(['d', 'e', 'f', 'g', 'h'].map((key) => pace.turn(key))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      1_010_200,
    ]);
  });

  test('goes on after the clock was set back', () => {
    const clock = { now: 1e12 };
    const pace = createPace({ everyMs: 200, burst: 1, now: () => clock.now });
    expect(['a', 'b'].map((key) => pace.turn(key))).toEqual([undefined, 1e12 + 200]);
    clock.now = 1e12 - 60_000;
    expect(['b', 'c'].map((key) => pace.turn(key))).toEqual([undefined, 1e12 - 60_000 + 200]);
  });
});

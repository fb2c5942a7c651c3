import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { channelMachine } from '../../../src/features/delivery/channel-machine.ts';
import { channelQueue, type Submission } from '../../../src/domain/queues.ts';
import type { ChannelState } from '../../../src/features/delivery/next-step.ts';
import type { Subscription } from '../../../src/domain/subscription.ts';
import { createMetrics } from '../../../src/observability/metrics.ts';
import { submission, subscription } from '../../support/builders/alerts.ts';
import { recordingLog } from '../../support/log.ts';
import { announcedNames, createMemoryChannel, platformError, type Fate } from '../../support/memory-channel.ts';
import { killed, runMachine } from '../../support/run-machine.ts';
import { createMemoryOutbox } from '../../support/memory-outbox.ts';
import { countedIn } from '../../support/measurements.ts';
import { runs } from '../../support/drawn.ts';

const begin = 1_000_000;
const refused = () => platformError('refused', { code: 'an_error_of_next_year' });
const rateLimited = (seconds: number) =>
  platformError('rate_limited', { code: 'ratelimited', retryAfterMs: seconds * 1_000 });

const tooLong = platformError('too_long', { code: 'msg_blocks_too_long' });

/** The queue of channel C1 in workspace T1, with a clock that the test sets. */
function setUp(subscriptions: Subscription[] = [subscription()]) {
  const clock = { now: begin };
  const outbox = createMemoryOutbox();
  const { log, lines } = recordingLog();
  const metrics = createMetrics();
  const memory = createMemoryChannel(() => clock.now);
  const closed: string[][] = [];
  let lastId = 0;
  const queue = channelQueue('T1', 'C1');
  const run = runMachine(
    channelMachine({
      channel: memory.channel,
      subscriptions: async (teamId) => subscriptions.filter((one) => one.teamId === teamId),
      onClosed: async (teamId, channelId, code) => {
        closed.push([teamId, channelId, code]);
        for (const one of subscriptions) one.pause = { since: clock.now, until: null, by: null, code };
      },
      newId: () => `m-${(lastId += 1)}`,
      log,
      metrics,
    }),
    { outbox, now: () => clock.now },
  );

  async function put(...submissions: (Partial<Submission> & { by?: string })[]): Promise<void> {
    const entries = submissions.map(({ by = 's-1', ...one }) => ({
      queue,
      subscriptionId: by,
      at: clock.now,
      content: { kind: 'submission' as const, submission: submission(one) },
    }));
    outbox.putNow(entries);
  }

  /** Runs the queue at the times it asks for, until it has nothing to do. A run that hangs was killed. */
  async function drain(): Promise<void> {
    for (let ran = 0; ran < 1_000; ran += 1) {
      const next = await Promise.race([run(queue), killed()]);
      if (next === undefined) return;
      if (next !== 'killed') clock.now = Math.max(clock.now, next);
    }
    throw new Error('the queue never comes to an end');
  }

  const outcomes = () => countedIn(metrics.alerts);
  const waiting = async () => (await outbox.waiting(queue, { limit: 99 })).length;
  return { ...memory, outbox, clock, closed, queue, run, put, drain, outcomes, waiting, lines };
}

describe('a channel’s queue', () => {
  test('posts what piled up as one message, a second after the one before', async () => {
    const { put, drain, run, queue, posted, clock, lines } = setUp();
    await put({ name: 'P001' });
    const next = await run(queue);
    expect(next).toBe(clock.now + 1_000);
    await put(...[2, 3, 4].map((one) => ({ name: `P00${one}`, responseId: `r-${one}` })));
    expect(await run(queue)).toBe(next);
    await drain();
    expect(posted.map(announcedNames)).toEqual([['P001'], ['P002', 'P003', 'P004']]);
    expect(posted[1]!.at - posted[0]!.at).toBe(1_000);
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject(
      [['q-1/r-1'], ['q-1/r-2', 'q-1/r-3', 'q-1/r-4']].map((responses, index) => ({
        level: 'info',
        channel: 'C1',
        message: `m-${index + 1}`,
        responses,
        msg: 'alert posted',
      })),
    );
  });

  test('reads at most 500 entries for a message', async () => {
    const { put, run, queue, waiting, posted } = setUp();
    await put(...Array.from({ length: 503 }, () => ({ name: 'P001' })));
    await run(queue);
    expect(posted[0]?.announcement.kind === 'submissions' && posted[0].announcement.items.length).toBe(500);
    expect(await waiting()).toBe(3);
  });

  test('posts as many as fit into a message, or all where they cannot be measured', async () => {
    const { put, drain, posted, limits, channel } = setUp();
    limits.itemsAtMost = 2;
    await put({ name: 'P001' }, { name: 'P002' }, { name: 'P003' });
    await drain();
    vi.spyOn(channel, 'countFitting').mockImplementation(() => {
      throw new RangeError('no such date');
    });
    await put({ name: 'P004' }, { name: 'P005' }, { name: 'P006' });
    await drain();
    expect(posted.map(announcedNames)).toEqual([['P001', 'P002'], ['P003'], ['P004', 'P005', 'P006']]);
  });

  test.each([
    ['cannot be made', () => new RangeError('no such date')],
    ['is refused for its form', () => platformError('bad_message', { code: 'invalid_blocks' })],
  ])(
    'posts what comes before and after an entry whose message %s, and drops that entry after some tries',
    async (_, error) => {
      for (const delivery of [{ kind: 'each' }, { kind: 'thread' }] as const) {
        const { put, drain, channel, posted, outcomes, waiting, lines } = setUp([subscription({ delivery })]);
        const { post } = channel;
        const tried: string[][] = [];
        vi.spyOn(channel, 'post').mockImplementation(async (...message) => {
          const names = announcedNames({ announcement: message[1] });
          tried.push(names);
          if (names.includes('P666')) throw error();
          return post(...message);
        });
        await put({ name: 'P001' }, { name: 'P002' }, { name: 'P666', responseId: 'r-bad' }, { name: 'P003' });
        await drain();
        await put({ name: 'P004' }, { name: 'P005' });
        await drain();
        expect(posted.map(announcedNames).filter((names) => names.length > 0)).toEqual([
          ['P001', 'P002'],
          ['P003'],
          ['P004', 'P005'],
        ]);
        expect(tried.filter((names) => names.includes('P666'))).toEqual([
          ['P001', 'P002', 'P666', 'P003'],
          ['P666', 'P003'],
          ...Array.from({ length: 5 }, () => ['P666']),
        ]);
        expect([(await outcomes())['set_aside'], await waiting()]).toEqual([1, 0]);
        const dropped = lines.filter((line) => line.includes('set aside')).map((line): unknown => JSON.parse(line));
        expect(dropped).toMatchObject([
          {
            level: 'error',
            channel: 'C1',
            subscription: 's-1',
            response: 'q-1/r-bad',
            msg: 'an alert is set aside: it cannot be posted',
          },
        ]);
      }
    },
  );

  test('posts everything where a message could not be made for a while', async () => {
    const { put, drain, channel, posted, outcomes } = setUp();
    vi.spyOn(channel, 'post').mockRejectedValueOnce(new RangeError('no')).mockRejectedValueOnce(new RangeError('no'));
    await put({ name: 'P001' }, { name: 'P002' });
    await drain();
    expect(posted.map(announcedNames)).toEqual([['P001'], ['P002']]);
    expect(await outcomes()).toEqual({ unforeseen: 2, posted: 2 });
  });

  test('gives up the head of a thread that cannot be made any more, and goes on', async () => {
    const { put, drain, channel, posted, waiting } = setUp([subscription({ delivery: { kind: 'thread' } })]);
    await put({ name: 'P001' });
    await drain();
    vi.spyOn(channel, 'update').mockRejectedValue(new RangeError('no'));
    await put({ name: 'P002' });
    await drain();
    expect(posted.flatMap(announcedNames)).toEqual(['P001', 'P002']);
    expect(await waiting()).toBe(0);
  });

  test('looks for a message among those younger than the last one', async () => {
    const { put, drain, fates, posted, lookups, lines } = setUp();
    await put({ name: 'P001' });
    await drain();
    fates.post.push('taken');
    await put({ name: 'P002' });
    await drain();
    expect(lookups).toEqual([{ channelId: 'C1', key: 'm-2', threadId: undefined, after: '1' }]);
    expect(JSON.parse(lines.at(-1)!)).toMatchObject({
      channel: 'C1',
      message: 'm-2',
      msg: 'the alert is in the channel already',
    });
    fates.post.push('taken');
    await put({ name: 'P003' });
    await drain();
    expect(lookups[1]).toMatchObject({ key: 'm-3', after: '2' });
    expect(posted.map(announcedNames)).toEqual([['P001'], ['P002'], ['P003']]);
  });

  test('is busy while a message is in flight, so that a restart finds it', async () => {
    const { put, run, queue, fates, outbox } = setUp();
    fates.post.push('taken, crash');
    await put({ name: 'P001' });
    await Promise.race([run(queue), killed()]);
    await outbox.drop('s-1', Infinity);
    expect(await outbox.queues()).toEqual([{ queue, waiting: 0, oldestAt: undefined }]);
  });

  test.each(['missing_scope', 'team_access_not_granted', 'accesslimited'])(
    'is closed to the bot, too, where Slack answers %s: its owner is notified at once',
    async (code) => {
      const { run, queue, put, posted, fates, closed } = setUp();
      fates.post.push(platformError('forbidden', { code }));
      await put({});
      await run(queue);
      expect([closed, posted]).toEqual([[['T1', 'C1', code]], []]);
    },
  );

  test('pauses where it cannot ask the channel, and asks when that is over', async () => {
    const subscriptions = [subscription()];
    const { put, drain, fates, posted, closed, lookups } = setUp(subscriptions);
    fates.post.push('taken');
    fates.find.push(platformError('closed', { code: 'not_in_channel' }));
    await put({ name: 'P001' });
    await drain();
    expect({ closed, lookups }).toEqual({ closed: [['T1', 'C1', 'not_in_channel']], lookups: [] });
    subscriptions[0]!.pause = null;
    await drain();
    expect(lookups).toHaveLength(1);
    expect(posted).toHaveLength(1);
  });

  test('keeps what comes while somebody paused it, and runs again when the first of its pauses ends', async () => {
    const paused = (id: string, until: number | null) => subscription({ id, pause: { since: 0, until, by: 'U1' } });
    const { put, drain, run, queue, posted, clock } = setUp([
      paused('s-1', 1_060_000),
      paused('s-2', 1_070_000),
      paused('s-3', null),
    ]);
    await put({ name: 'P001' });
    expect(await run(queue)).toBe(1_060_000);
    clock.now = 1_060_000;
    await drain();
    expect(posted).toHaveLength(1);
  });

  test('posts for the other subscriptions of a channel while one is paused', async () => {
    const paused = subscription({ id: 's-2', pause: { since: 0, until: null, by: 'U1' } });
    const { put, drain, posted, waiting } = setUp([subscription(), paused]);
    await put({ name: 'P001', by: 's-2' }, { name: 'P002' });
    await drain();
    expect([posted.map(announcedNames), await waiting()]).toEqual([[['P002']], 1]);
  });

  test('drops what waits for a subscription that is gone, or that is in another channel', async () => {
    const { put, drain, posted, outbox } = setUp([subscription(), subscription({ id: 's-2', channelId: 'C2' })]);
    await put({ name: 'P001', by: 'gone' }, { name: 'P002' }, { name: 'P003', by: 's-2' });
    await drain();
    expect(posted.map(announcedNames)).toEqual([['P002']]);
    expect(await outbox.queues()).toEqual([]);
    const none = setUp([]);
    await none.put({ name: 'P001' });
    await none.drain();
    expect([none.posted, await none.outbox.queues()]).toEqual([[], []]);
  });

  test('keeps what waits for a subscription that is made meanwhile', async () => {
    const subscriptions = [subscription()];
    const { put, run, queue, outbox, waiting, posted, drain } = setUp(subscriptions);
    await put({ name: 'P001', by: 's-2' });
    const read = outbox.waiting.bind(outbox);
    outbox.waiting = async (...asked) => {
      if (subscriptions.length === 1) subscriptions.push(subscription({ id: 's-2' }));
      return read(...asked);
    };
    expect(await run(queue)).toBe(begin);
    expect(await waiting()).toBe(1);
    await drain();
    expect(posted.map(announcedNames)).toEqual([['P001']]);
  });

  describe('in threads', () => {
    const inThreads = () => setUp([subscription({ delivery: { kind: 'thread' } })]);

    test('keeps the counts of the head up to date', async () => {
      const { put, drain, posted, updates } = inThreads();
      await put({ name: 'P001' });
      await drain();
      await put(
        { name: 'P002', outcome: 'failed', percentage: 30 },
        { name: 'P003', outcome: 'failed', percentage: 0 },
      );
      await drain();
      expect(posted.map(({ threadId }) => threadId)).toEqual([undefined, '1', '1']);
      expect(updates).toMatchObject([
        {
          channelId: 'C1',
          messageId: '1',
          announcement: { kind: 'thread-head', counts: { submitted: 3, passed: 1, percentagesTotal: 120 } },
        },
      ]);
      await put({ name: 'P004' });
      await drain();
      expect([posted.at(-1)!.threadId, updates.at(-1)!.announcement]).toMatchObject([
        '1',
        { counts: { submitted: 4 } },
      ]);
    });

    test('updates the head every ten seconds while submissions keep coming', async () => {
      const { put, run, queue, updates, clock } = inThreads();
      const updatedAt: number[] = [];
      for (let second = 0; second < 40; second += 1) {
        await put({ name: 'P001' });
        const before = updates.length;
        await run(queue);
        if (updates.length > before) updatedAt.push(second);
        clock.now += 1_000;
      }
      expect(updatedAt.slice(1).map((second, index) => second - updatedAt[index]!)).toEqual([10, 10, 10]);
    });

    test('gives up a head that no longer changes, and tries others again', async () => {
      for (const [failure, updatesLater] of [
        [platformError('thread_gone'), 0],
        [platformError('closed'), 0],
        [refused(), 1],
        [rateLimited(5), 1],
      ] as const) {
        const { put, drain, fates, updates, posted, closed } = inThreads();
        await put({ name: 'P001' });
        await drain();
        fates.update.push(failure);
        await put({ name: 'P002' });
        await drain();
        expect([updates.length, posted.length, closed]).toEqual([updatesLater, 3, []]);
      }
    });

    test('drops the submission whose head is refused for its form after some tries, and goes on', async () => {
      const { put, drain, posted, fates, outcomes } = inThreads();
      fates.post.push(...Array.from({ length: 5 }, () => platformError('bad_message')));
      await put({ name: 'P001' }, { name: 'P002', quizId: 'q-2' });
      await drain();
      expect(posted.map(announcedNames)).toEqual([[], ['P002']]);
      expect(await outcomes()).toMatchObject({ set_aside: 1, posted: 2 });
    });

    test('begins another thread where the head is gone', async () => {
      const { put, drain, posted, fates } = inThreads();
      await put({ name: 'P001' });
      await drain();
      fates.post.push(platformError('thread_gone', { code: 'thread_not_found' }));
      await put({ name: 'P002' });
      await drain();
      expect(posted.map(({ threadId }) => threadId)).toEqual([undefined, '1', undefined, '3']);
    });

    test('begins another thread the next day, and forgets one that had no message for two days', async () => {
      const { put, drain, posted, clock, outbox, queue } = inThreads();
      const threads = async () => Object.keys((await outbox.stateOf<ChannelState>(queue)).state?.threads ?? {}).length;
      await put({ name: 'P001' });
      await drain();
      clock.now += 86_400_000;
      await put({ name: 'P002' });
      await drain();
      expect([posted.map(({ threadId }) => threadId), await threads()]).toEqual([[undefined, '1', undefined, '3'], 2]);
      clock.now += 86_400_000;
      await put({ name: 'P003' });
      await drain();
      expect(await threads()).toBe(2);
    });

    test('looks for a head outside threads, and for a reply in its thread after the head', async () => {
      const { put, drain, fates, lookups, posted } = inThreads();
      fates.post.push('taken', 'taken');
      await put({ name: 'P001' });
      await drain();
      expect(lookups).toEqual([
        { channelId: 'C1', key: 'm-1', threadId: undefined, after: undefined },
        { channelId: 'C1', key: 'm-2', threadId: '1', after: '1' },
      ]);
      fates.post.push('taken');
      await put({ name: 'P002', quizId: 'q-2' });
      await drain();
      expect(lookups[2]).toEqual({ channelId: 'C1', key: 'm-3', threadId: undefined, after: '1' });
      expect(posted.map(({ threadId }) => threadId)).toEqual([undefined, '1', undefined, '3']);
    });

    test('posts again where the thread of a message in flight is gone', async () => {
      const { put, drain, fates, posted, lookups } = inThreads();
      fates.post.push('ok', 'lost');
      fates.find.push(platformError('thread_gone'));
      await put({ name: 'P001' });
      await drain();
      expect(posted.map((one) => [one.threadId, announcedNames(one)])).toEqual([
        [undefined, []],
        ['1', ['P001']],
      ]);
      expect(lookups).toEqual([]);
    });
  });

  test('whatever happens to it, everything is announced once and in order', async () => {
    const fate = fc.oneof(
      fc.constantFrom<Fate[]>('ok', 'lost', 'taken', 'taken, crash', 'crash', refused(), tooLong),
      fc.integer({ min: 1, max: 90 }).map(rateLimited),
    );
    const step = fc.oneof(
      fc.record({ come: fc.integer({ min: 1, max: 5 }) }),
      fc.record({ runs: fc.integer({ min: 1, max: 4 }) }),
    );
    const mode = fc.constantFrom<Subscription['delivery']>({ kind: 'each' }, { kind: 'thread' });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fate, { maxLength: 12 }),
        fc.array(step, { maxLength: 12 }),
        mode,
        fc.constantFrom(1, 2, 3, Infinity),
        async (fates, steps, delivery, itemsAtMost) => {
          const stage = setUp([subscription({ delivery })]);
          stage.limits.itemsAtMost = itemsAtMost;
          stage.fates.post.push(...fates);
          let people = 0;
          for (const one of steps) {
            if ('come' in one)
              await stage.put(
                ...Array.from({ length: one.come }, () => ({ name: `P${String((people += 1)).padStart(3, '0')}` })),
              );
            else
              for (let ran = 0; ran < one.runs; ran += 1) {
                const next = await Promise.race([stage.run(stage.queue), killed()]);
                if (typeof next === 'number') stage.clock.now = Math.max(stage.clock.now, next);
              }
          }
          await stage.drain();
          expect(stage.posted.flatMap(announcedNames)).toEqual(
            Array.from({ length: people }, (_, index) => `P${String(index + 1).padStart(3, '0')}`),
          );
          expect(await stage.outbox.queues()).toEqual([]);
        },
      ),
      { numRuns: runs(200) },
    );
  });
});

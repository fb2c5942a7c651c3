import type { LiveMessage } from '../../../src/operations/services/platform.ts';
import { liveMachine, type LiveState } from '../../../src/features/delivery/live-messages.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPace, type Pace } from '../../../src/time/timers.ts';
import type { Announcement } from '../../../src/domain/announcement.ts';
import type { BatchProgress } from '../../../src/domain/batch.ts';
import { liveQueue } from '../../../src/domain/queues.ts';
import { recordingLog } from '../../support/log.ts';
import { createMemoryChannel, platformError, type Fate } from '../../support/memory-channel.ts';
import { campaignOf, retentionMs } from '../../support/builders/campaigns.ts';
import { killed, runMachine } from '../../support/run-machine.ts';
import { createMemoryOutbox } from '../../support/memory-outbox.ts';
import { runs } from '../../support/drawn.ts';

const begin = 1_000_000;
const queue = liveQueue('T1', 'batch-1');
const batch: BatchProgress['batch'] = {
  id: '1',
  action: 'assign',
  ownerId: 'UTOM',
  state: 'running',
  startedAt: begin,
  endedAt: null,
};
const progress = (done: number): Announcement => ({
  kind: 'batch-progress',
  progress: { batch, total: 100, done, failed: 0, skipped: 0, readyAt: undefined },
  now: 0,
});
const doneIn = (announcement: Announcement) =>
  announcement.kind === 'batch-progress' ? announcement.progress.done : announcement.kind;

/** Who is told why the message is not there. */
const whenClosed = {
  personId: 'UTOM',
  note: ({ why }: { why: string }) => ({ heading: `The channel is closed: ${why}` }),
};
const noteOf = (code: string) => ({ kind: 'note', note: whenClosed.note({ why: code }) });

function setUp({ turn }: { turn?: Pace['turn'] } = {}) {
  const clock = { now: begin };
  const now = () => clock.now;
  const outbox = createMemoryOutbox();
  const memory = createMemoryChannel(now);
  const { log, lines } = recordingLog();
  const live: { message: LiveMessage | undefined } = {
    message: { to: { channelId: 'C1' }, announcement: progress(0), isFinal: false },
  };
  let ids = 0;
  const machine = liveMachine({
    channel: memory.channel,
    content: async () => live.message,
    pace: { ...createPace({ everyMs: 0, burst: 1, now }), ...(turn && { turn }) },
    retentionMs,
    newId: () => `m-${(ids += 1)}`,
    log,
  });
  const createRun = () => runMachine(machine, { outbox, now });
  let run = createRun();

  /** Has the message show what is given. */
  function show(announcement: Announcement, isFinal = false): void {
    live.message = { to: { channelId: 'C1' }, ...live.message, announcement, isFinal };
    outbox.putNow([{ queue, subscriptionId: 'campaigns', at: clock.now, content: { kind: 'refresh' } }]);
  }

  /** Runs the queue at the times it asks for, until a moment, or until nothing is left. A run that hangs was killed. */
  async function drain(until = Infinity): Promise<void> {
    for (let ran = 0; ran < 5_000; ran += 1) {
      const next = await Promise.race([run(queue), killed()]);
      if (next === 'killed') run = createRun();
      else if (next === undefined || next > until) return;
      else clock.now = Math.max(clock.now, next);
    }
    throw new Error('the queue never comes to an end');
  }

  const waiting = async () => (await outbox.waiting(queue, { limit: 999 })).length;
  const state = async () => (await outbox.stateOf<LiveState>(queue)).state;
  const shown = () => [...memory.posted, ...memory.updates].map(({ announcement }) => doneIn(announcement));
  return { ...memory, machine, clock, outbox, live, run: () => run(queue), show, drain, waiting, state, shown, lines };
}

describe('a live message', () => {
  test('is posted in the conversation with a person', async () => {
    const { show, drain, posted, live, fates } = setUp();
    live.message = { to: { personId: 'UTOM' }, announcement: progress(0), isFinal: false };
    show(progress(1));
    fates.openDirect.push(platformError('unclear'));
    await drain();
    expect(posted.map(({ channelId }) => channelId)).toEqual(['D-UTOM']);
  });

  test('changes at most 30 times a minute, and shows the last state within 3 seconds', async () => {
    const { show, drain, updates, clock, posted } = setUp();
    for (let count = 1; count <= 1_000; count += 1) {
      show(progress(count));
      clock.now = begin + count * 60;
      await drain(clock.now);
    }
    const lastAt = clock.now;
    await drain();
    const changes = [...posted, ...updates].map(({ at }) => at);
    for (const at of changes)
      expect(changes.filter((other) => other > at - 60_000 && other <= at).length).toBeLessThanOrEqual(30);
    expect(changes.length).toBeGreaterThan(25);
    expect(doneIn(updates.at(-1)!.announcement)).toBe(1_000);
    expect(updates.at(-1)!.at).toBeLessThanOrEqual(lastAt + 3_000);
  });

  test('is not changed where it would look the same', async () => {
    const { show, drain, updates, waiting } = setUp();
    show(progress(1));
    await drain();
    show({ ...progress(1), now: 5 } as Announcement);
    await drain();
    expect([updates.length, await waiting()]).toEqual([0, 0]);
  });

  test('does not change any more after its final state', async () => {
    const { show, drain, shown, waiting } = setUp();
    show(progress(1));
    await drain();
    show(progress(2), true);
    await drain();
    show(progress(3));
    await drain();
    expect([shown(), await waiting()]).toEqual([[1, 2], 0]);
    const ended = setUp();
    ended.show(progress(1), true);
    await ended.drain();
    ended.show(progress(2));
    await ended.drain();
    expect([ended.shown(), await ended.run()]).toEqual([[1], undefined]);
  });

  test('is posted a week late where nothing failed', async () => {
    const { show, drain, clock, shown } = setUp();
    show(progress(1));
    clock.now += 8 * 24 * 3_600_000;
    await drain();
    expect(shown()).toEqual([1]);
  });

  test.each<[Partial<LiveState>, boolean]>([
    [{}, false],
    [{ inFlight: { id: 'm-1', startedAt: begin, channelId: 'C1', shows: '' } }, true],
    [{ problem: { code: 'not_in_channel', isTold: false } }, true],
    [{ problem: { code: 'not_in_channel', isTold: true } }, false],
  ])('with %j has work without being asked: %j', (state, isBusy) => {
    expect(setUp().machine.isBusy({ failures: 0, notBefore: 0, ...state })).toBe(isBusy);
  });

  test('is left out where there is nothing to show', async () => {
    const { show, drain, posted, waiting, live } = setUp();
    show(progress(1));
    live.message = undefined;
    await drain();
    expect([posted.length, await waiting()]).toEqual([0, 0]);
  });

  test('is posted again where people deleted it, once: after the second time its owner is notified', async () => {
    const { show, drain, posted, updates, waiting, fates, state, direct, live } = setUp();
    const board = (name: string): Announcement => ({
      kind: 'campaign-board',
      campaign: campaignOf({ quiz: { id: 'q-1', name }, board: { channelId: 'C1', showsNames: true } }),
      assigning: undefined,
      now: 0,
    });
    live.message = { to: { channelId: 'C1' }, announcement: board('Fire'), isFinal: false, whenClosed };
    show(board('Fire'));
    await drain();
    const deleted = platformError('thread_gone', { code: 'message_not_found' });
    for (const name of ['Fire 2', 'Fire 3']) {
      fates.update.push(deleted);
      show(board(name));
      await drain();
    }
    expect(posted.map(({ announcement }) => announcement)).toMatchObject([board('Fire'), board('Fire 2')]);
    expect(direct).toEqual([{ personId: 'UTOM', announcement: noteOf('message_not_found') }]);
    show(board('Fire 4'));
    await drain();
    expect([posted.length, updates.length, await waiting(), (await state())?.isOver]).toEqual([2, 0, 0, true]);
    expect(direct).toHaveLength(1);
  });

  test('waits for a closed channel, tells the owner once, and gives up after a week', async () => {
    const campaign = campaignOf({ board: { channelId: 'C1', showsNames: true } });
    const board: Announcement = { kind: 'campaign-board', campaign, assigning: undefined, now: 0 };
    const closed = platformError('closed', { code: 'not_in_channel' });
    const { show, drain, posted, direct, fates, clock, live } = setUp();
    fates.post.push(closed, closed);
    live.message = { ...live.message!, whenClosed };
    show(board);
    await drain();
    expect(posted).toHaveLength(1);
    expect(clock.now - begin).toBeLessThan(3_600_000);
    const told = { personId: 'UTOM', announcement: noteOf('not_in_channel') };
    expect(direct).toEqual([told]);
    const forGood = setUp();
    forGood.fates.post.push(...Array.from({ length: 1_000 }, () => closed));
    forGood.live.message = { ...forGood.live.message!, whenClosed };
    forGood.show(board);
    await forGood.drain();
    expect([forGood.posted.length, forGood.direct, await forGood.waiting()]).toEqual([0, [told], 0]);
    expect(forGood.clock.now - begin).toBeGreaterThan(7 * 24 * 3_600_000);
  });

  test.each<[what: string, teller: Fate[], whenClosed: LiveMessage['whenClosed'], direct: number, minutes: number]>([
    ['until they can be told', [platformError('unclear')], whenClosed, 1, 2],
    ['not where their own conversation is closed', [platformError('closed')], whenClosed, 0, 1],
    ['not where it has no owner', [], undefined, 0, 1],
  ])(
    'whose channel is closed has its owner told %s, and is posted when it opens',
    async (_, teller, owner, told, minutes) => {
      const { show, drain, posted, direct, fates, live, outbox, lines } = setUp();
      fates.post.push(platformError('forbidden', { code: 'missing_scope' }));
      fates.sendDirect.push(...teller);
      live.message = { ...live.message!, ...(owner && { whenClosed: owner }) };
      show(progress(1));
      await drain();
      expect([posted.map(({ at }) => at - begin), direct.length]).toEqual([[minutes * 60_000], told]);
      expect(await outbox.queues()).toEqual([]);
      expect(JSON.parse(lines[0]!)).toMatchObject({
        level: 'error',
        code: 'missing_scope',
        msg: 'a live message is not up to date yet (forbidden)',
      });
    },
  );

  test('that the platform has no time for is only warned of', async () => {
    const { show, drain, posted, fates, lines } = setUp();
    fates.post.push(platformError('rate_limited', { retryAfterMs: 5_000 }));
    show(progress(1));
    await drain();
    expect(posted.map(({ at }) => at - begin)).toEqual([5_000]);
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([{ level: 'warn' }]);
  });

  test('waits for the turn of all live messages, before anything is asked of the platform', async () => {
    const { show, run, posted, clock } = setUp({ turn: () => clock.now + 700 });
    show(progress(1));
    expect([await run(), posted]).toEqual([begin + 700, []]);
  });

  test('is looked for where the answer to its last state was lost, and shows it then', async () => {
    const { show, drain, fates, shown, state, lookups } = setUp();
    fates.post.push('taken');
    show(progress(1), true);
    await drain();
    expect([shown(), (await state())?.isOver, lookups]).toMatchObject([[1], true, [{ channelId: 'C1', key: 'm-1' }]]);
  });

  test('is given up where the platform does not take its form', async () => {
    const { show, drain, posted, fates, waiting } = setUp();
    fates.post.push(...Array.from({ length: 10 }, () => platformError('bad_message')));
    show(progress(1));
    await drain();
    expect([posted.length, await waiting(), fates.post.length]).toEqual([0, 0, 5]);
  });

  test('whatever fails, there is one message, and it shows the last state', async () => {
    const fate = fc.constantFrom<Fate>(
      'ok',
      'ok',
      'ok',
      'lost',
      'taken',
      'crash',
      'taken, crash',
      platformError('rate_limited', { retryAfterMs: 5_000 }),
      platformError('unclear'),
      platformError('refused'),
    );
    const some = fc.array(fate, { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(
        some,
        some,
        some,
        fc.array(fc.nat(4_000), { minLength: 1, maxLength: 10 }),
        async (posts, changes, lookups, pauses) => {
          const { show, drain, posted, updates, fates, clock, waiting } = setUp();
          fates.post.push(...posts);
          fates.update.push(...changes);
          fates.find.push(...lookups);
          for (const [index, pauseMs] of pauses.entries()) {
            show(progress(index), index === pauses.length - 1);
            clock.now += pauseMs;
            await drain(clock.now);
          }
          await drain();
          expect(posted).toHaveLength(1);
          expect([doneIn([...posted, ...updates].at(-1)!.announcement), await waiting()]).toEqual([
            pauses.length - 1,
            0,
          ]);
        },
      ),
      { numRuns: runs(40) },
    );
  });
});

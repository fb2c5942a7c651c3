import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createChannelQueue } from '../../src/alerts/channel-queue.ts';
import { channelQueue } from '../../src/alerts/queue-names.ts';
import type { SlackChannel } from '../../src/alerts/slack-channel.ts';
import { createMetrics } from '../../src/observability/metrics.ts';
import type { Submission } from '../../src/domain/queue-entry.ts';
import type { Subscription } from '../../src/domain/subscription.ts';
import { recordingLog } from '../support/log.ts';
import { createMemoryOutbox } from '../support/memory-outbox.ts';
import { submission, subscription } from '../support/builders/alerts.ts';

const platformError = (error: string) => Object.assign(new Error(error), { code: 'slack_webapi_platform_error', data: { ok: false, error } });
const rateLimited = (retryAfter: number) => Object.assign(new Error('rate'), { code: 'slack_webapi_rate_limited_error', retryAfter });
const cut = () => Object.assign(new Error('socket hang up'), { code: 'slack_webapi_request_error' });

interface Posted {
  ts: string;
  id: string | undefined;
  threadTs: string | undefined;
  text: string;
  at: number;
}

/** What befalls one call of Slack: nothing, a refusal, or a cut before or after it was carried out; `crash` ends the process there. */
type Fate = 'ok' | 'refused' | 'lost' | 'taken' | 'taken, crash' | 'crash' | { retryAfter: number } | { error: string };

/** A process that is killed does not get to say what went wrong. */
const never = new Promise<string>(() => {});

/** A channel whose clock and Slack are the test's. `fates` are those of the posts to come; of what is found, all goes well. */
function setUp(subscriptions: Subscription[] = [subscription()]) {
  const outbox = createMemoryOutbox();
  const { log } = recordingLog();
  const clock = { now: 1_000_000 };
  const posted: Posted[] = [];
  const fates: Fate[] = [];
  const closed: string[] = [];
  const changes: { ts: string; text: string }[] = [];
  let lastTs = 0;
  let lastId = 0;
  const slack: SlackChannel = {
    async post(_channel, message, { id, threadTs } = {}) {
      const fate = fates.shift() ?? 'ok';
      if (fate === 'refused') throw platformError('team_access_not_granted');
      if (fate === 'lost') throw cut();
      if (fate === 'crash') return never;
      if (typeof fate === 'object') throw 'error' in fate ? platformError(fate.error) : rateLimited(fate.retryAfter);
      const ts = String((lastTs += 1));
      posted.push({ ts, id, threadTs, text: JSON.stringify(message), at: clock.now });
      if (fate === 'taken') throw cut();
      if (fate === 'taken, crash') return never;
      return ts;
    },
    async find(_channel, id, { threadTs }) {
      return posted.find((one) => one.id === id && one.threadTs === threadTs)?.ts;
    },
    async change(_channel, ts, message) {
      changes.push({ ts, text: JSON.stringify(message) });
    },
  };
  const queue = channelQueue('T1', 'C1');
  const run = createChannelQueue({
    outbox,
    slack,
    subscriptions: async () => subscriptions,
    onClosed: async (_team, _channel, code) => {
      closed.push(code);
      for (const one of subscriptions) one.pause = { since: clock.now, until: null, by: null, code };
    },
    newId: () => `m-${(lastId += 1)}`,
    log,
    metrics: createMetrics(),
    now: () => clock.now,
  });

  async function wait(...submissions: (Partial<Submission> & { by?: string })[]): Promise<void> {
    const entries = submissions.map(({ by = 's-1', ...one }) => ({ queue, subscriptionId: by, at: clock.now, content: { kind: 'submission' as const, submission: submission(one) } }));
    await outbox.fanOut([{ eventId: crypto.randomUUID(), entries }]);
  }

  /** Runs the queue as its answers say until it has nothing to do. A run that hangs was killed. */
  async function drain(): Promise<void> {
    for (let runs = 0; runs < 1_000; runs += 1) {
      const next = await Promise.race([run(queue), killed()]);
      if (next === undefined) return;
      if (next !== 'killed') clock.now = Math.max(clock.now, next);
    }
    throw new Error('the queue never comes to an end');
  }

  const namesOf = ({ text }: Posted) => [...text.matchAll(/P\d{3}/g)].map(([name]) => name).filter((name, index, all) => all.indexOf(name) === index);
  return { outbox, clock, posted, fates, closed, changes, queue, run, wait, drain, namesOf };
}

/** Long after everything that does not hang has ended, since no call in these tests takes time. */
async function killed(): Promise<'killed'> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  return 'killed';
}

describe('a channel’s queue', () => {
  test('posts a single submission as a message of its own, with what tells it again', async () => {
    const { wait, drain, posted } = setUp();
    await wait({ name: 'P001' });
    await drain();
    expect(posted).toMatchObject([{ id: 'm-1', threadTs: undefined, text: expect.stringContaining('P001') }]);
  });

  test('posts what piled up as one message, a second after the one before', async () => {
    const { wait, drain, run, queue, posted, namesOf, clock } = setUp();
    await wait({ name: 'P001' });
    const next = await run(queue);
    expect(next).toBe(clock.now + 1_000);
    await wait({ name: 'P002' }, { name: 'P003' }, { name: 'P004' });
    expect(await run(queue)).toBe(next);
    await drain();
    expect(posted.map(namesOf)).toEqual([['P001'], ['P002', 'P003', 'P004']]);
    expect(posted[1]!.at - posted[0]!.at).toBe(1_000);
  });

  test('waits as long as Slack says, and sends no second message for it', async () => {
    const { wait, drain, fates, posted, clock } = setUp();
    const begun = clock.now;
    fates.push({ retryAfter: 17 });
    await wait({ name: 'P001' });
    await drain();
    expect(posted.map(({ at }) => at - begun)).toEqual([17_000]);
  });

  test('waits longer from failure to failure, up to five minutes, for as long as it takes', async () => {
    const { wait, run, queue, fates, clock } = setUp();
    fates.push(...Array.from({ length: 12 }, () => 'refused' as const));
    await wait({ name: 'P001' });
    const waits: number[] = [];
    for (let failure = 0; failure < 12; failure += 1) {
      const next = (await run(queue)) ?? Infinity;
      waits.push((next - clock.now) / 1_000);
      clock.now = next;
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]);
  });

  test.each(['lost', 'taken', 'crash', 'taken, crash', { error: 'internal_error' }] as const)('asks the channel whether a message is there before it posts again: %j', async (fate) => {
    const { wait, drain, fates, posted, namesOf } = setUp();
    fates.push(fate);
    await wait({ name: 'P001' });
    await drain();
    expect(posted.map(namesOf)).toEqual([['P001']]);
  });

  test('pauses where Slack does not let it post, keeps what waits, and posts it afterwards', async () => {
    const subscriptions = [subscription()];
    const { wait, drain, fates, posted, closed, namesOf, outbox, queue } = setUp(subscriptions);
    fates.push({ error: 'not_in_channel' });
    await wait({ name: 'P001' });
    await drain();
    await wait({ name: 'P002' });
    await drain();
    expect({ closed, posted, waiting: (await outbox.waiting(queue, { limit: 9 })).length }).toEqual({ closed: ['not_in_channel'], posted: [], waiting: 2 });
    subscriptions[0]!.pause = null;
    await drain();
    expect(posted.map(namesOf)).toEqual([['P001', 'P002']]);
  });

  test('keeps what comes while somebody paused it, and runs again when that is over', async () => {
    const { wait, drain, run, queue, posted, clock } = setUp([subscription({ pause: { since: 0, until: 1_060_000, by: 'U1' } })]);
    await wait({ name: 'P001' });
    expect(await run(queue)).toBe(1_060_000);
    clock.now = 1_060_000;
    await drain();
    expect(posted).toHaveLength(1);
  });

  test('drops what waits for a subscription that is gone', async () => {
    const { wait, drain, posted, namesOf, outbox } = setUp();
    await wait({ name: 'P001', by: 'gone' }, { name: 'P002' });
    await drain();
    expect(posted.map(namesOf)).toEqual([['P002']]);
    expect(await outbox.queues()).toEqual([]);
  });

  test('is not stopped for a day by a clock that was set back', async () => {
    const { wait, drain, run, queue, clock, posted } = setUp();
    await wait({ name: 'P001' });
    await run(queue);
    clock.now -= 86_400_000;
    await wait({ name: 'P002' });
    await run(queue);
    expect(posted).toHaveLength(2);
    await drain();
  });

  describe('in threads', () => {
    const inThreads = () => setUp([subscription({ delivery: { kind: 'thread' } })]);

    test('begins a thread a quiz and day, and posts into it', async () => {
      const { wait, drain, posted, namesOf, changes } = inThreads();
      await wait({ name: 'P001' }, { name: 'P002', quizId: 'q-2', quizName: 'First aid' }, { name: 'P003' });
      await drain();
      expect(posted.map((one) => [one.threadTs, namesOf(one)])).toEqual([
        [undefined, []],
        ['1', ['P001', 'P003']],
        [undefined, []],
        ['3', ['P002']],
      ]);
      expect(changes).toEqual([]);
    });

    test('keeps the counts of the first message up to date', async () => {
      const { wait, drain, posted, changes } = inThreads();
      await wait({ name: 'P001' });
      await drain();
      await wait({ name: 'P002', passed: false }, { name: 'P003', passed: false });
      await drain();
      expect(posted.map(({ threadTs }) => threadTs)).toEqual([undefined, '1', '1']);
      expect(changes).toEqual([{ ts: '1', text: expect.stringContaining('3 submitted · 1 passed (33.3 %)') }]);
    });

    test('begins another thread where the first message is gone', async () => {
      const { wait, drain, posted, fates } = inThreads();
      await wait({ name: 'P001' });
      await drain();
      fates.push({ error: 'thread_not_found' });
      await wait({ name: 'P002' });
      await drain();
      expect(posted.map(({ threadTs }) => threadTs)).toEqual([undefined, '1', undefined, '3']);
    });

    test('begins another thread the next day', async () => {
      const { wait, drain, posted, clock } = inThreads();
      await wait({ name: 'P001' });
      await drain();
      clock.now += 86_400_000;
      await wait({ name: 'P002' });
      await drain();
      expect(posted.map(({ threadTs }) => threadTs)).toEqual([undefined, '1', undefined, '3']);
    });
  });

  test('whatever befalls it, everything is told once and in order', async () => {
    const fate = fc.oneof(
      fc.constantFrom<Fate[]>('ok', 'refused', 'lost', 'taken', 'taken, crash', 'crash'),
      fc.record({ retryAfter: fc.integer({ min: 1, max: 90 }) }),
      fc.constant({ error: 'fatal_error' }),
    );
    const step = fc.oneof(fc.record({ come: fc.integer({ min: 1, max: 5 }) }), fc.record({ runs: fc.integer({ min: 1, max: 4 }) }));
    const mode = fc.constantFrom<Subscription['delivery']>({ kind: 'each' }, { kind: 'thread' });
    await fc.assert(
      fc.asyncProperty(fc.array(fate, { maxLength: 12 }), fc.array(step, { maxLength: 12 }), mode, async (fates, steps, delivery) => {
        const stage = setUp([subscription({ delivery })]);
        stage.fates.push(...fates);
        let people = 0;
        for (const one of steps) {
          if ('come' in one) await stage.wait(...Array.from({ length: one.come }, () => ({ name: `P${String((people += 1)).padStart(3, '0')}` })));
          else for (let runs = 0; runs < one.runs; runs += 1) {
            const next = await Promise.race([stage.run(stage.queue), killed()]);
            if (typeof next === 'number') stage.clock.now = Math.max(stage.clock.now, next);
          }
        }
        await stage.drain();
        const told = stage.posted.flatMap(stage.namesOf);
        expect(told).toEqual(Array.from({ length: people }, (_, index) => `P${String(index + 1).padStart(3, '0')}`));
        expect(await stage.outbox.queues()).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});

import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { digestMachine, digestStep } from '../../../../src/features/delivery/digests.ts';
import type { QuizResponse } from '../../../../src/quiz-api/responses.ts';
import type { Digest, Submission } from '../../../../src/domain/queues.ts';
import type { Subscription } from '../../../../src/domain/subscription.ts';
import { recordingLog } from '../../../support/log.ts';
import { runMachine } from '../../../support/run-machine.ts';
import { createMemoryOutbox } from '../../../support/memory-outbox.ts';
import { submission, subscription } from '../../../support/builders/alerts.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const queue = 'digest/T1/s-1';
const channel = 'channel/T1/C1';
/** A Saturday, 08:10 in Berlin. */
const created = Date.UTC(2026, 10, 21, 7, 10);
const at = (hours: number, minutes = 0) => Date.UTC(2026, 10, 21, hours, minutes);

/** An hourly digest in Berlin, unless said otherwise, with a clock one can set. */
function setUp(
  overrides: Partial<Subscription> = {},
  list: (quizId: string) => Promise<QuizResponse[]> = async () => [],
) {
  let current: Subscription | undefined = subscription({
    delivery: { kind: 'digest', every: 'hour' },
    timeZone: 'Europe/Berlin',
    createdAt: created,
    ...overrides,
  });
  let now = created;
  let submitted = 0;
  const outbox = createMemoryOutbox();
  const commit = vi.spyOn(outbox, 'commit');
  const wake = vi.fn((_queue: string) => {});
  const responses = { list: vi.fn(list) };
  const { log, lines } = recordingLog();
  const machine = digestMachine({
    responses,
    subscriptionOf: async (teamId, id) => (teamId === current?.teamId && id === current.id ? current : undefined),
    log,
    now: () => now,
  });
  const runQueue = runMachine(machine, { outbox, now: () => now, onWake: wake });
  return {
    outbox,
    commit,
    wake,
    responses,
    lines,
    change: (changes: Partial<Subscription> | undefined) => {
      current = current && changes && { ...current, ...changes };
    },
    run: async (time: number) => {
      now = time;
      return runQueue(queue);
    },
    submit: async (time: number, what: Partial<Submission> = {}) => {
      submitted += 1;
      const responseId = `r-${submitted}`;
      outbox.putNow([
        {
          queue,
          subscriptionId: 's-1',
          at: time,
          content: { kind: 'submission', submission: submission({ responseId, ...what }) },
        },
      ]);
    },
    digests: async () => {
      const entries = await outbox.waiting(channel, { limit: 1_000 });
      return entries.map(({ content }) => (content as { digest: Digest }).digest);
    },
    left: async () => (await outbox.waiting(queue, { limit: 10_000 })).length,
  };
}

describe('the queue of a digest', () => {
  test('makes one digest of what was put there before the time, and keeps the rest for the next', async () => {
    const { run, submit, digests, left, outbox, wake, lines } = setUp();
    expect(await run(created)).toBe(at(8));
    await submit(at(7, 20));
    await submit(at(7, 50), { outcome: 'failed', percentage: 40 });
    await submit(at(8));
    expect(await run(at(7, 59))).toBe(at(8));
    expect(await digests()).toEqual([]);
    expect(await run(at(8) + 200)).toBe(at(9));
    expect(await digests()).toMatchObject([
      { from: created, to: at(8), quizzes: [{ submitted: 2, passed: 1, mean: 65, failedNames: ['Rosa Almeida'] }] },
    ]);
    expect(await outbox.waiting(channel, { limit: 1 })).toMatchObject([{ subscriptionId: 's-1', at: at(8) + 200 }]);
    expect(await left()).toBe(1);
    expect(wake.mock.calls).toEqual([[channel]]);
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { level: 'info', subscription: 's-1', submissions: 2, msg: 'digest made' },
    ]);
    expect(await run(at(9))).toBe(at(10));
    expect((await outbox.queues()).map((one) => one.queue)).toEqual([channel]);
    expect(await digests()).toMatchObject([{ to: at(8) }, { from: at(8), to: at(9), quizzes: [{ submitted: 1 }] }]);
  });

  test('says nothing where nothing was submitted, and only when it comes next', async () => {
    const { run, submit, digests, wake } = setUp();
    expect(await run(at(8))).toBe(at(9));
    expect(await digests()).toEqual([]);
    expect(wake).not.toHaveBeenCalled();
    await submit(at(8, 30));
    await run(at(9));
    expect(await digests()).toMatchObject([{ from: at(8), to: at(9) }]);
  });

  test('after an outage of years, it does not count the hours', async () => {
    const { run, submit, digests } = setUp();
    await submit(created);
    expect(await run(at(12, 40) + 10 * 365 * 24 * hourMs)).toBe(at(13) + 10 * 365 * 24 * hourMs);
    expect(await digests()).toMatchObject([{ from: created, to: at(12) + 10 * 365 * 24 * hourMs }]);
  });

  test('runs again when a pause ends by itself', async () => {
    const { run, submit, digests, change } = setUp();
    await submit(at(7, 20));
    change({ pause: { since: at(7, 30), until: at(9, 30), by: 'U1' } });
    expect(await run(at(8))).toBe(at(9, 30));
    expect(await run(at(9, 30))).toBe(at(10));
    expect(await digests()).toMatchObject([{ to: at(9), quizzes: [{ submitted: 1 }] }]);
  });

  test.each([
    ['is gone', undefined],
    ['is no digest', { delivery: { kind: 'each' } } satisfies Partial<Subscription>],
  ])('drops what is left where the subscription %s', async (_, changes) => {
    const { run, submit, left, change } = setUp();
    await submit(at(7, 20));
    change(changes);
    await run(at(8));
    expect(await run(at(8))).toBeUndefined();
    expect(await left()).toBe(0);
  });

  test('goes on where the clock was far ahead and is set back', async () => {
    const { run, outbox } = setUp();
    await run(at(12) + 100 * 24 * hourMs);
    expect(await run(at(8, 30))).toBe(at(9));
    expect(await outbox.queues()).toEqual([]);
    expect(await run(at(8, 40))).toBe(at(9));
  });

  test('comes without the comparison where the service does not answer', async () => {
    const { run, submit, digests, lines } = setUp({}, async () => Promise.reject(new Error('no answer')));
    await submit(at(7, 20));
    expect(await run(at(8))).toBe(at(9));
    const [digest] = await digests();
    expect(digest?.quizzes[0]?.weekBefore).toBeUndefined();
    expect(lines.join('\n')).toContain('without the week before');
  });
});

describe('the next step of a digest', () => {
  const hourly = { kind: 'digest', every: 'hour' } as const;
  const digested = (overrides: Partial<Subscription> = {}) => ({
    ...subscription({ timeZone: 'Europe/Berlin', createdAt: created, ...overrides }),
    delivery: hourly,
  });
  const dayMs = 24 * hourMs;

  test('is to begin anew where its time is more than three days away: the clock was set back', () => {
    expect(digestStep({ nextAt: at(9) + 3 * dayMs, from: 1 }, digested(), at(9))).toEqual({
      kind: 'wait',
      until: at(9) + 3 * dayMs,
    });
    expect(digestStep({ nextAt: at(9) + 3 * dayMs + 1, from: 1 }, digested(), at(9))).toEqual({
      kind: 'restart',
      state: { nextAt: at(10), from: at(9) },
    });
    expect(
      digestStep(
        { nextAt: at(9) + 9 * dayMs, from: 1 },
        digested({ pause: { since: 1, until: null, by: 'U1' } }),
        at(9),
      ),
    ).toMatchObject({ kind: 'restart' });
  });
});

test('whatever happens, every submission is in exactly one digest, and no digest covers what another does', async () => {
  const act = fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('submit' as const) }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('run' as const) }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 200 }) }),
    },
    fc.record({ kind: fc.constantFrom('lose' as const, 'die' as const, 'pause' as const, 'resume' as const) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 60, size: 'max' }), async (acts) => {
      const { run, submit, digests, left, commit, wake, change } = setUp();
      let time = created;
      let submitted = 0;
      for (const one of acts) {
        time += 1_000;
        if (one.kind === 'submit') await submit(time, { percentage: (submitted += 1) });
        else if (one.kind === 'run') await run(time).catch(() => {});
        else if (one.kind === 'wait') time += one.minutes * minuteMs;
        else if (one.kind === 'lose') commit.mockResolvedValueOnce(false);
        else if (one.kind === 'die')
          wake.mockImplementationOnce(() => {
            throw new Error('died');
          });
        else change({ pause: one.kind === 'pause' ? { since: time, until: null, by: 'U1' } : null });
      }
      commit.mockRestore();
      wake.mockReset();
      change({ pause: null });
      await run(time + 2 * hourMs);
      const made = await digests();
      expect(await left()).toBe(0);
      expect(made.flatMap(({ quizzes }) => quizzes.flatMap(({ percentages }) => percentages))).toEqual(
        Array.from({ length: submitted }, (_, index) => index + 1),
      );
      for (const [index, { from, to }] of made.entries())
        expect([from < to, from >= (made[index - 1]?.to ?? created)]).toEqual([true, true]);
    }),
  );
});

import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { digestMachine, digestOf, digestStep, loadWeekBefore } from '../../../src/features/delivery/digests.ts';
import type { QuizResponse } from '../../../src/quiz-api/responses.ts';
import type { Digest, Submission } from '../../../src/domain/queues.ts';
import type { Subscription, SubmissionFilter } from '../../../src/domain/subscription.ts';
import { markedPerson } from '../../../src/domain/said.ts';
import { isGraded } from '../../../src/domain/submission-outcome.ts';
import type { CallOptions } from '../../../src/quiz-api/transport.ts';
import { quizResponse } from '../../support/builders/responses.ts';
import { recordingLog } from '../../support/log.ts';
import { runMachine } from '../../support/run-machine.ts';
import { createMemoryOutbox } from '../../support/memory-outbox.ts';
import { submission, subscription } from '../../support/builders/alerts.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const queue = 'digest/T1/s-1';
const channel = 'channel/T1/C1';
/** A Saturday, 08:10 in Berlin. */
const created = Date.UTC(2026, 10, 21, 7, 10);
const at = (hours: number, minutes = 0) => Date.UTC(2026, 10, 21, hours, minutes);

/** An hourly digest in Berlin, unless said otherwise, with a clock one can set. */
function setUp() {
  let current: Subscription | undefined = subscription({
    delivery: { kind: 'digest', every: 'hour' },
    timeZone: 'Europe/Berlin',
    createdAt: created,
  });
  let now = created;
  let submitted = 0;
  const responses: QuizResponse[] = [];
  const outbox = createMemoryOutbox();
  const commit = vi.spyOn(outbox, 'commit');
  const wake = vi.fn((_queue: string) => {});
  const { log, lines } = recordingLog();
  const machine = digestMachine({
    responses: { list: async () => responses },
    subscriptionOf: async (teamId, id) => (teamId === current?.teamId && id === current.id ? current : undefined),
    log,
    now: () => now,
  });
  const runQueue = runMachine(machine, { outbox, now: () => now, onWake: wake });
  return {
    responses,
    outbox,
    commit,
    wake,
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

  test('covers the time up to the hour that it is, beside the week before of the same results', async () => {
    const { run, submit, digests, responses, change } = setUp();
    change({ filter: { kind: 'failed' } });
    const submitted = { date_submitted: new Date(created - 1) };
    responses.push(
      quizResponse({ ...submitted, percentage_score: 80 }),
      quizResponse({ ...submitted, percentage_score: 20, pass: false }),
      quizResponse({ date_submitted: new Date(created), percentage_score: 40, pass: false }),
    );
    await submit(at(7, 20), { outcome: 'failed' });
    expect(await run(at(9))).toBe(at(10));
    expect(await digests()).toMatchObject([
      { from: created, to: at(9), quizzes: [{ submitted: 1, weekBefore: { graded: 1, mean: 20 } }] },
    ]);
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
});

describe('the next step of a digest', () => {
  const hourly = { kind: 'digest', every: 'hour' } as const;
  const digested = (overrides: Partial<Subscription> = {}) => ({
    ...subscription({ timeZone: 'Europe/Berlin', createdAt: created, ...overrides }),
    delivery: hourly,
  });

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

const period = { from: 1_000, to: 2_000 };

test('a digest has the quiz with most submissions first, with counts, mean, percentages and who failed', () => {
  const submissions = [
    submission({ quizId: 'q-2', quizName: 'First aid', percentage: 55, outcome: 'failed', name: 'Tom Reed' }),
    submission({ percentage: 90 }),
    submission({ quizName: 'Fire safety 2026', percentage: 41, outcome: 'failed', name: 'Mei Tanaka', userId: 'u-7' }),
  ];
  expect(digestOf(submissions, period, new Map([['q-1', { graded: 3, mean: 60 }]]))).toEqual({
    from: 1_000,
    to: 2_000,
    quizzes: [
      {
        quizId: 'q-1',
        quizName: 'Fire safety 2026',
        submitted: 2,
        passed: 1,
        failed: 1,
        unmarked: 0,
        mean: 65.5,
        weekBefore: { graded: 3, mean: 60 },
        percentages: [90, 41],
        failedNames: [markedPerson('u-7', 'Mei Tanaka')],
      },
      {
        quizId: 'q-2',
        quizName: 'First aid',
        submitted: 1,
        passed: 0,
        failed: 1,
        unmarked: 0,
        mean: 55,
        percentages: [55],
        failedNames: ['Tom Reed'],
      },
    ],
  });
});

test('only graded submissions count in the mean and the percentages', () => {
  const ungraded = [
    submission({ outcome: 'not graded', percentage: 0 }),
    submission({ outcome: 'unmarked', percentage: 0 }),
    submission({ outcome: 'failed', percentage: null }),
  ];
  const one = digestOf([...ungraded, submission()], period, new Map()).quizzes;
  expect(one).toMatchObject([{ submitted: 4, passed: 1, failed: 1, unmarked: 1, mean: 90, percentages: [90] }]);
  expect(digestOf(ungraded.slice(0, 2), period, new Map()).quizzes).toMatchObject([
    { submitted: 2, passed: 0, failed: 0, mean: null, percentages: [] },
  ]);
});

test('every submission is in a digest once', () => {
  const submissions = fc
    .record({
      quizId: fc.constantFrom('q-1', 'q-2', 'q-3'),
      outcome: fc.constantFrom('passed', 'failed', 'not graded', 'unmarked'),
      percentage: fc.integer({ min: 0, max: 100 }),
    })
    .map(submission);
  fc.assert(
    fc.property(fc.array(submissions, { maxLength: 50 }), (all) => {
      const { quizzes } = digestOf(all, period, new Map());
      const submitted = Map.groupBy(all, ({ quizId }) => quizId);
      expect(new Map(quizzes.map((quiz) => [quiz.quizId, quiz.submitted]))).toEqual(
        new Map([...submitted].map(([quizId, own]) => [quizId, own.length])),
      );
      for (const quiz of quizzes) {
        const graded = (submitted.get(quiz.quizId) ?? []).filter(({ outcome }) => isGraded(outcome));
        expect(quiz.percentages).toEqual(graded.map(({ percentage }) => percentage));
        expect(quiz.passed + quiz.failed).toBe(graded.length);
        expect(quiz.failedNames).toHaveLength(quiz.failed);
      }
    }),
  );
});

const before = Date.UTC(2026, 10, 21);
const submittedAt = (ms: number, overrides: Partial<QuizResponse> = {}) =>
  quizResponse({ date_submitted: new Date(ms), ...overrides });

function openWeekBefore(answer: (quizId: string) => QuizResponse[]) {
  const list = vi.fn(async (quizId: string, _options?: CallOptions) => answer(quizId));
  const { log, lines } = recordingLog();
  const ask = async (quizIds: string[], filter: SubmissionFilter = { kind: 'all' }) =>
    loadWeekBefore({ responses: { list }, log, now: () => before + 500 }, quizIds, { filter, before });
  return { list, lines, ask };
}

test('the week before counts the graded submissions of the seven days before, and no other response', async () => {
  const { ask } = openWeekBefore((quizId) =>
    quizId === 'q-2'
      ? []
      : [
          submittedAt(before - 7 * dayMs - 1, { percentage_score: 1 }),
          submittedAt(before - 7 * dayMs, { percentage_score: 60 }),
          submittedAt(before - 1, { percentage_score: 81, pass: false }),
          submittedAt(before, { percentage_score: 2 }),
          quizResponse({ status: 'not_submitted', date_submitted: null, percentage_score: 3 }),
          submittedAt(before - 2, { status: 'not_submitted', percentage_score: 4 }),
          submittedAt(before - 3, { points: 0, grade: '', pass: false, percentage_score: 0 }),
        ],
  );
  expect(await ask(['q-1'])).toEqual(new Map([['q-1', { graded: 2, mean: 70.5 }]]));
  expect(await ask(['q-1'], { kind: 'failed' })).toEqual(new Map([['q-1', { graded: 1, mean: 81 }]]));
  expect(await ask(['q-2'])).toEqual(new Map([['q-2', { graded: 0, mean: null }]]));
});

test('the week before is asked for as background work, with a deadline, for ten quizzes at most', async () => {
  const { ask, list } = openWeekBefore(() => []);
  const weeks = await ask(Array.from({ length: 12 }, (_, index) => `q-${index}`));
  expect([...weeks.keys()]).toEqual(['q-0', 'q-1', 'q-2', 'q-3', 'q-4', 'q-5', 'q-6', 'q-7', 'q-8', 'q-9']);
  expect(list).toHaveBeenCalledTimes(10);
  for (const [, options] of list.mock.calls)
    expect(options).toEqual({ priority: 'background', deadline: before + 60_500 });
});

test('the week before leaves out a quiz for which the service does not answer, and logs it', async () => {
  const { ask, lines } = openWeekBefore((quizId) => {
    if (quizId === 'q-1') throw new Error('no answer');
    return [];
  });
  expect([...(await ask(['q-1', 'q-2'])).keys()]).toEqual(['q-2']);
  expect(lines).toEqual([expect.stringMatching(/"quiz":"q-1".*without the week before/)]);
});

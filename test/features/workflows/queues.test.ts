import { describe, expect, test } from 'vitest';
import type { ApprovalRequest } from '../../../src/domain/approval-request.ts';
import { PlatformError } from '../../../src/domain/errors.ts';
import { stepQueue, waitsQueue } from '../../../src/domain/queue-names.ts';
import { createOverdue } from '../../../src/durable/overdue.ts';
import type { AttemptResult, StepEnding, StepExecution } from '../../../src/domain/workflow.ts';
import type { FindGone } from '../../../src/features/workflows/find-gone.ts';
import {
  noLongerSeen,
  type ResultRead,
  type StepRun,
  type StepRunner,
} from '../../../src/features/workflows/run-step.ts';
import { createWorkflows } from '../../../src/features/workflows/workflows.ts';
import { recordingLog } from '../../support/log.ts';
import { createMemoryMail } from '../../support/memory-mail.ts';
import { createMemoryOutbox } from '../../support/memory-outbox.ts';
import { runMachine } from '../../support/run-machine.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const execution: StepExecution = { id: 'Fx1', teamId: 'T1', step: 'assign_quiz', inputs: {}, startedAt: 0 };
const done: StepRun = { kind: 'ended', ending: { kind: 'success', outputs: { message: 'Assigned.' } } };
const waiting: StepRun = { kind: 'waiting', personId: 'UADA', quizId: 'q-1', userId: 'u-1' };
const notTaken: ResultRead = { kind: 'read', attempts: [] };
const passed = { outcome: 'passed', points: 9, percentage: 90, grade: 'A', submittedAt: 1_000 } as const;
const unmarked = { outcome: 'unmarked', points: 0, percentage: 0, grade: '', submittedAt: 1_000 } as const;
const submission = {
  quizId: 'q-1',
  quizName: 'Fire',
  responseId: 'r-1',
  name: 'Rosa',
  isBackfilled: false,
  availablePoints: 10,
  attempt: 1,
  durationSeconds: 60,
  ...passed,
};

/** Workflows over an outbox in memory, with a runner and a platform that give these answers. */
function openWorkflows(
  options: {
    runs?: (StepRun | 'crash')[];
    reads?: ResultRead[];
    isRepeatable?: boolean;
    answers?: ('ended' | 'gone' | PlatformError)[];
    refusal?: () => string | undefined;
    /** What the responses say of everybody’s attempts. */
    attempts?: (AttemptResult | Error)[];
    isEnabled?: boolean;
    findGone?: () => Awaited<ReturnType<FindGone>>;
  } = {},
) {
  const clock = { now: 0 };
  const outbox = createMemoryOutbox();
  const { runs = [], reads = [], answers = [] } = options;
  const requests = new Map<string, ApprovalRequest>();
  const sent: [string, StepEnding][] = [];
  const ran: string[] = [];
  const markReadings: [string, readonly string[]][] = [];
  const runner: StepRunner = {
    isRepeatable: () => options.isRepeatable ?? false,
    async runStep({ id }) {
      ran.push(id);
      const run = runs.shift() ?? done;
      if (run === 'crash') throw new Error('killed');
      return run;
    },
    readResult: async () => reads.shift() ?? notTaken,
    refusalOf: async () => options.refusal?.(),
  };
  const workflows = createWorkflows({
    isEnabled: options.isEnabled ?? true,
    storage: {
      outbox,
      approvals: {
        byId: async (_team: string, id: string) =>
          requests.has(id) ? { request: requests.get(id)!, version: 1 } : undefined,
      } as never,
    },
    mail: createMemoryMail(outbox),
    async complete(id, ending) {
      const answer = answers.shift() ?? 'ended';
      if (answer instanceof PlatformError) throw answer;
      sent.push([id, ending]);
      return answer;
    },
    log: recordingLog().log,
    now: () => clock.now,
  });

  const looks: number[] = [];
  const { step, waits } = workflows.machines(runner, {
    async readAttempts(quizId, userIds) {
      markReadings.push([quizId, userIds]);
      const attempt = options.attempts?.shift() ?? passed;
      if (attempt instanceof Error) throw attempt;
      return new Map(userIds.map((userId) => [userId, [attempt]]));
    },
    async findGone() {
      looks.push(clock.now);
      return options.findGone?.() ?? { users: new Set(), quizzes: new Set() };
    },
  });
  const overdue = createOverdue({ kinds: ['step', 'waits'], now: () => clock.now });
  const running = { outbox, overdue, now: () => clock.now };
  const runners = { step: runMachine(step, running), waits: runMachine(waits, running) };

  /** Runs what is due now, as the queues would. @returns when something is due next */
  async function settle(): Promise<number | undefined> {
    for (let runsLeft = 100; runsLeft > 0; runsLeft -= 1) {
      const due: number[] = [];
      for (const { queue } of await outbox.queues()) {
        const at = await runners[queue.startsWith('step') ? 'step' : 'waits'](queue).catch(() => clock.now);
        if (at !== undefined) due.push(at);
      }
      if (due.every((at) => at > clock.now)) return due.length === 0 ? undefined : Math.min(...due);
    }
    throw new Error('the queues never rest');
  }
  const overdueSince = async () => overdue.sinceByKind(await outbox.queues());
  return { overdueSince, clock, outbox, workflows, requests, sent, ran, markReadings, looks, settle };
}

test('a run is carried out once and ended once, however often its event comes', async () => {
  const bed = openWorkflows();
  await bed.workflows.take(execution);
  await bed.workflows.take(execution);
  expect(await bed.settle()).toBeUndefined();
  await bed.workflows.take(execution);
  await bed.settle();
  expect([bed.ran, bed.sent]).toEqual([['Fx1'], [['Fx1', { kind: 'success', outputs: { message: 'Assigned.' } }]]]);
});

test('a run that was cut off is repeated where nothing can come of it twice, and is ended with an error elsewhere', async () => {
  const repeatable = openWorkflows({ runs: ['crash'], isRepeatable: true });
  await repeatable.workflows.take(execution);
  await repeatable.settle();
  expect([repeatable.ran.length, repeatable.sent.map(([, { kind }]) => kind)]).toEqual([2, ['success']]);
  const others = openWorkflows({ runs: ['crash'] });
  await others.workflows.take(execution);
  await others.settle();
  expect(others.ran).toHaveLength(1);
  expect(others.sent).toEqual([
    [
      'Fx1',
      {
        kind: 'error',
        message: 'The bot stopped while this step ran. Check whether it was done before you run the workflow again.',
      },
    ],
  ]);
});

test('while the service fails, a read is tried again for minutes, and a change that may have been made is not', async () => {
  const failed = (isRepeatable: boolean): StepRun => ({
    kind: 'failed',
    message: 'The quiz service didn’t answer.',
    isRepeatable,
  });
  const bed = openWorkflows({ runs: [failed(true), failed(true)] });
  await bed.workflows.take(execution);
  for (const at of [60_000, 120_000, undefined]) {
    expect(await bed.settle()).toBe(at);
    expect((await bed.overdueSince())['step']).toBe(at && 0);
    bed.clock.now = at ?? 0;
  }
  expect(bed.sent.map(([, { kind }]) => kind)).toEqual(['success']);
  const change = openWorkflows({ runs: [failed(false)] });
  await change.workflows.take(execution);
  await change.settle();
  expect(change.sent).toEqual([['Fx1', { kind: 'error', message: 'The quiz service didn’t answer.' }]]);
});

test('a wait is not overdue for days, and is since the service first failed for it', async () => {
  const failed: ResultRead = { kind: 'failed', message: 'The quiz service didn’t answer.' };
  const bed = openWorkflows({ runs: [waiting], reads: [notTaken, failed, failed] });
  await bed.workflows.take(execution);
  let failedAt = 0;
  for (let runs = 0; runs < 2_000 && failedAt === 0; runs += 1) {
    const next = await bed.settle();
    const since = (await bed.overdueSince())['waits'];
    if (since !== undefined) failedAt = since;
    else bed.clock.now = next!;
  }
  expect(failedAt).toBeGreaterThan(dayMs);
  expect(failedAt).toBe(bed.clock.now);
  bed.clock.now = (await bed.settle())!;
  await bed.settle();
  expect((await bed.overdueSince())['waits']).toBe(failedAt);
  bed.clock.now = (await bed.settle())!;
  await bed.settle();
  expect(await bed.overdueSince()).toEqual({ step: undefined, waits: undefined });
});

test.each([
  [
    'done',
    { state: 'closed', outcome: { kind: 'done', message: 'Created ⁨Kim⁩.', at: 1 } },
    { kind: 'success', outputs: { message: 'Created “Kim”.' } },
  ],
  [
    'denied',
    { state: 'announced', decision: { verdict: 'denied', comment: 'Not yet', at: 1 } },
    { kind: 'error', message: 'The request was denied: “Not yet”' },
  ],
  [
    'expired',
    { state: 'closed', decision: { verdict: 'expired', comment: '', at: 1 } },
    { kind: 'error', message: 'Nobody decided on the request in time, so nothing was changed.' },
  ],
  [
    'withdrawn',
    { state: 'closed', decision: { verdict: 'withdrawn', comment: '', at: 1 } },
    { kind: 'error', message: 'The request was withdrawn.' },
  ],
] as const)('a step that waits for approval ends when the request is %s', async (_name, decided, ending) => {
  const bed = openWorkflows({ runs: [{ kind: 'requested', requestId: 'req-1' }] });
  const request = { id: 'req-1', teamId: 'T1', state: 'open' } as ApprovalRequest;
  bed.requests.set('req-1', request);
  await bed.workflows.take(execution);
  expect(await bed.settle()).toBe(30_000);
  expect(bed.sent).toEqual([]);
  bed.requests.set('req-1', { ...request, ...decided });
  await bed.settle();
  expect(bed.sent).toEqual([['Fx1', ending]]);
});

test('an ending whose answer was lost is sent again as it was, and counts as sent where the platform had it', async () => {
  const bed = openWorkflows({ answers: [new PlatformError('timeout', { kind: 'unclear' }), 'gone'] });
  await bed.workflows.take(execution);
  bed.clock.now = (await bed.settle())!;
  expect(await bed.settle()).toBeUndefined();
  expect(bed.sent).toEqual([['Fx1', { kind: 'success', outputs: { message: 'Assigned.' } }]]);
});

test('all runs wait where the platform limits the bot', async () => {
  const bed = openWorkflows({
    answers: [new PlatformError('ratelimited', { kind: 'rate_limited', retryAfterMs: 5_000 })],
  });
  await bed.workflows.take(execution);
  await bed.workflows.take({ ...execution, id: 'Fx2' });
  expect(await bed.settle()).toBe(5_000);
  bed.clock.now = 5_000;
  await bed.settle();
  expect(bed.sent.map(([id]) => id)).toEqual(['Fx1', 'Fx2']);
});

describe('a wait for a result', () => {
  const start = { ...execution, step: 'wait_for_result', inputs: { days: '14' } };

  test('ends with the submission that comes days later', async () => {
    const bed = openWorkflows({ runs: [waiting] });
    await bed.workflows.take(start);
    expect(await bed.settle()).toBe(hourMs);
    const entries = await bed.workflows.entriesFor('T1', submission, 'u-1');
    expect(entries.map(({ queue }) => queue)).toEqual([waitsQueue('T1', 'u-1')]);
    await bed.outbox.put([...entries, ...entries]);
    expect(await bed.settle()).toBeUndefined();
    expect(bed.sent).toEqual([
      [
        'Fx1',
        {
          kind: 'success',
          outputs: {
            result: 'passed',
            passed: true,
            score: 9,
            percentage: 90,
            grade: 'A',
            submitted_at: 1,
            in_time: true,
          },
        },
      ],
    ]);
    expect(await bed.workflows.entriesFor('T1', submission, 'u-1')).toEqual([]);
  });

  test('gets no entries for other users and quizzes, and none where steps are turned off', async () => {
    const bed = openWorkflows({ runs: [waiting] });
    await bed.workflows.take(start);
    await bed.settle();
    expect(await bed.workflows.entriesFor('T1', submission, 'u-2')).toEqual([]);
    expect(await bed.workflows.entriesFor('T1', { ...submission, quizId: 'q-2' }, 'u-1')).toEqual([]);
    const off = openWorkflows({ runs: [waiting], isEnabled: false });
    await off.workflows.take(start);
    await off.settle();
    expect(await off.workflows.entriesFor('T1', submission, 'u-1')).toEqual([]);
  });

  test('ends at once where the quiz is taken already, and asks the service again when the time is over', async () => {
    const taken = openWorkflows({ runs: [waiting], reads: [{ kind: 'read', attempts: [passed] }] });
    await taken.workflows.take(start);
    expect(await taken.settle()).toBeUndefined();
    expect(taken.sent).toHaveLength(1);
    const late = openWorkflows({ runs: [waiting] });
    await late.workflows.take(start);
    await late.settle();
    late.clock.now = 14 * dayMs;
    expect(await late.settle()).toBeUndefined();
    expect(late.sent).toEqual([
      ['Fx1', { kind: 'success', outputs: { result: 'not taken', passed: false, in_time: false } }],
    ]);
  });

  test('ends with an error where the person who published the workflow lost the right to see the result', async () => {
    const bed = openWorkflows({ runs: [waiting], refusal: () => noLongerSeen });
    await bed.workflows.take(start);
    await bed.settle();
    await bed.outbox.put(await bed.workflows.entriesFor('T1', submission, 'u-1'));
    await bed.settle();
    expect(bed.sent).toEqual([
      ['Fx1', { kind: 'error', message: 'The person who published this workflow can’t see this result any more.' }],
    ]);
  });

  test('asks a service that fails again, and gives up a day after the time is over', async () => {
    const failed: ResultRead = { kind: 'failed', message: 'The quiz service didn’t answer.' };
    const bed = openWorkflows({ runs: [waiting], reads: [failed, failed] });
    await bed.workflows.take(start);
    expect(await bed.settle()).toBe(60_000);
    bed.clock.now = 16 * dayMs;
    await bed.settle();
    expect(bed.sent).toEqual([['Fx1', { kind: 'error', message: 'The quiz service didn’t answer.' }]]);
  });

  test('until they pass ends within the hour after a person marked the result, and one reading serves all of the quiz', async () => {
    const attempts: (AttemptResult | Error)[] = [unmarked, new Error('the service does not answer'), passed];
    const bed = openWorkflows({ runs: [waiting, waiting], attempts });
    const inputs = { days: '14', until_passed: 'true' };
    for (const id of ['Fx1', 'Fx2']) await bed.workflows.take({ ...start, id, inputs });
    await bed.settle();
    await bed.outbox.put(await bed.workflows.entriesFor('T1', { ...submission, ...unmarked }, 'u-1'));
    for (const [at, readings] of [
      [hourMs, 0],
      [2 * hourMs, 1],
      [2 * hourMs + 60_000, 2],
      [undefined, 3],
    ] as const) {
      expect(await bed.settle()).toBe(at);
      expect(bed.markReadings).toHaveLength(readings);
      bed.clock.now = at ?? 0;
    }
    expect(bed.markReadings[0]).toEqual(['q-1', ['u-1']]);
    expect(bed.sent.map(([id, { kind }]) => [id, kind])).toEqual([
      ['Fx1', 'success'],
      ['Fx2', 'success'],
    ]);
  });

  const named: StepRun = { ...waiting, names: { user: 'Rosa Almeida', quiz: 'Fire safety' } } as const;
  test.each([
    ['user', { users: new Set(['u-1']), quizzes: new Set<string>() }, '\u2068Rosa Almeida\u2069'],
    ['quiz', { users: new Set<string>(), quizzes: new Set(['q-1']) }, '\u2068Fire safety\u2069'],
  ])('ends by name within the hour after its %s is gone', async (_, gone, name) => {
    const found = { now: { users: new Set<string>(), quizzes: new Set<string>() } };
    const bed = openWorkflows({ runs: [named, named], findGone: () => found.now });
    await bed.workflows.take(start);
    bed.clock.now = 10_000;
    await bed.workflows.take({ ...start, id: 'Fx2' });
    expect(await bed.settle()).toBe(hourMs);
    bed.clock.now = hourMs;
    expect([await bed.settle(), bed.looks, bed.sent]).toEqual([2 * hourMs, [hourMs], []]);
    found.now = gone;
    bed.clock.now = 2 * hourMs;
    expect(await bed.settle()).toBeUndefined();
    expect(bed.sent.map(([id, ending]) => [id, ending.kind === 'error' && ending.message])).toEqual([
      ['Fx1', `${name} isn’t in the quiz account any more, so there’s no result to wait for.`],
      ['Fx2', `${name} isn’t in the quiz account any more, so there’s no result to wait for.`],
    ]);
  });

  test.each([
    ['user', { userId: 'u-1' }],
    ['quiz', { quizId: 'q-1' }],
  ])('ends at once where the bot deletes its %s', async (_, deleted) => {
    const found = { users: new Set<string>(), quizzes: new Set<string>() };
    const bed = openWorkflows({ runs: [named], findGone: () => found });
    bed.clock.now = 10 * dayMs + 1;
    await bed.workflows.take({ ...start, startedAt: bed.clock.now });
    await bed.settle();
    expect([bed.looks, bed.sent]).toEqual([[], []]);
    await bed.workflows.lookFor('T1', deleted);
    expect([await bed.settle(), bed.looks]).toEqual([10 * dayMs + hourMs, [bed.clock.now]]);
    found.users.add('u-1');
    await bed.workflows.lookFor('T1', deleted);
    await bed.settle();
    expect(bed.sent.map(([, { kind }]) => kind)).toEqual(['error']);
  });

  test('ends by name where its user is gone when the service is asked, and goes on where nobody can say', async () => {
    const refused: ResultRead = { kind: 'refused', message: 'The result can’t be read any more.' };
    const bed = openWorkflows({
      runs: [named],
      reads: [refused],
      findGone: () => ({ users: new Set(['u-1']), quizzes: new Set() }),
    });
    await bed.workflows.take(start);
    await bed.settle();
    expect(bed.sent).toEqual([
      [
        'Fx1',
        {
          kind: 'error',
          message: '\u2068Rosa Almeida\u2069 isn’t in the quiz account any more, so there’s no result to wait for.',
        },
      ],
    ]);
    const away = openWorkflows({
      runs: [named],
      findGone() {
        throw new Error('the service does not answer');
      },
    });
    await away.workflows.take(start);
    for (const at of [hourMs, 2 * hourMs]) {
      expect(await away.settle()).toBe(at);
      away.clock.now = at;
    }
    expect(away.sent).toEqual([]);
  });

  test('counts what is submitted since it began, or at any time', async () => {
    const old = { ...passed, submittedAt: 30 * dayMs - 120_000 };
    const startedAt = 30 * dayMs;
    const open = async (inputs: Record<string, string>) => {
      const bed = openWorkflows({ runs: [waiting], reads: [{ kind: 'read', attempts: [old] }] });
      bed.clock.now = startedAt;
      await bed.workflows.take({ ...start, startedAt, inputs });
      await bed.settle();
      return bed;
    };
    expect((await open({ any_time: 'true' })).sent).toHaveLength(1);
    const bed = await open({});
    await bed.outbox.put(await bed.workflows.entriesFor('T1', { ...submission, submittedAt: old.submittedAt }, 'u-1'));
    await bed.settle();
    expect(bed.sent).toEqual([]);
    const failed = { ...submission, outcome: 'failed', submittedAt: startedAt - 1_000 } as const;
    await bed.outbox.put(await bed.workflows.entriesFor('T1', failed, 'u-1'));
    await bed.settle();
    expect(bed.sent.map(([, ending]) => ending)).toMatchObject([{ kind: 'success', outputs: { result: 'failed' } }]);
  });

  test('is forgotten where its workflow is gone', async () => {
    const bed = openWorkflows({ runs: [waiting], reads: [{ kind: 'read', attempts: [passed] }], answers: ['gone'] });
    await bed.workflows.take(start);
    expect(await bed.settle()).toBeUndefined();
    expect(await bed.outbox.queues()).toEqual([]);
  });
});

test('queues keep the names under which they are stored', () => {
  expect([stepQueue('T1', 'Fx1'), waitsQueue('T1', 'u-1')]).toEqual(['step/T1/Fx1', 'waits/T1/34']);
});

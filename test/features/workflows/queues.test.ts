import { describe, expect, test } from 'vitest';
import type { ApprovalRequest } from '../../../src/domain/approval-request.ts';
import { PlatformError } from '../../../src/domain/errors.ts';
import { stepQueue, type Submission } from '../../../src/domain/queues.ts';
import { createOverdue } from '../../../src/durable/runtime.ts';
import type { StepEnding, StepExecution } from '../../../src/domain/workflow.ts';
import { endingWithout, type LookFor } from '../../../src/features/workflows/waiting.ts';
import { noLongerSeen, type StepRun, type StepRunner } from '../../../src/features/workflows/run-step.ts';
import { createWorkflows } from '../../../src/features/workflows/workflows.ts';
import { recordingLog } from '../../support/log.ts';
import { createMemoryMail, createMemoryOutbox } from '../../support/memory-outbox.ts';
import { runMachine } from '../../support/run-machine.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const execution: StepExecution = {
  id: 'Fx1',
  teamId: 'T1',
  appId: 'A1',
  step: 'assign_quiz',
  inputs: {},
  startedAt: 0,
};
const done: StepRun = { kind: 'ended', ending: { kind: 'success', outputs: { message: 'Assigned.' } } };
const wait = {
  personId: 'UADA',
  grantId: 'g-1',
  quizId: 'q-1',
  userId: 'u-1',
  names: { user: 'Rosa Almeida', quiz: 'Fire safety' },
};
const waiting = { kind: 'waiting', ...wait, attempts: [] } as const;
const away = new Error('the service does not answer');
const start = { ...execution, step: 'wait_for_result', inputs: { days: '14' } };
const passed = { outcome: 'passed', points: 9, percentage: 90, grade: 'A', submittedAt: 1_000 } as const;
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
    /** What the service says of a wait, each time it is asked. */
    looks?: (Awaited<ReturnType<LookFor>> | Error)[];
    isRepeatable?: boolean;
    answers?: ('ended' | 'gone' | PlatformError)[];
    refusal?: () => string | undefined;
    isEnabled?: boolean;
  } = {},
) {
  const clock = { now: 0 };
  const outbox = createMemoryOutbox();
  const { runs = [], looks = [], answers = [] } = options;
  const requests = new Map<string, ApprovalRequest>();
  const sent: [string, StepEnding][] = [];
  const ran: string[] = [];
  const lookedAt: number[] = [];
  const runner: StepRunner = {
    isRepeatable: () => options.isRepeatable ?? false,
    async runStep({ id }) {
      ran.push(id);
      const run = runs.shift() ?? done;
      if (run === 'crash') throw new Error('killed');
      return run;
    },
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

  const { step, waits } = workflows.machines(runner, async () => {
    lookedAt.push(clock.now);
    const found = looks.shift() ?? [];
    if (found instanceof Error) throw found;
    return found;
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
  /** Until the step has asked the service for the first time. */
  async function begin(started: StepExecution): Promise<number | undefined> {
    await workflows.take(started);
    const firstLookAt = clock.now + 2_000;
    expect(await settle()).toBe(firstLookAt);
    clock.now = firstLookAt;
    return settle();
  }
  return { overdueSince, clock, outbox, workflows, requests, sent, ran, lookedAt, settle, begin };
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
  const bed = openWorkflows({ runs: [waiting], looks: [[], away, away] });
  expect(await bed.begin(start)).toBe(hourMs);
  expect(await bed.overdueSince()).toEqual({ step: undefined, waits: undefined });
  bed.clock.now = hourMs;
  for (const at of [hourMs + 60_000, hourMs + 120_000]) {
    expect(await bed.settle()).toBe(at);
    expect((await bed.overdueSince())['step']).toBe(hourMs);
    bed.clock.now = at;
  }
  expect(await bed.settle()).toBe(2 * hourMs);
  expect(await bed.overdueSince()).toEqual({ step: undefined, waits: undefined });
});

test.each([
  [
    'done',
    { state: 'closed', outcome: { kind: 'done', message: 'Created ⁨Kim⁩.', at: 1 } },
    { kind: 'success', outputs: { message: 'Created \u2068Kim\u2069.' } },
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
  const submit = async (bed: ReturnType<typeof openWorkflows>, change: Partial<Submission> = {}) =>
    bed.outbox.put(await bed.workflows.entriesFor('T1', { ...submission, ...change }, 'u-1'));

  test('ends with the submission that comes days later', async () => {
    const bed = openWorkflows({ runs: [waiting] });
    expect(await bed.begin(start)).toBe(hourMs);
    const entries = await bed.workflows.entriesFor('T1', submission, 'u-1');
    expect(entries.map(({ queue }) => queue)).toEqual([stepQueue('T1', 'Fx1')]);
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
    expect(await bed.outbox.queues()).toEqual([]);
    bed.clock.now += 2_000;
    expect(await bed.workflows.entriesFor('T1', submission, 'u-1')).toEqual([]);
  });

  test('takes a submission from the first moment in which the service may not be asked any more', async () => {
    const bed = openWorkflows({ runs: [waiting] });
    expect(await bed.workflows.entriesFor('T1', submission, 'u-1')).toEqual([]);
    await bed.workflows.take(start);
    await bed.settle();
    bed.clock.now = 1_999;
    expect([await bed.workflows.entriesFor('T1', submission, 'u-1'), bed.lookedAt]).toEqual([[], []]);
    bed.clock.now = 2_000;
    await bed.settle();
    expect(bed.lookedAt).toEqual([2_000]);
    expect(await bed.workflows.entriesFor('T1', submission, 'u-1')).toHaveLength(1);
  });

  test('takes no submission of others, of other quizzes, or without steps', async () => {
    const bed = openWorkflows({ runs: [waiting] });
    await bed.begin(start);
    expect(await bed.workflows.entriesFor('T1', submission, 'u-2')).toEqual([]);
    expect(await bed.workflows.entriesFor('T1', { ...submission, quizId: 'q-2' }, 'u-1')).toEqual([]);
    const off = openWorkflows({ runs: [waiting], isEnabled: false });
    await off.begin(start);
    expect(await off.workflows.entriesFor('T1', submission, 'u-1')).toEqual([]);
  });

  test('ends at once where the quiz is taken already, and with its time where it is not', async () => {
    const taken = openWorkflows({ runs: [{ ...waiting, attempts: [passed] }] });
    await taken.workflows.take(start);
    expect([await taken.settle(), taken.sent.length, taken.lookedAt]).toEqual([undefined, 1, []]);
    const late = openWorkflows({ runs: [waiting] });
    await late.begin({ ...start, startedAt: 7 });
    late.clock.now = 14 * dayMs;
    expect(await late.settle()).toBe(14 * dayMs + 7);
    late.clock.now += 7;
    expect(await late.settle()).toBeUndefined();
    expect(late.sent).toEqual([
      ['Fx1', { kind: 'success', outputs: { result: 'not taken', passed: false, in_time: false } }],
    ]);
  });

  test('ends with an error where the person who published the workflow lost the right to see the result', async () => {
    const rights: { refusal?: string } = {};
    const bed = openWorkflows({ runs: [waiting], refusal: () => rights.refusal });
    await bed.begin(start);
    rights.refusal = noLongerSeen;
    await submit(bed);
    await bed.settle();
    expect(bed.sent).toEqual([
      ['Fx1', { kind: 'error', message: 'The person who published this workflow can’t see this result any more.' }],
    ]);
  });

  test('names a user who was deleted between the look at the service and the question of rights', async () => {
    const looks: Awaited<ReturnType<LookFor>>[] = [[], 'user gone'];
    const bed = openWorkflows({ runs: [waiting], looks, refusal: () => noLongerSeen });
    await bed.begin(start);
    expect(bed.sent).toEqual([['Fx1', endingWithout(wait, 'user gone')]]);
  });

  test('asks a service that fails again, and gives up a day after the time is over', async () => {
    const bed = openWorkflows({ runs: [waiting], looks: [away, away] });
    expect(await bed.begin(start)).toBe(62_000);
    bed.clock.now = 16 * dayMs;
    await bed.settle();
    expect(bed.sent).toEqual([
      ['Fx1', { kind: 'error', message: 'The quiz service hasn’t answered for a day, so the result isn’t known.' }],
    ]);
  });
});

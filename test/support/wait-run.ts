import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { waitsQueue } from '../../src/domain/queue-names.ts';
import type { ResultWait } from '../../src/domain/workflow.ts';
import { createSeededRandom, type SeededRandom } from '../../src/sandbox/quiz-service/sample/seeded-random.ts';
import { addQuiz } from '../../src/sandbox/quiz-service/store/quizzes.ts';
import { people, teamId } from '../../src/sandbox/workspace/people.ts';
import type { FunctionExecution } from '../../src/sandbox/workspace/model.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { systemClock } from '../../src/time/clock.ts';
import { createActingPersons } from '../../src/workflows/acting-person.ts';
import { eventBody, sign } from './event.ts';
import { botToken, openProcessTestBed, type ProcessTestBed } from './process-test-bed.ts';

export interface WaitRunOptions {
  store: 'sqlite' | 'redis';
  /** Repeats what happens, but not the scheduling of the processes. */
  seed: number;
  waits: number;
  /** How many of them begin with Slack’s event; the others are in the store when the bot starts. */
  begun: number;
  kills: number;
}

export interface WaitRunOutcome {
  /** Sentences; empty where all is right. */
  problems: string[];
  /** Endings that Slack refused because the run had ended. */
  repeated: number;
  seconds: number;
  /** The folder of the logs; empty where all is right. */
  logFolder: string;
}

interface Fate {
  number: number;
  userId: string;
  executionId: string;
  quizId: string;
  percentage: number;
}

const dayMs = 24 * 3_600_000;
const quizCount = 20;
const faultShare = 0.02;
const sendersAtOnce = 8;
const restMs = 10 * 60_000;

/** Has people take the quizzes that workflows wait for, while the bot is killed and Slack fails now and then. */
export async function runWaits({ store, seed, waits: count, begun, kills }: WaitRunOptions): Promise<WaitRunOutcome> {
  const random = createSeededRandom(seed);
  const fates = Array.from({ length: count }, (_, number): Fate => ({
    number,
    userId: `u-wait-${number}`,
    executionId: `Fx0WAIT${number}`,
    quizId: `10000000-0000-4000-8000-0000000d${String(number % quizCount).padStart(4, '0')}`,
    percentage: 50 + (number % 51),
  }));
  const [first, stored] = [fates.slice(0, begun), fates.slice(begun)];
  const testBed = await openProcessTestBed({
    store,
    manifestPath: 'manifest-workflows.yml',
    env: { ALERTS_CHANNEL: '', NOTIFY_RESPONDENTS: 'false', WORKFLOW_STEPS_ENABLED: 'true' },
    async beforeStart(env, { workspace, quizService: { database } }) {
      for (let number = 0; number < quizCount; number += 1)
        addQuiz(database, {
          quiz_id: fates[number]?.quizId ?? `quiz-${number}`,
          name: `Drill ${number}`,
          status: 'open',
          date_created: '2026-01-01 00:00:00',
        });
      for (const { userId } of fates) {
        const email = `${userId}@quiz.example`;
        database.run(
          "INSERT INTO users (user_id, user_name, folded_user_name, user_type, email_address, first_name, last_name, date_created) VALUES (?, ?, ?, 'respondent', ?, 'Wait', ?, '2026-01-01 00:00:00')",
          [userId, email, email, email, userId],
        );
        workspace.setPerson({
          id: slackIdOf(userId),
          name: userId,
          realName: userId,
          title: 'Member',
          email,
          timeZone: 'Etc/UTC',
        });
      }
      for (const fate of stored)
        workspace.functions.add({
          id: fate.executionId,
          workflowExecutionId: 'Wx0',
          function: 'wait_for_result',
          inputs: {},
          state: 'running',
        });
      await storeWaits(stored, env);
    },
  });
  const {
    workspace,
    bots: [bot],
    folder,
    close,
  } = testBed;
  if (bot === undefined) throw new Error('no bot');
  const startedAt = performance.now();
  let hasProblems = true;
  try {
    workspace.faults.setRateLimits(false);
    const executions = new Map<string, Fate>(stored.map((fate) => [fate.executionId, fate]));
    const acts_as = createActingPersons(botToken).textFor(teamId, people.erin.id);
    for (const fate of first)
      executions.set(
        (
          await workspace.functions.run('wait_for_result', {
            acts_as,
            quiz: fate.quizId,
            person: slackIdOf(fate.userId),
            until_passed: true,
            days: 30,
          })
        ).id,
        fate,
      );
    injectFaults(testBed, random);

    const running = () =>
      [...executions.keys()].filter((id) => workspace.functions.executions.get(id)?.state === 'running').length;
    const submitting = submitAll(testBed, fates, random);
    for (let kill = 1; kill <= kills; kill += 1) {
      await untilTrue(() => running() <= count - (kill * count) / (kills + 1));
      // Slack has or has not the ending at which the bot is killed.
      if (kill % 2 === 0) await atNextEnding(testBed, random);
      await bot.kill();
      await bot.start();
    }
    await submitting;
    await untilTrue(() => running() === 0);

    const problems = [...executions].flatMap(([id, fate]) => problemsOf(workspace.functions.executions.get(id), fate));
    const endings = workspace.calls.filter(({ method }) => method.startsWith('functions.complete'));
    for (const [id, same] of Map.groupBy(endings, ({ args }) => String(args['function_execution_id'])))
      if (new Set(same.map(({ args }) => JSON.stringify(args['outputs']))).size > 1)
        problems.push(`${id} was ended in several ways`);
    hasProblems = problems.length > 0;
    const repeated = endings.filter(({ error }) => error === 'execution_not_in_running_state').length;
    return {
      problems,
      repeated,
      seconds: Math.round((performance.now() - startedAt) / 1_000),
      logFolder: hasProblems ? folder : '',
    };
  } finally {
    await close({ keepFolder: hasProblems });
  }
}

const slackIdOf = (userId: string): string => `U0${userId.replaceAll('-', '').toUpperCase()}`;

/** Stores waits as they are after their beginning. */
async function storeWaits(
  fates: readonly Fate[],
  { DATA_DIR = '', REDIS_URL }: { DATA_DIR?: string; REDIS_URL?: string },
): Promise<void> {
  const { storage } = await openStorage({
    dataDir: DATA_DIR,
    redisUrl: REDIS_URL,
    clock: systemClock,
    onError: () => {},
  });
  await storage.open();
  const until = Date.now() + 30 * dayMs;
  for (const [queue, some] of Map.groupBy(fates, ({ userId }) => waitsQueue(teamId, userId))) {
    const waits = some.map(({ executionId, quizId, userId }): ResultWait => ({
      executionId,
      personId: people.erin.id,
      quizId,
      userId,
      needsPass: true,
      until,
      checkAt: until,
      result: null,
      failures: 0,
      notBefore: 0,
    }));
    await storage.outbox.commit(queue, { version: 0, isBusy: true, state: { waits } });
  }
  await storage.close();
}

/** Each person fails or not, and then passes. The service sends each webhook until the bot has it. */
async function submitAll(
  { bots: [bot], quizService: { database } }: ProcessTestBed,
  fates: readonly Fate[],
  random: SeededRandom,
): Promise<void> {
  const left = fates
    .map((fate) => ({ fate, order: random.number() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ fate }) => fate);
  const submit = async ({ number, userId, quizId, percentage }: Fate, passes: boolean) => {
    const [responseId, submitted] = [`r-${number}-${passes}`, new Date().toISOString().replace('T', ' ').slice(0, 19)];
    database.run(
      `INSERT INTO responses (response_id, quiz_id, user_id, first_name, last_name, email_address, status, started_ms, date_submitted, points, available_points, percentage_score, grade, pass, duration, attempt, ip_address, publish_type)
       VALUES (?, ?, ?, 'Wait', '', '', 'submitted', 1, ?, ?, 100, ?, ?, ?, 60, 1, '127.0.0.1', 'assigned_user')`,
      [responseId, quizId, userId, submitted, percentage, percentage, passes ? 'A' : 'F', Number(passes)],
    );
    const body = eventBody(
      { event_id: `e-${responseId}`, event_date: submitted },
      {
        response_id: responseId,
        quiz_id: quizId,
        quiz_name: 'Drill',
        user_id: userId,
        date_submitted: submitted,
        points: percentage,
        available_points: 100,
        percentage_score: percentage,
        grade: passes ? 'A' : 'F',
        pass: passes,
      },
    );
    while (!(await deliver(`${bot?.url}/webhooks/quiz`, body).catch(() => false))) await pause(50);
  };
  await Promise.all(
    Array.from({ length: sendersAtOnce }, async () => {
      for (let fate = left.shift(); fate !== undefined; fate = left.shift()) {
        if (fate.number % 3 === 0) await submit(fate, false);
        await submit(fate, true);
      }
    }),
  );
}

async function deliver(url: string, body: string): Promise<boolean> {
  const answer = await request(url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', 'x-webhook-signature': sign(body) },
  });
  await answer.body.dump();
  return answer.statusCode === 200;
}

function problemsOf(execution: FunctionExecution | undefined, { number, percentage }: Fate): string[] {
  if (execution?.state !== 'completed')
    return [`wait ${number} is ${execution?.state ?? 'unknown'}: ${execution?.error ?? ''}`];
  const { result, percentage: told, in_time } = { ...execution.outputs };
  return result === 'passed' && told === percentage && in_time === true
    ? []
    : [`wait ${number} has the outputs ${JSON.stringify(execution.outputs)}`];
}

function injectFaults({ workspace }: ProcessTestBed, random: SeededRandom): void {
  for (const fault of [
    { kind: 'http-error', status: 500 },
    { kind: 'lost-answer' },
    { kind: 'lost-request' },
  ] as const) {
    workspace.faults.inject(fault, { method: 'functions.completeSuccess', when: () => random.number() < faultShare });
  }
}

/** Resolves at the next ending, whose request or answer is lost. */
function atNextEnding({ workspace }: ProcessTestBed, random: SeededRandom): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = workspace.faults.inject(
    { kind: random.pick(['lost-answer', 'lost-request'] as const) },
    {
      method: 'functions.completeSuccess',
      times: 1,
      when() {
        resolve();
        return true;
      },
    },
  );
  // The last ending may have been sent.
  return Promise.race([promise, pause(2_000)]).finally(cancel);
}

async function untilTrue(condition: () => boolean): Promise<void> {
  const end = performance.now() + restMs;
  while (!condition()) {
    if (performance.now() > end) throw new Error('the waits do not end');
    await pause(20);
  }
}

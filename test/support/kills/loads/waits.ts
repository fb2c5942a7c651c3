import { stepQueue, waitsQueue } from '../../../../src/domain/queues.ts';
import type { SeededRandom } from '../../../../src/sandbox/quiz-service/sample/seeded-random.ts';
import type { FunctionExecution } from '../../../../src/sandbox/workspace/model.ts';
import { appId, people, teamId } from '../../../../src/sandbox/workspace/people.ts';
import { openStorage } from '../../../../src/storage/open-storage.ts';
import { systemClock } from '../../../../src/time/clock.ts';
import { createGrantTexts } from '../../../../src/features/workflows/step-grants.ts';
import type { StepState } from '../../../../src/features/workflows/step-machine.ts';
import type { WaitsState } from '../../../../src/features/workflows/waiting.ts';
import {
  addAccountPerson,
  addOpenQuiz,
  botToken,
  openProcessTestBed,
  type ProcessTestBed,
} from '../../process-test-bed.ts';
import { withSteps } from '../../workflow-steps.ts';
import { type Load, type MakeKillTest, failByChance } from '../run-kills.ts';
import { untilDone } from '../../watchdog.ts';
import { sendSubmission, takeSubmission } from '../../take-quiz.ts';

interface WaitsOptions {
  waits: number;
  /** How many of them begin with Slack’s event; the others are in the store when the bot starts. */
  begun: number;
}

interface Fate {
  number: number;
  userId: string;
  personId: string;
  executionId: string;
  quiz: { id: string; name: string };
  points: number;
}

const dayMs = 24 * 3_600_000;
const quizCount = 20;
const sendersAtOnce = 8;
const endsRun = 'functions.completeSuccess';

/** Workflows wait until people pass, who take the quiz meanwhile: each run ends once, with their result. */
export function waitsKilled({ waits: count, begun }: WaitsOptions): MakeKillTest {
  return (random) => {
    const fates = Array.from({ length: count }, (_, number): Fate => {
      const quiz = {
        id: `10000000-0000-4000-8000-0000000d${String(number % quizCount).padStart(4, '0')}`,
        name: 'Drill',
      };
      const [userId, personId] = [`u-wait-${number}`, `U0UWAIT${number}`];
      return { number, userId, personId, executionId: `Fx0WAIT${number}`, quiz, points: 50 + (number % 51) };
    });
    const [first, stored] = [fates.slice(0, begun), fates.slice(begun)];
    return {
      open: (shared) =>
        openProcessTestBed({
          ...shared,
          manifestPath: withSteps.workspace.manifestPath,
          env: { ...withSteps.env, NOTIFY_RESPONDENTS: 'false' },
          async beforeStart(env, testBed) {
            for (const { quiz } of fates.slice(0, quizCount))
              addOpenQuiz(testBed.quizService, { ...quiz, name: `${quiz.name} ${quiz.id.slice(-4)}` });
            for (const fate of fates) addAccountPerson(testBed, fate);
            for (const { executionId: id } of stored)
              testBed.workspace.functions.add({
                id,
                workflowExecutionId: 'Wx0',
                function: 'wait_for_result',
                inputs: {},
                state: 'running',
              });
            await storeWaits(stored, env);
          },
        }),
      // Slack has or has not the ending at which the bot is killed.
      kills: { moments: { after: 'a share', of: count }, ways: [{}, { atCall: endsRun }] },
      async begin(testBed) {
        const { workspace } = testBed;
        workspace.faults.setRateLimits(false);
        const executions = new Map<string, Fate>(stored.map((fate) => [fate.executionId, fate]));
        const actsAs = createGrantTexts(botToken).textOf({
          teamId,
          appId,
          step: 'wait_for_result',
          personId: people.erin.id,
          lentAt: Date.now(),
        });
        for (const fate of first) {
          const inputs = { acts_as: actsAs, quiz: fate.quiz.id, person: fate.personId, until_passed: true, days: 30 };
          executions.set((await workspace.functions.run('wait_for_result', inputs)).id, fate);
        }
        const kinds = ['http-error', 'lost-answer', 'lost-request'];
        failByChance(workspace, random, { methods: [endsRun], share: 0.02, kinds });
        return loadOf(testBed, executions, random);
      },
    };
  };
}

function loadOf(testBed: ProcessTestBed, executions: ReadonlyMap<string, Fate>, random: SeededRandom): Load {
  const { workspace } = testBed;
  const stateOf = (id: string) => workspace.functions.executions.get(id)?.state;
  const done = () => [...executions.keys()].filter((id) => stateOf(id) !== 'running').length;
  const passed = new Set<Fate>();
  return {
    done,
    isWaiting: () => done() < passed.size,
    send: () => submitAll(testBed, [...executions.values()], { random, passed }),
    over: () => untilDone(done, executions.size),
    judge() {
      const endings = workspace.calls.filter(({ method }) => method.startsWith('functions.complete'));
      const differing = [...Map.groupBy(endings, ({ args }) => String(args['function_execution_id']))].filter(
        ([, same]) => new Set(same.map(({ args }) => JSON.stringify(args['outputs']))).size > 1,
      );
      const lost = [...executions].filter(([id]) => stateOf(id) !== 'completed');
      const wrong = [...executions].filter(
        ([id, fate]) => stateOf(id) === 'completed' && !hasItsResult(workspace.functions.executions.get(id)!, fate),
      );
      const repeated = endings.filter(({ error }) => error === 'execution_not_in_running_state').length;
      return {
        lost: lost.map(([id, { number }]) => `wait ${number} is ${stateOf(id)}`),
        doubled: differing.map(([id]) => `${id} was ended in several ways`),
        wrong: wrong.map(
          ([id, { number }]) => `wait ${number}: ${JSON.stringify(workspace.functions.executions.get(id))}`,
        ),
        figure: `${executions.size.toLocaleString('en')} waits, ${repeated} endings sent again and refused by Slack`,
      };
    },
  };
}

/** Stores waits as they are after their beginning. */
async function storeWaits(
  fates: readonly Fate[],
  { DATA_DIR = '', REDIS_URL }: { DATA_DIR?: string; REDIS_URL?: string },
): Promise<void> {
  const clock = systemClock;
  const { storage } = await openStorage({ dataDir: DATA_DIR, redisUrl: REDIS_URL, clock, onError: () => {} });
  await storage.open();
  const until = Date.now() + 30 * dayMs;
  const commit = async (queue: string, isBusy: boolean, state: StepState | WaitsState) =>
    storage.outbox.commit(queue, { version: 0, isBusy, state });
  for (const { executionId: id, quiz, userId } of fates)
    await commit(stepQueue(teamId, id), false, {
      phase: 'waiting',
      execution: { id, teamId, appId, step: 'wait_for_result', inputs: {}, startedAt: Date.now() },
      wait: {
        personId: people.erin.id,
        grantId: 'g-1',
        quizId: quiz.id,
        userId,
        names: { user: userId, quiz: quiz.name },
        needsPass: true,
        until,
        result: null,
      },
      isToLook: false,
      failures: 0,
      notBefore: 0,
    });
  const waits = fates.map(({ executionId, quiz, userId }) => ({ executionId, quizId: quiz.id, userId, until }));
  await commit(waitsQueue(teamId), true, { waits, wokenAt: Date.now() });
  await storage.close();
}

/** Each person fails or not, and then passes. */
async function submitAll(
  testBed: ProcessTestBed,
  fates: readonly Fate[],
  { random, passed }: { random: SeededRandom; passed: Set<Fate> },
): Promise<void> {
  const left = fates
    .map((fate) => ({ fate, order: random.number() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ fate }) => fate);
  const submit = async ({ number, userId, quiz, points }: Fate, passes: boolean) => {
    const submission = { responseId: `r-${number}-${passes}`, quiz, userId, submittedAt: Date.now(), points, passes };
    takeSubmission(testBed, submission);
    await sendSubmission(testBed, submission);
  };
  await Promise.all(
    Array.from({ length: sendersAtOnce }, async () => {
      for (let fate = left.shift(); fate !== undefined; fate = left.shift()) {
        if (fate.number % 3 === 0) await submit(fate, false);
        await submit(fate, true);
        passed.add(fate);
      }
    }),
  );
}

function hasItsResult({ outputs }: FunctionExecution, { points }: Fate): boolean {
  const { result, percentage, in_time } = { ...outputs };
  return result === 'passed' && percentage === points && in_time === true;
}

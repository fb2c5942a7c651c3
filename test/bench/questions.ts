import { answersQueue } from '../../src/domain/queues.ts';
import { rememberStates } from '../../src/durable/remembered-states.ts';
import { answersDivision, answersMachine, createAnswers } from '../../src/features/questions/answers.ts';
import { showQuestions } from '../../src/features/questions/operations/show-questions.ts';
import type { OperationContext } from '../../src/operations/context.ts';
import type { Question, QuizResponse } from '../../src/quiz-api/responses.ts';
import { drawPage } from '../../src/slack/views/blocks/page.ts';
import { apart } from '../support/apart.ts';
import { answeredOption, answeredQuestion, quizResponse } from '../support/builders/responses.ts';
import { createMemoryMail } from '../support/memory-outbox.ts';
import { collectGarbage, percentile } from '../support/measurements.ts';
import { openOwnSqlite } from '../support/open-stores.ts';
import { runMachine } from '../support/run-machine.ts';
import { heldAgainst, type BenchOptions, type BenchRow } from './bench-row.ts';

const begin = Date.UTC(2030, 0, 7, 11);
const dayMs = 24 * 3_600_000;
const quiz = { quiz_id: 'q-1', name: 'Safety', status: 'open', date_created: null } as const;
const rounds = 20;
/** Turns of the reading between two looks at the memory. */
const looksEvery = 10;
/** Attempts at a quiz, and its questions. */
const fullSize = [5_000, 200] as const;
const shortSize = [50, 20] as const;

/** Measures the questions of a large quiz: the first answer, the reading of all attempts, and the answer from all of them. */
export async function run({ isShort }: BenchOptions): Promise<BenchRow[]> {
  const [attempts, questions] = isShort ? shortSize : fullSize;
  const { firstMs, knownMs, restartMs, mebibytes, requests } = await apart(import.meta.url, readQuestions, [
    attempts,
    questions,
  ]);
  return [
    {
      name: `the ${questions} questions of a quiz with ${attempts.toLocaleString('en')} attempts`,
      figure: `first answer in ${firstMs.toFixed(0)} ms, from all attempts in ${knownMs.toFixed(0)} ms (p50), right after a start in ${restartMs.toFixed(0)} ms; ${mebibytes.toFixed(0)} MiB more memory at most, ${requests.toLocaleString('en')} requests for answers`,
      ...heldAgainst('questions of many', { firstMs, knownMs, mebibytes, again: requests - attempts }),
    },
  ];
}

/** Reads the answers to one quiz, over a store of its own. The quiz service is no part of it. */
export async function readQuestions(attempts: number, questions: number) {
  // The list of attempts is what results take, too.
  const listed = Array.from({ length: attempts }, (_, number) =>
    quizResponse({ response_id: `r-${number}`, points: number % 7, date_submitted: new Date(begin - number) }),
  );
  // A bot at work has compiled its code, and V8 has its room for what is young.
  await measure(listed.slice(0, attempts / 10), questions, () => {});
  collectGarbage();
  const base = process.memoryUsage.rss();
  let peak = base;
  const measured = await measure(listed, questions, () => (peak = Math.max(peak, process.memoryUsage.rss())));
  return { ...measured, mebibytes: (peak - base) / 2 ** 20 };
}

async function measure(attempts: readonly QuizResponse[], questions: number, look: () => void) {
  let at = begin;
  const now = () => at;
  await using store = await openOwnSqlite(now);
  let requests = 0;
  const responses = {
    using: async (_: string, __: unknown, use: (all: typeof attempts) => unknown) => use(attempts),
    questions: async (_: string, id: string) => {
      requests += 1;
      if (requests % looksEvery === 0) look();
      return answersIn(Number(id.slice(2)), questions);
    },
  } as unknown as Parameters<typeof answersMachine>[0]['responses'];
  const start = () => {
    const outbox = rememberStates(store.storage.outbox, { answers: answersDivision });
    const answers = createAnswers({ outbox, mail: createMemoryMail(outbox), now });
    const runQueue = runMachine(answersMachine({ responses, retentionMs: 366 * dayMs, now }), { outbox, now });
    const context = {
      api: { responses },
      answers,
      requester: {},
      call: {},
      offered: () => new Map(),
      now,
      timeZone: 'UTC',
    };
    return { runQueue, context: context as unknown as OperationContext };
  };
  const { runQueue, context } = start();
  const firstMs = await timeOf(context, look);
  for (let next = await runQueue(answersQueue(quiz.quiz_id)); next !== undefined;) {
    at = Math.max(at, next);
    next = await runQueue(answersQueue(quiz.quiz_id));
  }
  const knownMs: number[] = [];
  for (let round = 0; round < rounds; round += 1) knownMs.push(await timeOf(context, look));
  const restartMs = await timeOf(start().context, look);
  await runQueue(answersQueue(quiz.quiz_id));
  return { firstMs, knownMs: percentile(knownMs, 50), restartMs, requests };
}

async function timeOf(context: OperationContext, look: () => void): Promise<number> {
  const beganAt = performance.now();
  const result = await showQuestions.run(context, { quiz });
  if (result.kind !== 'page') throw new Error('there are no questions');
  drawPage(result);
  const ms = performance.now() - beganAt;
  look();
  return ms;
}

function answersIn(attempt: number, questions: number): Question[] {
  return Array.from({ length: questions }, (_, place) => {
    const chosen = (attempt * 7 + place * 13) % 5;
    return answeredQuestion({
      question_id: `5f0c9a6e-0000-4000-8000-${String(place).padStart(12, '0')}`,
      text: `What do you do first in the case number ${place} of the house rules?`,
      points_scored: chosen < 2 ? 1 : 0,
      points_available: 1,
      options: Array.from({ length: 4 }, (__, option) =>
        answeredOption({
          option_id: `7a1b${option}c6e-0000-4000-8000-${String(place).padStart(12, '0')}`,
          text: `I do what stands under ${option} for ${place}`,
          correct: option === 0,
          selected: option === Math.max(0, chosen - 1),
        }),
      ),
    });
  });
}

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answersQueue } from '../../../src/domain/queues.ts';
import { rememberStates } from '../../../src/durable/remembered-states.ts';
import {
  answersDivision,
  answersMachine,
  createAnswers,
  type AnswersState,
} from '../../../src/features/questions/answers.ts';
import { createTally } from '../../../src/features/questions/operations/analysis.ts';
import { QuizApiError } from '../../../src/quiz-api/errors.ts';
import { submissionOf, type QuizResponse, type SubmittedResponse } from '../../../src/quiz-api/responses.ts';
import type { CallOptions } from '../../../src/quiz-api/transport.ts';
import { answeredQuestion, quizResponse } from '../../support/builders/responses.ts';
import { createMemoryMail, createMemoryOutbox } from '../../support/memory-outbox.ts';
import { runMachine } from '../../support/run-machine.ts';
import { runs } from '../../support/drawn.ts';

const call = { operation: 'responses.questions', method: 'GET', path: '/v1/quizzes/q-1/responses' };
const connectionLost = () => new QuizApiError('no connection', call, 'lost');
const quizId = 'q/1 with “any” letters';
const questionCount = 4;
const begin = Date.UTC(2030, 0, 7, 11);
const minuteMs = 60_000;

/** A quiz of four questions, of which as many are right as an attempt has points. */
function openQuiz() {
  let now = begin;
  let ids = 0;
  const stored = createMemoryOutbox();
  const outbox = rememberStates(stored, { answers: answersDivision });
  const responses = new Map<string, QuizResponse>();
  /** Of the answers of each attempt, with the points that it had then. */
  const requests: string[] = [];
  const calls: CallOptions[] = [];
  const service: { isGone: boolean; failWith: ((responseId: string) => QuizApiError | undefined) | undefined } = {
    isGone: false,
    failWith: undefined,
  };
  const listed = () => [...responses.values()];
  const refuse = (responseId: string) => {
    const failure = service.failWith?.(responseId);
    if (failure) throw failure;
  };
  const questionsOf = ({ points }: Pick<QuizResponse, 'points'>) =>
    Array.from({ length: questionCount }, (_, place) =>
      answeredQuestion({ question_id: `question ${place}`, points_scored: place < points! ? 1 : 0 }),
    );
  const answers = createAnswers({ outbox, mail: createMemoryMail(outbox), now: () => now });
  const machine = answersMachine({
    responses: {
      async using(id, options, use) {
        calls.push(options);
        expect(id).toBe(quizId);
        refuse('');
        if (service.isGone) throw new QuizApiError('gone', call, 'is gone');
        return use(listed());
      },
      async questions(id, responseId, options) {
        calls.push(options!);
        expect(id).toBe(quizId);
        now += 50;
        refuse(responseId);
        const response = responses.get(responseId);
        if (response === undefined) throw new QuizApiError('gone', call, 'is gone');
        requests.push(`${responseId} ${response.points}`);
        return questionsOf(response);
      },
    },
    retentionMs: minuteMs,
    now: () => now,
  });
  let run = runMachine(machine, { outbox, now: () => now });
  const queue = answersQueue(quizId);

  return {
    requests,
    calls,
    responses,
    service,
    answers,
    now: () => now,
    state: async () => (await outbox.stateOf<AnswersState>(queue)).state,
    submit(points: number, overrides: Partial<QuizResponse> = {}): string {
      const id = `r-${(ids += 1)}`;
      const date_submitted = new Date(begin + ids * 1_000);
      responses.set(id, quizResponse({ quiz_id: quizId, response_id: id, points, date_submitted, ...overrides }));
      return id;
    },
    mark(id: string, points: number) {
      responses.set(id, quizResponse({ ...responses.get(id)!, points }));
    },
    /** A webhook that brings the answers of an attempt, as they are now. */
    webhook: async (id: string) => {
      const response = responses.get(id)! as SubmittedResponse;
      // Another question comes first, as in a quiz that mixes them.
      await answers.answered(submissionOf(response, false), questionsOf(response).toReversed());
    },
    /** The bot remembers nothing but what it has stored. */
    restart() {
      const anew = rememberStates(stored, { answers: answersDivision });
      run = runMachine(machine, { outbox: anew, now: () => now });
    },
    look: async () => answers.of(quizId, listed()),
    /** Lets the machine run, as the queues would, for so long; it rests when it has nothing to do. */
    async pass(ms: number) {
      const end = now + ms;
      for (;;) {
        const next = (await run(queue)) ?? Infinity;
        if (next > end) break;
        now = Math.max(now, next);
      }
      now = Math.max(now, end);
    },
  };
}

type World = ReturnType<typeof openQuiz>;

/** How many got each question right, as far as the answers are known. */
async function rightIn(world: World): Promise<(number | undefined)[]> {
  const { questions, answers } = await world.look();
  const tally = createTally(questions);
  for (const one of answers.values()) tally.add(one);
  return tally
    .analysis()
    .marked.toSorted((a, b) => a.question.id.localeCompare(b.question.id))
    .map(({ right }) => right);
}

describe('the answers to a quiz', () => {
  test('are read once somebody asks, in the background, at an even pace, and then known', async () => {
    const world = openQuiz();
    for (let points = 0; points < 25; points += 1) world.submit(points % 5);
    await world.pass(minuteMs);
    expect(world.requests).toEqual([]);
    expect((await world.look()).answers.size).toBe(0);
    await world.pass(1_000);
    expect((await world.look()).answers.size).toBe(10);
    await world.pass(minuteMs);
    const { counted, answers } = await world.look();
    expect([counted.size, answers.size]).toEqual([25, 25]);
    expect(await rightIn(world)).toEqual([20, 15, 10, 5]);
    expect(new Set(world.requests).size).toBe(25);
    expect(world.requests[0]).toBe('r-25 4');
    expect(new Set(world.calls.map(({ priority }) => priority))).toEqual(new Set(['background']));
    await world.pass(10 * minuteMs);
    await world.look();
    await world.pass(minuteMs);
    expect(world.requests).toHaveLength(25);
  });

  test('are read anew where the questions that they are about are lost', () => {
    const questions = [{ id: 'q', version: 1, text: 'What?', categories: [], options: [] }];
    const attempts = [
      { id: 'r-1', points: 1, answers: '+' },
      { id: 'r-2', points: 0, answers: '-' },
    ];
    const { head, parts } = answersDivision.divide({ questions, attempts, notBefore: 7 });
    expect(answersDivision.join(head, parts)).toEqual({ questions, attempts, notBefore: 7 });
    expect(answersDivision.join(head, parts.slice(1))).toEqual({
      questions: [],
      attempts: [
        { id: 'r-1', points: 1 },
        { id: 'r-2', points: 0 },
      ],
      notBefore: 7,
    });
  });

  test('tell the question that most people got wrong, from five attempts on, and only of what is known', async () => {
    const world = openQuiz();
    for (const points of [3, 1, 4, 2]) await world.webhook(world.submit(points));
    await world.pass(1_000);
    expect(await world.answers.mostFailed(quizId)).toBeUndefined();
    await world.webhook(world.submit(2));
    world.submit(0);
    await world.pass(1_000);
    const { text } = answeredQuestion();
    expect(await world.answers.mostFailed(quizId)).toEqual({ quizId, question: text, asked: 5, wrong: 4 });
    expect(world.requests).toEqual([]);
    expect(await world.answers.mostFailed('another')).toBeUndefined();
  });

  test('tell no question where everybody got all right', async () => {
    const world = openQuiz();
    for (let attempt = 0; attempt < 5; attempt += 1) await world.webhook(world.submit(questionCount));
    await world.pass(1_000);
    expect(await world.answers.mostFailed(quizId)).toBeUndefined();
  });

  test('have no names, and nothing of who took the quiz', async () => {
    const world = openQuiz();
    world.submit(3);
    await world.look();
    await world.pass(minuteMs);
    expect(JSON.stringify(await world.state())).not.toMatch(/rosa|almeida|u-1|203\.0|ACCESS/i);
    expect((await world.state())?.attempts).toEqual([{ id: 'r-1', points: 3, answers: '+ + + -0' }]);
  });

  test('leave out what is not submitted', async () => {
    const world = openQuiz();
    world.submit(3, { status: 'not_submitted' });
    expect((await world.look()).counted.size).toBe(0);
    await world.pass(minuteMs);
    expect(world.requests).toEqual([]);
  });

  test('go with a quiz that is deleted', async () => {
    const world = openQuiz();
    world.submit(3);
    await world.look();
    await world.pass(minuteMs);
    world.service.isGone = true;
    await world.answers.deleted(quizId);
    await world.pass(minuteMs);
    expect(await world.state()).toEqual({ questions: [], attempts: [] });
  });

  test('cost no request where none are kept of a quiz that is deleted', async () => {
    const world = openQuiz();
    world.service.isGone = true;
    await world.answers.deleted(quizId);
    await world.pass(minuteMs);
    expect(world.calls).toEqual([]);
  });

  test.each<[string, () => QuizApiError, number]>([
    ['a lost connection', connectionLost, 2 * minuteMs],
    ['a key that is refused', () => new QuizApiError('forbidden', call, 'refused'), 2 * minuteMs],
    [
      'a full budget',
      () => new QuizApiError('budget spent', call, 'was not sent', { availableAt: new Date(begin + 5 * minuteMs) }),
      6 * minuteMs,
    ],
  ])('are read on after %s, without asking again for those that are known', async (_, error, laterMs) => {
    const world = openQuiz();
    for (let points = 0; points < 15; points += 1) world.submit(points % 5);
    world.service.failWith = (id) => (id === 'r-12' ? error() : undefined);
    await world.look();
    await world.pass(20_000);
    expect((await world.look()).answers.size).toBe(3);
    world.service.failWith = undefined;
    await world.pass(laterMs);
    expect((await world.look()).answers.size).toBe(15);
    expect(world.requests).toHaveLength(15);
  });

  test('are none for an attempt that the service cannot show, or that is gone meanwhile', async () => {
    const world = openQuiz();
    const ids = [1, 2, 3].map((points) => world.submit(points));
    world.service.failWith = (id) =>
      id === ids[0]
        ? new QuizApiError('invalid answer', call, 'answered 200')
        : id === ids[1]
          ? new QuizApiError('gone', call, 'is gone')
          : undefined;
    await world.look();
    await world.pass(minuteMs);
    expect([...(await world.look()).answers.values()]).toEqual(['+ + + -0', '', '']);
    expect(world.requests).toEqual(['r-3 3']);
  });

  test('are of the newest attempts, where there are very many', async () => {
    const world = openQuiz();
    for (let points = 0; points < 5_010; points += 1) world.submit(points % 5);
    const { counted } = await world.look();
    expect([counted.size, counted.has('r-5010'), counted.has('r-10')]).toEqual([5_000, true, false]);
    await world.pass(1_000);
    expect((await world.state())?.attempts).toHaveLength(5_000);
  });
});

type Event =
  | { kind: 'submit'; points: number }
  | { kind: 'mark' | 'delete' | 'erase' | 'webhook'; of: number; points: number }
  | { kind: 'look' | 'double' | 'fail' | 'restart' | 'pass' };

const event = fc.oneof<fc.Arbitrary<Event>[]>(
  fc.record({ kind: fc.constant('submit' as const), points: fc.nat(questionCount) }),
  fc.record({
    kind: fc.constantFrom('mark' as const, 'delete' as const, 'erase' as const, 'webhook' as const),
    of: fc.nat(40),
    points: fc.nat(questionCount),
  }),
  fc.record({
    kind: fc.constantFrom('look' as const, 'double' as const, 'fail' as const, 'restart' as const, 'pass' as const),
  }),
);

test('whatever happens to attempts, the numbers are those of the attempts that are there, and no answers are read twice', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 60 }), async (events) => {
      const world = openQuiz();
      for (const one of events) {
        const ids = [...world.responses.keys()];
        const id = 'of' in one ? ids[one.of % ids.length] : undefined;
        if (one.kind === 'submit') world.submit(one.points);
        else if (one.kind === 'mark' && id !== undefined) world.mark(id, one.points);
        else if (one.kind === 'delete' && id !== undefined) world.responses.delete(id);
        else if (one.kind === 'erase' && id !== undefined)
          world.responses.set(id, { ...world.responses.get(id)!, user_id: null, first_name: '', last_name: '' });
        else if (one.kind === 'webhook' && id !== undefined) {
          await world.webhook(id);
          // It comes again, and its attempt may be gone when it does.
          if (one.points > 2) await world.webhook(id);
        } else if (one.kind === 'look') await world.look();
        else if (one.kind === 'restart') world.restart();
        else if (one.kind === 'double') for (let times = 0; times < 2; times += 1) await world.answers.changed(quizId);
        else if (one.kind === 'fail') {
          world.service.failWith = connectionLost;
          await world.pass(1_000);
          world.service.failWith = undefined;
        } else await world.pass(700);
      }
      await world.look();
      await world.pass(90 * minuteMs);
      const { answers, counted } = await world.look();
      const now = [...world.responses.values()];
      expect(new Set(answers.keys())).toEqual(new Set(now.map(({ response_id: id }) => id)));
      expect(counted.size).toBe(now.length);
      expect(await rightIn(world)).toEqual(
        now.length < 5
          ? []
          : Array.from({ length: questionCount }, (_, place) => now.filter(({ points }) => place < points!).length),
      );
      // An attempt that was marked back and forth has had the same points before.
      const marks = events.filter(({ kind }) => kind === 'mark').length;
      expect(world.requests.length - new Set(world.requests).size).toBeLessThanOrEqual(marks);
    }),
    { numRuns: runs(60) },
  );
});

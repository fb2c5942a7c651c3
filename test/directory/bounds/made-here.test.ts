import { Keyv } from 'keyv';
import { expect, test } from 'vitest';
import {
  createMadeHere,
  MadeHereBusyError,
  type KeptMadeHere,
  type QuizClaim,
  type UserClaim,
} from '../../../src/directory/bounds/made-here.ts';
import type { Quiz } from '../../../src/quiz-api/quizzes.ts';
import { quizUser } from '../../support/builders/users.ts';

const start = Date.UTC(2026, 10, 2, 8);
const [secondMs, hourMs] = [1_000, 3_600_000];
const written = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

function setUp(store = new Keyv<KeptMadeHere>(), clock = { now: start }) {
  const made = createMadeHere({
    store,
    now: () => clock.now,
    async alone(work) {
      await work();
      return true;
    },
  });
  return { made, store, clock };
}

const quiz = (overrides: Partial<Quiz> = {}): Quiz => ({
  quiz_id: 'q-1',
  name: 'Ladders',
  status: 'in_design',
  date_created: new Date(start),
  ...overrides,
});
const ladders = { kind: 'quiz', name: 'Ladders', isCopy: false } as const;
const kim = { kind: 'user', userName: 'Kim@quiz.example' } as const;

test('knows after a restart what was made', async () => {
  const { made, store, clock } = setUp();
  await made.end(await made.begin<QuizClaim>(ladders), 'q-1');
  await made.end(await made.begin<UserClaim>(kim), 'u-kim');
  const { made: later } = setUp(store, clock);
  await later.load();
  expect([later.hasQuiz('q-1'), later.hasQuiz('q-2')]).toEqual([true, false]);
  expect(later.hasUser(quizUser({ user_id: 'u-kim', date_created: null }))).toBe(true);
  expect(later.quizClaims()).toEqual([]);
});

test('knows within seconds what another instance made', async () => {
  const { made, store, clock } = setUp();
  await made.load();
  await setUp(store, clock).made.keepQuiz('q-1');
  await made.load();
  expect(made.hasQuiz('q-1')).toBe(false);
  const before = made.version();
  clock.now += 6 * secondMs;
  await made.load();
  expect(made.hasQuiz('q-1')).toBe(true);
  expect(made.version()).toBeGreaterThan(before);
});

test('takes a quiz whose answer was lost for the one that was being made, if nothing else can be', async () => {
  const { made, clock } = setUp();
  const claim = await made.begin<QuizClaim>(ladders);
  const old = quiz({ quiz_id: 'q-old', date_created: new Date(start - hourMs) });
  const undated = quiz({ quiz_id: 'q-undated', date_created: null });
  expect(made.claimed(claim, [old, undated, quiz({ name: 'Ladders 2' }), quiz()])).toEqual(quiz());
  expect(made.claimed(claim, [quiz(), quiz({ quiz_id: 'q-2' })])).toBeUndefined();
  await made.keepQuiz('q-2');
  expect(made.claimed(claim, [quiz(), quiz({ quiz_id: 'q-2' })])).toEqual(quiz());
  clock.now += hourMs;
  expect(made.claimed(claim, [quiz()])).toBeUndefined();
});

test('takes a quiz with the name of its source in it for a copy', async () => {
  const { made } = setUp();
  const claim = await made.begin<QuizClaim>({ ...ladders, isCopy: true });
  expect(made.claimed(claim, [quiz({ name: 'Copy of Ladders' })])?.name).toBe('Copy of Ladders');
});

test('takes a user of the name that was being made for theirs, for an hour, unless they were there before', async () => {
  const { made, clock } = setUp();
  const user = (createdAt: number) => quizUser({ user_name: 'kim@quiz.example', date_created: written(createdAt) });
  expect(made.hasUser(user(start))).toBe(false);
  const claim = await made.begin<UserClaim>(kim);
  expect(made.hasUser(user(start + secondMs))).toBe(true);
  expect(made.hasUser(user(start - hourMs))).toBe(false);
  expect(made.hasUser({ ...user(start), user_name: 'kim.march@quiz.example' })).toBe(false);
  expect(made.hasUser({ ...user(start), date_created: null })).toBe(false);
  await made.end(claim, undefined);
  expect(made.hasUser(user(start + secondMs))).toBe(false);
  await made.begin<UserClaim>(kim);
  clock.now += hourMs;
  expect(made.hasUser(user(start + secondMs))).toBe(false);
});

test('ends one of two claims of the same name', async () => {
  const { made } = setUp();
  const claims = [await made.begin<QuizClaim>(ladders), await made.begin<QuizClaim>(ladders)];
  await made.end(claims[0]!, undefined);
  expect(made.quizClaims()).toHaveLength(1);
});

test('keeps a quiz for a time, and one that it made for good', async () => {
  const { made, clock } = setUp();
  await made.keepQuiz('q-1', hourMs);
  await made.keepQuiz('q-2');
  await made.keepQuiz('q-2', hourMs);
  expect([made.hasQuiz('q-1'), made.hasQuiz('q-2')]).toEqual([true, true]);
  clock.now += hourMs;
  expect([made.hasQuiz('q-1'), made.hasQuiz('q-2')]).toEqual([false, true]);
});

test('keeps and forgets users', async () => {
  const { made } = setUp();
  const user = quizUser({ user_id: 'u-kim' });
  await made.keepUser('u-kim');
  expect(made.hasUser(user)).toBe(true);
  await made.forgetUser('u-kim');
  expect(made.hasUser(user)).toBe(false);
});

test('makes nothing while it cannot be kept', async () => {
  const made = createMadeHere({ store: new Keyv(), now: () => start, alone: async () => false });
  await expect(made.begin<QuizClaim>(ladders)).rejects.toThrow(MadeHereBusyError);
});

test('says what the store says when it is away', async () => {
  const away = async () => {
    throw new Error('away');
  };
  const made = createMadeHere({ store: { get: away, set: away }, now: () => start, alone: async () => true });
  await expect(made.load()).rejects.toThrow('away');
});

import { expect, test } from 'vitest';
import type { User } from '../../../src/quiz-api/records.ts';
import { assignRow } from '../../support/builders/rows.ts';
import { quizUser } from '../../support/builders/users.ts';
import { openBatch, quizId } from './batch-bed.ts';

const heldForMs = 30_000;
const mailed = quizUser({ user_id: 'u-0p', user_name: 'p0@quiz.example' });
const others = ['u-1p', 'u-2p'].map((id) => quizUser({ user_id: id, user_name: `${id}@quiz.example` }));
const fire = { quizId, quizName: 'Fire safety' };
const rows = [mailed, ...others].map(({ user_id: userId }) =>
  assignRow(quizId, { userId }, { notify: [{ ...fire, users: [{ userId }] }] }),
);
const withQuiz = (user: User): User => ({ ...user, quizzes: [{ quiz_id: quizId, name: '', date_assigned: null }] });

test('a change that a request makes is not made by its batch, which nobody sees', async () => {
  const batch = await openBatch(rows, { users: [mailed, ...others], heldForMs });
  await batch.until(batch.now() + heldForMs - 1);
  await batch.callOff();
  await batch.until();
  expect(batch.calls).toEqual([]);
  expect(batch.record).toEqual([]);
  expect(await batch.refreshes()).toBe(0);
  expect(await batch.progress()).toBeUndefined();
});

test('a change whose request ended in the middle is made by its batch, on the record of the request', async () => {
  const batch = await openBatch(rows, { users: [withQuiz(mailed), ...others], heldForMs });
  const heldUntil = batch.now() + heldForMs;
  await batch.until();
  expect(Math.min(...batch.calls.map(({ at }) => at))).toBe(heldUntil);
  expect(batch.names().filter((name) => name.startsWith('users.assignQuiz'))).toEqual([
    'users.assignQuiz u-1p',
    'users.assignQuiz u-2p',
  ]);
  expect(await batch.progress()).toMatchObject({ total: 3, done: 3, failed: 0, batch: { state: 'finished' } });
  expect(batch.ownRecord().map(({ action, correlationId }) => [action, correlationId])).toEqual([
    ['begun', 'cd34'],
    ['done', 'cd34'],
  ]);
  expect(await batch.refreshes()).toBeGreaterThan(0);
});

test('also those who got the quiz before their request ended have their message', async () => {
  const batch = await openBatch(rows, { users: [withQuiz(mailed), ...others], heldForMs });
  await batch.until();
  for (const { user_id } of [mailed, ...others]) expect(await batch.messagesTo(user_id)).toHaveLength(1);
});

test('a batch that has begun is not called off', async () => {
  const batch = await openBatch(rows, { users: [mailed, ...others], heldForMs });
  await batch.until(batch.now() + heldForMs);
  await batch.callOff();
  await batch.until();
  expect(await batch.progress()).toMatchObject({ done: 3, batch: { state: 'finished' } });
});

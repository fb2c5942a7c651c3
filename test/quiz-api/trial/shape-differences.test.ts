import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shapeDifferences } from '../../../src/quiz-api/trial/shape-differences.ts';
import { quizShape, responseShape, userShape } from '../../../src/quiz-api/trial/specification.ts';

const nobody = () => false;
const quiz = { quiz_id: 'q-1', name: 'Fire safety', status: 'open', date_created: '2026-11-02 00:05:47' };

test('finds nothing in records as the specification writes them', () => {
  expect(shapeDifferences([quiz, { ...quiz, status: 'in_design' }], quizShape, nobody)).toEqual([]);
});

test.each<[Record<string, unknown>, string]>([
  [{ name: undefined }, 'name: missing in 1 of 2'],
  [{ name: '<b>Fire</b> safety' }, 'name: text with HTML in 1 of 2'],
  [{ name: 'Fire &amp; safety' }, 'name: text with entities of HTML in 1 of 2'],
  [{ quiz_id: 7 }, 'quiz_id: a number in 1 of 2'],
  [{ status: 'archived' }, 'status: “archived” in 1 of 2'],
  [{ status: 'Open' }, 'status: a known word in capitals or with spaces in 1 of 2'],
  [{ status: 'Rosa Almeida' }, 'status: other text in 1 of 2'],
  [{ date_created: null }, 'date_created: null in 1 of 2'],
  [{ date_created: '0001-01-01 00:00:00' }, 'date_created: the year 1 in 1 of 2'],
  [{ date_created: '2026-11-02T00:05:47' }, 'date_created: a date with T in 1 of 2'],
  [
    { date_created: '2026-11-02T00:05:47.123-07:00' },
    'date_created: a date with T and with fractions of a second and with -07:00 in 1 of 2',
  ],
  [{ extra_field: true }, 'extra_field: not in the specification, true or false in 1 of 1'],
  [{ 'rosa@quiz.example': 1 }, '(a field with an unusual name): not in the specification, a number in 1 of 1'],
])('names %j', (odd, line) => {
  expect(shapeDifferences([quiz, { ...quiz, ...odd }], quizShape, nobody)).toEqual([line]);
});

test('shows no word that is a name in the account', () => {
  const isName = (text: string) => text === 'rosa';
  expect(shapeDifferences([{ ...quiz, status: 'rosa', rosa: 1 }], quizShape, isName)).toEqual([
    'status: other text in 1 of 1',
    '(a field with an unusual name): not in the specification, a number in 1 of 1',
  ]);
});

test('names the fields of items with their list', () => {
  const user = Object.fromEntries(Object.entries(userShape).map(([field]) => [field, undefined]));
  expect(
    shapeDifferences([{ ...user, quizzes: [{ quiz_id: 'q-1', name: 7, date_assigned: '' }] }], userShape, nobody),
  ).toEqual(
    expect.arrayContaining(['quizzes[].name: a number in 1 of 1', 'quizzes[].date_assigned: an empty text in 1 of 1']),
  );
});

test('shows nothing of any value', () => {
  const canary = fc
    .tuple(fc.constantFrom('canary', 'Canary ', '7canary', 'canary@x.example', '<i>canary', '2026-canary'), fc.string())
    .map((parts) => parts.join('§'));
  const value = fc.oneof(canary, fc.array(canary), fc.dictionary(canary, canary), fc.constant(null), fc.double());
  const record = fc.dictionary(fc.oneof(fc.constantFrom(...Object.keys(responseShape)), canary), value);
  fc.assert(
    fc.property(fc.array(fc.oneof(record, value)), (records) => {
      expect(shapeDifferences(records, responseShape, nobody).join('\n')).not.toMatch(/canary/i);
    }),
  );
});

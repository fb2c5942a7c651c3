import { expect, test } from 'vitest';
import { byRespondent, isAttemptOf } from '../../../src/features/results/respondents.ts';

const attempt = (response_id: string, user_id: string | null, email_address = '') => ({
  response_id,
  user_id,
  email_address,
});
const people = (...attempts: ReturnType<typeof attempt>[]) =>
  byRespondent(attempts).map((own) => own.map(({ response_id }) => response_id));

test('attempts of one user ID are of one person, whatever their addresses', () => {
  expect(
    people(
      attempt('1', 'u-1', 'kim@a.example'),
      attempt('2', 'u-1', 'kim@b.example'),
      attempt('3', 'u-2', 'kim@a.example'),
    ),
  ).toEqual([['1', '2'], ['3']]);
});

test('attempts of one full address are of one person, in any case of letters', () => {
  expect(
    people(
      attempt('1', null, 'Kim@A.example'),
      attempt('2', null, ' kim@a.example '),
      attempt('3', null, 'kim@b.example'),
    ),
  ).toEqual([['1', '2'], ['3']]);
});

test('an attempt without a user ID is of the only user with its address', () => {
  expect(people(attempt('1', 'u-1', 'kim@a.example'), attempt('2', null, 'kim@a.example'))).toEqual([['1', '2']]);
  expect(
    people(
      attempt('1', 'u-1', 'kim@a.example'),
      attempt('2', 'u-2', 'kim@a.example'),
      attempt('3', null, 'kim@a.example'),
    ),
  ).toEqual([['1'], ['2'], ['3']]);
});

test.each(['', 'kim', 'kim@', '@a.example', 'kim at a.example', 'kim@example'])(
  'two guests with the address %j are two people',
  (address) => {
    expect(people(attempt('1', null, address), attempt('2', null, address), attempt('3', '', address))).toEqual([
      ['1'],
      ['2'],
      ['3'],
    ]);
  },
);

test('an attempt is a user’s by user ID, or without one by a full address', () => {
  const kim = { user_id: 'u-1', user_name: 'kim@a.example', email_address: 'Kim@b.example' };
  const isKims = isAttemptOf(kim);
  expect(
    [attempt('1', 'u-1'), attempt('2', null, 'KIM@A.example'), attempt('3', null, 'kim@b.example')].map(isKims),
  ).toEqual([true, true, true]);
  expect(
    [
      attempt('1', 'u-2', 'kim@a.example'),
      attempt('2', null, 'kim'),
      attempt('3', null),
      attempt('4', '', 'kim@c.example'),
    ].map(isKims),
  ).toEqual([false, false, false, false]);
  const nameless = isAttemptOf({ user_id: 'u-1', user_name: 'kim', email_address: '' });
  expect([attempt('1', null, 'kim'), attempt('2', null, '')].map(nameless)).toEqual([false, false]);
});

import { expect, test } from 'vitest';
import { userListMessage, userMessage } from '../../../src/slack/views/users.ts';
import { quizUser } from '../../support/builders/users.ts';

const shown = (...[result]: [Partial<Parameters<typeof userMessage>[0]>]) =>
  JSON.stringify(userMessage({ kind: 'user', user: { ...quizUser(), quizzes: [] }, assigned: { quizzes: [], leftOut: 0, isStillReading: false }, groups: [], trains: { quizzes: [], groups: [] }, ...result }, 'UTC'));

test('a user is shown with notes and time zone', () => {
  const text = shown({ user: { ...quizUser({ notes: 'Works at night.\nSpeaks <Portuguese>', time_zone: 'Europe/Lisbon' }), quizzes: [] } });
  expect(text).toContain('*Notes*\\nWorks at night. Speaks &lt;Portuguese&gt;');
  expect(text).toContain('*Time zone*\\nEurope/Lisbon');
});

test('a trainer is shown with the quizzes and groups they train', () => {
  const text = shown({ groups: ['Kitchen'], trains: { quizzes: ['Fire safety', 'Ladders'], groups: ['Night shift'] } });
  expect(text).toContain('*Groups*\\nKitchen');
  expect(text).toContain('*Trains the quizzes*\\nFire safety, Ladders');
  expect(text).toContain('*Trains the groups*\\nNight shift');
});

test('a user without notes who trains nothing has no line for either', () => {
  expect(shown({})).not.toMatch(/Notes|Trains/);
});

test('a user without a user name leaves no gap in the list', () => {
  const list = JSON.stringify(userListMessage([quizUser({ first_name: 'Juno', last_name: 'Jansen', user_name: '', user_type: 'respondent' })], ''));
  expect(list).toContain('*Juno Jansen* · respondent');
});

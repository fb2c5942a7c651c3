import { describe, expect, test } from 'vitest';
import {
  beyondByJoining,
  beyondByLeaving,
  beyondByNewUser,
  beyondByQuiz,
  beyondByUser,
  beyondGroups,
  isLastGroup,
} from '../../../src/directory/bounds/reach.ts';
import type { BoundFacts } from '../../../src/directory/bounds/rule.ts';
import type { User } from '../../../src/quiz-api/users.ts';
import { quizUser } from '../../support/builders/users.ts';

const kitchen = { group_id: 'g-kitchen', group_name: 'Kitchen' };
const bar = { group_id: 'g-bar', group_name: 'Bar' };
const sales = { group_id: 'g-sales', group_name: 'Sales' };
const facts: BoundFacts = {
  groupIds: new Set([kitchen.group_id, bar.group_id]),
  isMade: ({ user_id }) => user_id === 'u-made',
};

test('a quiz that others have is not changed', () => {
  expect([beyondByQuiz('own'), beyondByQuiz('shared')]).toEqual([undefined, 'shared quiz']);
});

describe('a user', () => {
  const rename = { first_name: 'Kim' };
  test.each<[string, Partial<User>, Parameters<typeof beyondByUser>[1], ReturnType<typeof beyondByUser>]>([
    ['of the group can be renamed', { groups: [kitchen] }, rename, undefined],
    ['of two groups of the bot can be renamed', { groups: [kitchen, bar] }, rename, undefined],
    ['of the group can get a password', { groups: [kitchen] }, { password: 'secret' }, undefined],
    ['of the group can be deleted', { groups: [kitchen] }, 'deleted', undefined],
    ['whom the bot made can be renamed', { user_id: 'u-made' }, rename, undefined],
    ['of another group, too, cannot be suspended', { groups: [kitchen, sales] }, { suspended: true }, 'shared person'],
    [
      'who trains another group cannot be deleted',
      { groups: [kitchen], trainergroups: [sales] },
      'deleted',
      'shared person',
    ],
    ['of the group cannot become a trainer', { groups: [kitchen] }, { user_type: 'trainer' }, 'new staff'],
    ['of the group cannot get a right', { groups: [kitchen] }, { edit_quizzes: true }, 'new staff'],
    [
      'of the group can be without rights',
      { groups: [kitchen] },
      { user_type: 'respondent', edit_quizzes: false },
      undefined,
    ],
    [
      'who trains the group can be suspended',
      { user_type: 'trainer', trainergroups: [kitchen] },
      { suspended: true },
      undefined,
    ],
    [
      'who trains the group can be reinstated',
      { user_type: 'trainer', trainergroups: [kitchen] },
      { suspended: false, first_name: undefined },
      undefined,
    ],
    [
      'who trains the group gets no password',
      { user_type: 'trainer', trainergroups: [kitchen] },
      { password: 'secret' },
      'trainer',
    ],
    ['who trains the group is not deleted', { user_type: 'trainer', trainergroups: [kitchen] }, 'deleted', 'trainer'],
    [
      'of a type that the bot does not know gets no password',
      { user_type: 'auditor', groups: [kitchen] },
      { password: 'secret' },
      'trainer',
    ],
    [
      'who is an administrator is not suspended',
      { user_type: 'administrator', groups: [kitchen] },
      { suspended: true },
      'administrator',
    ],
  ])('%s', (_, user, changes, beyond) => expect(beyondByUser(quizUser(user), changes, facts)).toBe(beyond));
});

test.each<[string, Parameters<typeof beyondByNewUser>[0], ReturnType<typeof beyondByNewUser>]>([
  ['a respondent', { user_type: 'respondent', edit_quizzes: false }, undefined],
  ['a user without a type', {}, undefined],
  ['a trainer', { user_type: 'trainer' }, 'new staff'],
  ['an administrator', { user_type: 'administrator' }, 'new staff'],
  ['a respondent with a right', { user_type: 'respondent', manage_groups: true }, 'new staff'],
])('whether %s can be created', (_, fields, beyond) => expect(beyondByNewUser(fields)).toBe(beyond));

test.each<[string, Partial<User>, ReturnType<typeof beyondByJoining>]>([
  ['a member', { groups: [kitchen, sales] }, undefined],
  ['a person whom the bot made', { user_id: 'u-made' }, undefined],
  ['a trainer of the group alone', { trainergroups: [kitchen] }, undefined],
  ['a trainer of another group, too', { trainergroups: [kitchen, sales] }, 'trainer of others'],
])('whether %s can join another group of the bot', (_, user, beyond) =>
  expect(beyondByJoining(quizUser(user), facts)).toBe(beyond),
);

test.each<[string, Partial<User>, ReturnType<typeof beyondByLeaving>, boolean]>([
  ['in another group of the bot', { groups: [kitchen, bar] }, undefined, false],
  ['in no other group', { groups: [kitchen] }, undefined, true],
  ['in a group of others', { groups: [kitchen, sales] }, 'last group', false],
  ['who trains a group of others', { groups: [kitchen], trainergroups: [sales] }, 'last group', false],
  ['who trains a group of the bot', { groups: [kitchen, sales], trainergroups: [bar] }, undefined, false],
  ['not in it', { groups: [sales], trainergroups: [bar] }, undefined, false],
])('whether a person %s can leave the group', (_, user, beyond, isLast) => {
  expect(beyondByLeaving(quizUser(user), kitchen.group_id, facts)).toBe(beyond);
  expect(isLastGroup(quizUser(user), kitchen.group_id)).toBe(isLast);
});

test('each reason has a sentence that says who can help', () => {
  for (const sentence of Object.values(beyondGroups)) expect(sentence).toMatch(/dministrator of the quiz account can/);
});

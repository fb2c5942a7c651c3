import { describe, expect, test } from 'vitest';
import type { Actor } from '../../src/directory/who-is-who.ts';
import { explainLack, rightsOf, sightOf } from '../../src/governance/rights.ts';
import type { Right } from '../../src/operations/operation.ts';
import type { Quiz } from '../../src/quiz-api/quizzes.ts';
import type { User } from '../../src/quiz-api/users.ts';
import { quizUser } from '../support/user.ts';

const actor = (user: Partial<User> | undefined, more: Partial<Actor> = {}): Actor => ({
  slackId: 'U1',
  isOwner: false,
  user: user && quizUser(user),
  nobody: user ? undefined : 'no quiz user',
  ...more,
});

const people = {
  administrator: actor({ user_type: 'administrator' }),
  'trainer, edit_quizzes': actor({ user_type: 'trainer', edit_quizzes: true }),
  'trainer, manage_users': actor({ user_type: 'trainer', manage_users: true }),
  'trainer, manage_groups': actor({ user_type: 'trainer', manage_groups: true }),
  'trainer, no flag': actor({ user_type: 'trainer' }),
  respondent: actor({ user_type: 'respondent', edit_quizzes: true }),
  'suspended administrator': actor({ user_type: 'administrator', suspended: true }),
  guest: actor(undefined, { nobody: 'guest' }),
  nobody: actor(undefined),
  'owner, unknown to the account': actor(undefined, { isOwner: true, nobody: undefined }),
};

test('who has which right', () => {
  const columns: Right[] = ['known', 'staff', 'edit_quizzes', 'manage_users', 'manage_groups', 'administrator'];
  const table = Object.entries(people).map(([who, person]) => {
    const rights = rightsOf(person);
    return `${who.padEnd(30)}${columns.map((right) => (rights.has(right) ? 'yes' : '-').padEnd(15)).join('').trimEnd()}`;
  });
  expect(`\n${table.join('\n')}\n`).toMatchInlineSnapshot(`
    "
    administrator                 yes            yes            yes            yes            yes            yes
    trainer, edit_quizzes         yes            yes            yes            -              -              -
    trainer, manage_users         yes            yes            -              yes            -              -
    trainer, manage_groups        yes            yes            -              -              yes            -
    trainer, no flag              yes            yes            -              -              -              -
    respondent                    yes            -              -              -              -              -
    suspended administrator       -              -              -              -              -              -
    guest                         -              -              -              -              -              -
    nobody                        -              -              -              -              -              -
    owner, unknown to the account yes            yes            yes            yes            yes            yes
    "
  `);
});

describe('a quiz is seen', () => {
  const sees = (person: Actor, seen: Quiz) => sightOf(person).quiz(seen);
  const quiz = { quiz_id: 'q-1', name: 'Fire safety', status: 'open' as const, date_created: new Date(0) };

  test('by staff', () => {
    expect(sees(people['trainer, no flag'], quiz)).toBe(true);
    expect(sees(people['suspended administrator'], quiz)).toBe(false);
  });

  test('by a respondent it is assigned to', () => {
    const assigned = { quiz_id: 'q-1', name: 'Fire safety', date_assigned: new Date(0) };
    expect(sees(actor({ quizzes: [assigned] }), quiz)).toBe(true);
    expect(sees(actor({ quizzes: [assigned], suspended: true }), quiz)).toBe(false);
    expect(sees(people.respondent, quiz)).toBe(false);
    expect(sees(people.nobody, quiz)).toBe(false);
  });
});

test('a refusal says what would mend it', () => {
  expect(explainLack(people.guest, 'known')).toContain('Guests');
  expect(explainLack(people.nobody, 'known')).toContain('your Slack e-mail address');
  expect(explainLack(people['suspended administrator'], 'known')).toContain('suspended');
  expect(explainLack(people.respondent, 'edit_quizzes')).toContain('right to edit quizzes');
});

describe('a user is seen', () => {
  const rosa = quizUser({ quizzes: [{ quiz_id: 'q-1', name: 'Fire safety', date_assigned: null }], groups: [{ group_id: 'g-1', group_name: 'Crew' }] });
  const trainer = (more: Partial<User>) => sightOf(actor({ user_type: 'trainer', manage_users: true, ...more })).user(rosa);

  test('by who manages users, through a quiz or a group they train', () => {
    expect(trainer({ trainerquizzes: [{ quiz_id: 'q-1', name: '' }] })).toBe(true);
    expect(trainer({ trainergroups: [{ group_id: 'g-1', group_name: '' }] })).toBe(true);
    expect(trainer({ trainerquizzes: [{ quiz_id: 'q-2', name: '' }], trainergroups: [{ group_id: 'g-2', group_name: '' }] })).toBe(false);
  });

  test('by who manages users where the account does not say whom they train', () => {
    expect(trainer({})).toBe(true);
  });

  test('by nobody without a right', () => {
    expect(trainer({ manage_users: false })).toBe(false);
    expect(sightOf(people.respondent).user(rosa)).toBe(false);
    expect(sightOf(people.nobody).user(rosa)).toBe(false);
  });
});

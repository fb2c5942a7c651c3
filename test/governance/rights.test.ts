import { describe, expect, test } from 'vitest';
import type { Actor } from '../../src/directory/identity.ts';
import { denialMessage as denialMessageOn, rightsOf, visibilityOf } from '../../src/governance/rights.ts';
import type { Right } from '../../src/operations/context.ts';
import type { Quiz } from '../../src/quiz-api/quizzes.ts';
import type { User } from '../../src/quiz-api/users.ts';
import { actor, quizUser } from '../support/builders/users.ts';

const denialMessage = (person: Actor, right: Right) => denialMessageOn(person, right, { name: 'Slack' });

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
  const sees = (person: Actor, seen: Quiz) => visibilityOf(person).quiz(seen);
  const quiz = { quiz_id: 'q-1', name: 'Fire safety', status: 'open' as const, date_created: new Date(0) };

  test('by staff', () => {
    expect(sees(people['trainer, no flag'], quiz)).toBe(true);
    expect(sees(people['suspended administrator'], quiz)).toBe(false);
  });

  test('by a respondent it is assigned to', () => {
    const assigned = { quiz_id: 'q-1', name: 'Fire safety', date_assigned: null };
    expect(sees(actor({ quizzes: [assigned] }), quiz)).toBe(true);
    expect(sees(actor({ quizzes: [assigned], suspended: true }), quiz)).toBe(false);
    expect(sees(people.respondent, quiz)).toBe(false);
    expect(sees(people.nobody, quiz)).toBe(false);
  });
});

test('a refusal for want of a right says which, and who gives it', () => {
  const rights: Right[] = ['known', 'staff', 'edit_quizzes', 'manage_users', 'manage_groups', 'administrator'];
  expect(`\n${rights.map((right) => `${right}: ${denialMessage(people.respondent, right)}`).join('\n')}\n`).toMatchInlineSnapshot(`
    "
    known: Only users of the quiz account can do this.
    staff: Only trainers and administrators can do this.
    edit_quizzes: You need the right to edit quizzes for this. An administrator of the quiz account can give it to you.
    manage_users: You need the right to manage users for this. An administrator of the quiz account can give it to you.
    manage_groups: You need the right to manage groups for this. An administrator of the quiz account can give it to you.
    administrator: Only administrators of the quiz account can do this.
    "
  `);
  expect(denialMessage(people['owner, unknown to the account'], 'staff')).toBe(denialMessage(people.respondent, 'staff'));
});

test('a refusal says how to fix it', () => {
  const reasons: NonNullable<Actor['nobody']>[] = ['guest', 'stranger', 'bot', 'deactivated', 'no e-mail address', 'no quiz user', 'several quiz users'];
  const told = reasons.map((nobody) => `${nobody}: ${denialMessage(actor(undefined, { nobody }), 'known')}`);
  expect(`\n${told.join('\n')}\n`).toMatchInlineSnapshot(`
    "
    guest: Guests of this workspace cannot use the quiz account. Ask a full member to do this.
    stranger: You belong to another workspace, so you cannot use this quiz account.
    bot: Bots cannot use the quiz account.
    deactivated: Your Slack account is deactivated, so it cannot use the quiz account.
    no e-mail address: Slack does not tell the bot your e-mail address, so it cannot tell who you are in the quiz account. Add one to your Slack profile.
    no quiz user: Nobody in the quiz account has your Slack e-mail address. Ask an administrator of the quiz account to create a user with it.
    several quiz users: Several users of the quiz account have your Slack e-mail address, so the bot cannot tell which one you are. Ask an administrator to give one of them your address as user name.
    "
  `);
  expect(denialMessage(people['suspended administrator'], 'known')).toBe('Your quiz account user is suspended. An administrator of the quiz account can reinstate it.');
});

describe('a user is seen', () => {
  const rosa = quizUser({ quizzes: [{ quiz_id: 'q-1', name: 'Fire safety', date_assigned: null }], groups: [{ group_id: 'g-1', group_name: 'Crew' }] });
  const trainer = (more: Partial<User>) => visibilityOf(actor({ user_type: 'trainer', manage_users: true, ...more })).user(rosa);

  test('by who manages users, through a quiz or a group they train', () => {
    expect(trainer({ trainerquizzes: [{ quiz_id: 'q-1', name: '' }] })).toBe(true);
    expect(trainer({ trainergroups: [{ group_id: 'g-1', group_name: '' }] })).toBe(true);
    expect(trainer({ trainerquizzes: [{ quiz_id: 'q-2', name: '' }], trainergroups: [{ group_id: 'g-2', group_name: '' }] })).toBe(false);
  });

  test('by who manages users where the account does not say whom they train', () => {
    expect(trainer({})).toBe(true);
  });

  test('by who manages groups likewise', () => {
    const groups = { manage_users: false, manage_groups: true };
    expect(trainer({ ...groups, trainergroups: [{ group_id: 'g-1', group_name: '' }] })).toBe(true);
    expect(trainer({ ...groups, trainergroups: [{ group_id: 'g-2', group_name: '' }] })).toBe(false);
  });

  test('where one of the user’s quizzes or groups is trained, not all', () => {
    const busy = quizUser({
      quizzes: ['q-1', 'q-2'].map((quiz_id) => ({ quiz_id, name: '', date_assigned: null })),
      groups: ['g-1', 'g-2'].map((group_id) => ({ group_id, group_name: '' })),
    });
    const sees = (more: Partial<User>) => visibilityOf(actor({ user_type: 'trainer', manage_users: true, ...more })).user(busy);
    expect(sees({ trainerquizzes: [{ quiz_id: 'q-2', name: '' }] })).toBe(true);
    expect(sees({ trainergroups: [{ group_id: 'g-2', group_name: '' }] })).toBe(true);
  });

  test('without quizzes and groups by nobody who trains some', () => {
    const alone = quizUser();
    expect(visibilityOf(actor({ user_type: 'trainer', manage_users: true, trainerquizzes: [{ quiz_id: 'q-1', name: '' }] })).user(alone)).toBe(false);
  });

  test('by who edits quizzes, administrators and owners, whomever they train', () => {
    const elsewhere = { trainerquizzes: [{ quiz_id: 'q-2', name: '' }] };
    expect(trainer({ ...elsewhere, manage_users: false, edit_quizzes: true })).toBe(true);
    expect(visibilityOf(actor({ ...elsewhere, user_type: 'administrator' })).user(rosa)).toBe(true);
    expect(visibilityOf(people['owner, unknown to the account']).user(rosa)).toBe(true);
  });

  test('by nobody without a right', () => {
    expect(trainer({ manage_users: false })).toBe(false);
    expect(visibilityOf(people.respondent).user(rosa)).toBe(false);
    expect(visibilityOf(people.nobody).user(rosa)).toBe(false);
  });
});

test('groups are seen by who edits quizzes or manages groups', () => {
  const crew = { group_id: 'g-1', group_name: 'Crew' };
  const seeing = Object.entries(people).filter(([, person]) => visibilityOf(person).group(crew));
  expect(seeing.map(([who]) => who)).toEqual(['administrator', 'trainer, edit_quizzes', 'trainer, manage_groups', 'owner, unknown to the account']);
});

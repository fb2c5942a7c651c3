import { describe, expect, test } from 'vitest';
import type { Actor } from '../../src/directory/who-is-who.ts';
import { canSee, explainLack, rightsOf } from '../../src/governance/rights.ts';
import { catalog } from '../../src/operations/catalog.ts';
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

test('who may do what', () => {
  const table = Object.entries(people).map(([who, person]) => {
    const rights = rightsOf(person);
    return `${who.padEnd(30)}${catalog.map(({ name, right }) => (rights.has(right) ? name : '-').padEnd(14)).join('').trimEnd()}`;
  });
  expect(`\n${table.join('\n')}\n`).toMatchInlineSnapshot(`
    "
    administrator                 list-quizzes  show-quiz     open-quiz     close-quiz
    trainer, edit_quizzes         list-quizzes  show-quiz     open-quiz     close-quiz
    trainer, manage_users         list-quizzes  show-quiz     -             -
    trainer, manage_groups        list-quizzes  show-quiz     -             -
    trainer, no flag              list-quizzes  show-quiz     -             -
    respondent                    list-quizzes  show-quiz     -             -
    suspended administrator       -             -             -             -
    guest                         -             -             -             -
    nobody                        -             -             -             -
    owner, unknown to the account list-quizzes  show-quiz     open-quiz     close-quiz
    "
  `);
});

describe('a quiz is seen', () => {
  const quiz = { quiz_id: 'q-1', name: 'Fire safety', status: 'open' as const, date_created: new Date(0) };

  test('by staff', () => {
    expect(canSee(people['trainer, no flag'], quiz)).toBe(true);
    expect(canSee(people['suspended administrator'], quiz)).toBe(false);
  });

  test('by a respondent it is assigned to', () => {
    const assigned = { quiz_id: 'q-1', name: 'Fire safety', date_assigned: new Date(0) };
    expect(canSee(actor({ quizzes: [assigned] }), quiz)).toBe(true);
    expect(canSee(actor({ quizzes: [assigned], suspended: true }), quiz)).toBe(false);
    expect(canSee(people.respondent, quiz)).toBe(false);
    expect(canSee(people.nobody, quiz)).toBe(false);
  });
});

test('a refusal says what would mend it', () => {
  expect(explainLack(people.guest, 'known')).toContain('Guests');
  expect(explainLack(people.nobody, 'known')).toContain('your Slack e-mail address');
  expect(explainLack(people['suspended administrator'], 'known')).toContain('suspended');
  expect(explainLack(people.respondent, 'edit_quizzes')).toContain('right to edit quizzes');
});

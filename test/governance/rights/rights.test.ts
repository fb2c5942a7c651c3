import { expect, test } from 'vitest';
import { rightsOf } from '../../../src/governance/rights/rights.ts';
import type { Right } from '../../../src/operations/context.ts';
import { actor } from '../../support/builders/users.ts';

const people = {
  'administrator, every flag': actor({
    user_type: 'administrator',
    edit_quizzes: true,
    manage_users: true,
    manage_groups: true,
  }),
  'administrator, no flag': actor({ user_type: 'administrator' }),
  'trainer, edit_quizzes': actor({ user_type: 'trainer', edit_quizzes: true }),
  'trainer, manage_users': actor({ user_type: 'trainer', manage_users: true }),
  'trainer, manage_groups': actor({ user_type: 'trainer', manage_groups: true }),
  'trainer, no flag': actor({ user_type: 'trainer' }),
  respondent: actor({ user_type: 'respondent', edit_quizzes: true }),
  'unknown type': actor({ user_type: 'auditor', edit_quizzes: true, manage_users: true }),
  'suspended administrator': actor({ user_type: 'administrator', suspended: true }),
  guest: actor(undefined, { nobody: 'guest' }),
  nobody: actor(undefined),
  'owner, unknown to the account': actor(undefined, { isOwner: true, nobody: undefined }),
};

test('who has which right', () => {
  const columns: Right[] = ['known', 'staff', 'edit_quizzes', 'manage_users', 'manage_groups', 'administrator'];
  const table = Object.entries(people).map(([who, person]) => {
    const rights = rightsOf(person);
    return `${who.padEnd(30)}${columns
      .map((right) => (rights.has(right) ? 'yes' : '-').padEnd(15))
      .join('')
      .trimEnd()}`;
  });
  expect(`\n${table.join('\n')}\n`).toMatchInlineSnapshot(`
    "
    administrator, every flag     yes            yes            yes            yes            yes            yes
    administrator, no flag        yes            yes            -              -              -              yes
    trainer, edit_quizzes         yes            yes            yes            -              -              -
    trainer, manage_users         yes            yes            -              yes            -              -
    trainer, manage_groups        yes            yes            -              -              yes            -
    trainer, no flag              yes            yes            -              -              -              -
    respondent                    yes            -              -              -              -              -
    unknown type                  yes            -              -              -              -              -
    suspended administrator       -              -              -              -              -              -
    guest                         -              -              -              -              -              -
    nobody                        -              -              -              -              -              -
    owner, unknown to the account yes            yes            yes            yes            yes            yes
    "
  `);
});

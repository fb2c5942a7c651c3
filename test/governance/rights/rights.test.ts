import { expect, test } from 'vitest';
import type { Actor } from '../../../src/directory/identity.ts';
import { denialMessage as denialMessageOn, rightsOf } from '../../../src/governance/rights/rights.ts';
import { operationNamed } from '../../../src/operations/catalog.ts';
import type { Right } from '../../../src/operations/context.ts';
import { actor } from '../../support/builders/users.ts';

const denialMessage = (person: Actor, right: Right, name?: string) =>
  denialMessageOn(person, right, { name: 'Slack' }, name === undefined ? undefined : operationNamed(name));

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

test('a refusal for want of a right says which, and who gives it', () => {
  const rights: Right[] = ['known', 'staff', 'edit_quizzes', 'manage_users', 'manage_groups', 'administrator'];
  expect(`\n${rights.map((right) => `${right}: ${denialMessage(people.respondent, right)}`).join('\n')}\n`)
    .toMatchInlineSnapshot(`
    "
    known: Only users of the quiz account can do this. Ask an administrator of the quiz account to create a user for you.
    staff: Only trainers and administrators of the quiz account can do this. Ask one of them to do it for you.
    edit_quizzes: Only trainers can work with quizzes. To see yours, type \`/quiz mine\`.
    manage_users: Only trainers and administrators can manage users. Ask one of them to do it for you.
    manage_groups: Only trainers and administrators can manage groups. Ask one of them to do it for you.
    administrator: Only administrators of the quiz account can do this. Ask one of them to do it for you.
    "
  `);
  expect(denialMessage(people['owner, unknown to the account'], 'staff')).toBe(
    denialMessage(people.respondent, 'staff'),
  );
});

test('a refusal of results says where a respondent finds their own, and what a trainer lacks', () => {
  for (const name of ['show-results', 'show-missing', 'export-results', 'show-attempt', 'send-files']) {
    expect(denialMessage(people.respondent, 'edit_quizzes', name)).toBe(
      'Only trainers can see everyone’s results. Yours: `/quiz mine`',
    );
    expect(denialMessage(people['trainer, no flag'], 'edit_quizzes', name)).toBe(
      'You can’t see results. An administrator of the quiz account can give you the right to edit quizzes, which includes them.',
    );
  }
  expect(denialMessage(people['trainer, no flag'], 'edit_quizzes', 'close-quiz')).toBe(
    'You can’t edit quizzes. An administrator of the quiz account can give you the right.',
  );
});

test('a refusal says how to fix it', () => {
  const reasons: NonNullable<Actor['nobody']>[] = [
    'guest',
    'stranger',
    'bot',
    'deactivated',
    'no e-mail address',
    'unconfirmed e-mail address',
    'no quiz user',
    'several quiz users',
  ];
  const told = reasons.map((nobody) => `${nobody}: ${denialMessage(actor(undefined, { nobody }), 'known')}`);
  expect(`\n${told.join('\n')}\n`).toMatchInlineSnapshot(`
    "
    guest: Guests of this workspace can’t use the quiz account. Ask a full member to do this for you.
    stranger: You’re from another workspace, so you can’t use this quiz account. Ask someone from this workspace to do this for you.
    bot: Bots can’t use the quiz account.
    deactivated: Your Slack account is deactivated, so you can’t use the quiz account.
    no e-mail address: Slack doesn’t share your e-mail address, so the bot can’t find you in the quiz account. Add an address to your Slack profile, then try again.
    unconfirmed e-mail address: You haven’t confirmed your Slack e-mail address, so the bot can’t find you in the quiz account. Confirm it in Slack, then try again in 10 minutes.
    no quiz user: Nobody in the quiz account has your Slack e-mail address. Ask an administrator of the quiz account to create a user for you.
    several quiz users: Several users of the quiz account have your Slack e-mail address, so the bot can’t tell which one you are. Ask an administrator of the quiz account to make it the user name of one of them.
    "
  `);
  expect(denialMessage(people['suspended administrator'], 'known')).toBe(
    'Your user in the quiz account is suspended. An administrator of the quiz account can reinstate you.',
  );
});

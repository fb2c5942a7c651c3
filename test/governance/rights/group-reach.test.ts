import { describe, expect, test, vi } from 'vitest';
import { beyondGroups, type GroupReach } from '../../../src/governance/rights/group-reach.ts';
import { catalog, operationNamed } from '../../../src/operations/catalog.ts';
import { userOnRecord } from '../../../src/operations/fields/user.ts';
import { quizUser } from '../../support/builders/users.ts';

const quiz = { quiz_id: 'q-1', name: 'Fire safety', status: 'open', date_created: null };
const group = { group_id: 'g-1', group_name: 'Crew' };
const call = {};

function setUp() {
  const asked: unknown[][] = [];
  const reach: GroupReach = {
    quiz: async (...given) => void asked.push(['quiz', ...given]),
    user: async (...given) => void asked.push(['user', ...given]),
    newUser: (...given) => void asked.push(['newUser', ...given]),
    leaving: async (...given) => void asked.push(['leaving', ...given]),
  };
  const ask = async (name: string, input: Record<string, unknown>) => {
    await beyondGroups(reach, operationNamed(name)!, input as never, call);
    return asked;
  };
  return { ask };
}

/** What these change reaches nobody else, or they are rows, each of which is judged in its own turn. */
const harmless = new Set([
  'copy-quiz',
  'assign-quiz',
  'unassign-quiz',
  'assign-to-group',
  'unassign-from-group',
  'add-to-group',
  'delete-response',
  'subscribe-channel',
  'remind-people',
  'excuse-people',
  'excuse-campaign',
  'include-campaign',
  'hand-over-campaign',
  'order-evidence',
]);

test('every change of a quiz or a user is judged, or known to reach nobody else', async () => {
  const changes = catalog.filter(
    ({ access, fields }) =>
      access !== 'read' && Object.values(fields).some(({ kind }) => ['quiz', 'user', 'users'].includes(kind)),
  );
  const unjudged: string[] = [];
  for (const { name } of changes) {
    const { ask } = setUp();
    const user = name === 'remove-from-group' ? [quizUser()] : quizUser();
    if ((await ask(name, { quiz, user, group })).length === 0) unjudged.push(name);
  }
  expect(new Set(unjudged)).toEqual(harmless);
});

test('nothing is asked for a bot that is for the whole account', async () => {
  expect(await beyondGroups(undefined, operationNamed('delete-quiz')!, { quiz }, call)).toBeUndefined();
});

describe('what is asked', () => {
  const user = quizUser();
  const none = { edit_quizzes: false, manage_users: false, manage_groups: false };
  test.each([
    ['rename-quiz', { quiz, name: 'Fire' }, ['quiz', 'q-1', call]],
    ['suspend-user', { user }, ['user', 'u-rosa', { suspended: true }, call]],
    ['reinstate-user', { user }, ['user', 'u-rosa', { suspended: false }, call]],
    ['delete-user', { user }, ['user', 'u-rosa', 'deleted', call]],
    ['reset-password', { user }, ['user', 'u-rosa', { password: '' }, call]],
    [
      'update-user',
      { user, user_type: 'trainer', edit_quizzes: 'true', manage_users: 'false' },
      ['user', 'u-rosa', { first_name: '', user_type: 'trainer', ...none, edit_quizzes: true }, call],
    ],
    [
      'create-user',
      { user_name: 'kim', user_type: 'trainer', flags: ['manage_groups'] },
      ['newUser', { first_name: '', user_type: 'trainer', ...none, manage_groups: true }],
    ],
    ['remove-from-group', { user: [user], group }, ['leaving', 'u-rosa', 'g-1', call]],
  ])('of %s', async (name, input, expected) => expect(await setUp().ask(name, input)).toEqual([expected]));

  test('of several people who leave a group is left to each in turn, and of one who is gone nothing', async () => {
    expect(await setUp().ask('remove-from-group', { user: [user, user], group })).toEqual([]);
    expect(await setUp().ask('erase-person', { user: userOnRecord('u-1') })).toEqual([]);
  });
});

test('a refusal is the sentence', async () => {
  const quizReach = vi.fn<GroupReach['quiz']>(async () => 'Others have it.');
  const reach = { quiz: quizReach } as unknown as GroupReach;
  expect(await beyondGroups(reach, operationNamed('close-quiz')!, { quiz }, call)).toBe('Others have it.');
});

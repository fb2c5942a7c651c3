import { expect, test } from 'vitest';
import { InvalidInputError } from '../../../src/operations/text-input.ts';
import { operationNamed } from '../../../src/operations/catalog.ts';
import { quizUser } from '../../support/builders/users.ts';
import { openHouse } from '../../support/house.ts';
import { createDirectory } from '../../../src/directory/directory.ts';
import type { OperationContext } from '../../../src/operations/context.ts';
import { changeUser } from '../../../src/features/users/update-user.ts';
import type { QuizApi } from '../../../src/quiz-api/quiz-api.ts';
import type { User, UserChanges } from '../../../src/quiz-api/records.ts';
import { groupPage, groupsPage } from '../../../src/features/groups/groups.ts';
import { userPage, usersPage } from '../../../src/features/users/pages.ts';
import { drawn } from '../../support/as-sent.ts';

const update = operationNamed('update-user')!;
const user = quizUser();
const unread = { quizGroups: { known: () => undefined } as never };

test('an emptied field reads as emptied, and is done once it is empty', async () => {
  expect(await update.effect?.({} as never, { user, empty: ['last_name'] })).toBe('They would have no last name.');
  expect(update.isDone?.({ user, empty: ['last_name'] }, unread)).toBe(false);
  expect(update.isDone?.({ user: { ...user, last_name: '' }, empty: ['last_name'] }, unread)).toBe(true);
});

test('a field is either emptied or given another text', () => {
  expect(() => update.check?.({ user, empty: ['last_name'], last_name: 'Reis' })).toThrow(
    new InvalidInputError('empty', 'Last name: either clear it or enter a new one, not both.'),
  );
  expect(() => update.check?.({ user, empty: ['last_name'], first_name: 'Rosie' })).not.toThrow();
});

test.each(['edit_quizzes', 'manage_users', 'manage_groups'])(
  'nobody becomes a respondent with the right %s, which the service would clear',
  (right) => {
    const refused = new InvalidInputError(
      right,
      'Respondents can’t have rights. Choose another type, or don’t give them this right.',
    );
    expect(() => update.check?.({ user, user_type: 'respondent', [right]: 'true' })).toThrow(refused);
    expect(() => update.check?.({ user, user_type: 'respondent', [right]: 'false' })).not.toThrow();
    expect(() => update.check?.({ user, user_type: 'trainer', [right]: 'true' })).not.toThrow();
  },
);

test('what a trainer trains has the names of the directory where the service shows ids only', async () => {
  const account = openHouse();
  const nora = account.account.users.find(({ user_id }) => user_id === 'u-nora')!;
  Object.assign(nora, {
    groups: [{ group_id: 'g-1', group_name: '' }],
    trainerquizzes: [
      { quiz_id: 'q-1', name: '' },
      { quiz_id: 'q-gone', name: '' },
      { quiz_id: '', name: '' },
    ],
    trainergroups: [
      { group_id: 'g-2', group_name: '' },
      { group_id: 'g-9', group_name: 'Named by the service' },
    ],
  });
  const context = await account.readerFor('UADA');
  expect(await operationNamed('show-user')!.run(context, { user: nora })).toMatchObject({
    parts: [
      {
        facts: expect.arrayContaining([
          ['Groups', 'Crew'],
          ['Trains quizzes', 'Fire safety, Unnamed quiz q-gone, Unnamed quiz'],
          ['Trains groups', 'Warehouse, Named by the service'],
        ]) as unknown,
      },
      {},
      {},
      {},
    ],
  });
});

const trainer = quizUser({ user_type: 'trainer', manage_users: true, manage_groups: true });
const rights = { edit_quizzes: false, manage_users: false, manage_groups: false };

/** What the directory knows of the trainer after a change. @param read the service’s answer to the question */
async function knownAfter(
  changes: Omit<UserChanges, 'password'>,
  read: () => Promise<User>,
): Promise<User | undefined> {
  const api = { users: { list: async () => [trainer], update: async () => {}, get: read } } as unknown as QuizApi;
  const directory = createDirectory({ api, now: () => 0, onBackgroundError: () => {} });
  await directory.users.names();
  await changeUser({ api, directory, call: {} } as unknown as OperationContext, trainer, changes);
  return (await directory.users.names()).byId(trainer.user_id);
}

test('a respondent who becomes a trainer again has the rights that the service says they have', async () => {
  const cleared = { ...trainer, ...rights };
  expect(await knownAfter({ user_type: 'trainer' }, async () => cleared)).toEqual(cleared);
});

test('where the service does not say, they have no right that they were not given', async () => {
  const away = async () => Promise.reject(new Error('away'));
  expect(await knownAfter({ user_type: 'trainer', manage_users: true }, away)).toMatchObject({
    ...rights,
    manage_users: true,
  });
});

test('a change of something else is known without asking', async () => {
  const never = async () => expect.fail('asked');
  expect(await knownAfter({ first_name: 'Kim' }, never)).toEqual({ ...trainer, first_name: 'Kim' });
});

test('a user without a user name leaves no gap in the list', () => {
  const list = JSON.stringify(
    drawn(
      usersPage([quizUser({ first_name: 'Juno', last_name: 'Jansen', user_name: '', user_type: 'respondent' })], {
        filter: {},
        count: 2,
      }),
    ),
  );
  expect(list).toContain('*Juno Jansen* · respondent');
});

interface AnyBlock {
  type: string;
  accessory?: { options: { text: { text: string }; value: string }[] };
  elements?: { text: { text: string }; accessibility_label?: string; value: string }[];
}
const menusOf = (message: { blocks: unknown }) =>
  (message.blocks as AnyBlock[]).flatMap(({ accessory }) =>
    accessory ? [accessory.options.map(({ text, value }) => [text.text, JSON.parse(value)])] : [],
  );
const buttonsOf = (message: { blocks: unknown }) =>
  (message.blocks as AnyBlock[]).flatMap(({ type, elements = [] }) =>
    type === 'actions'
      ? elements.map(({ accessibility_label, value }) => [accessibility_label, JSON.parse(value)])
      : [],
  );

test('a user and a group have buttons that say what they act on', () => {
  const assigned = { quizzes: [], leftOut: 0, isStillReading: false };
  const shown = userPage({
    user: { ...user, quizzes: [] },
    assigned,
    obligations: [],
    groups: [],
    trains: { quizzes: [], groups: [] },
  });
  expect(buttonsOf(drawn(shown))).toEqual([
    ['Assign a quiz… Rosa Almeida', { operation: 'assign-quiz', raw: { to: ['user:u-rosa'] } }],
    ['Suspend… Rosa Almeida', { operation: 'suspend-user', raw: { user: ['u-rosa'] } }],
  ]);
  const kitchen = { group_id: 'g-1', group_name: 'Kitchen' };
  const buttons = [
    ['Add people… Kitchen', { operation: 'add-to-group', raw: { group: ['g-1'] } }],
    ['Assign a quiz… Kitchen', { operation: 'assign-to-group', raw: { group: ['g-1'] } }],
  ];
  expect(buttonsOf(drawn(groupPage(kitchen, [])))).toEqual(buttons);
  expect(menusOf(drawn(groupsPage([kitchen], '')))[0]?.map(([label]) => label)).toEqual([
    'View',
    'Add people…',
    'Assign a quiz…',
  ]);
  expect(menusOf(drawn(groupsPage([kitchen], ''), new Set(['show-group'])))[0]?.map(([label]) => label)).toEqual([
    'View',
  ]);
});

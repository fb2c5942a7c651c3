import { expect, test } from 'vitest';
import { InvalidInputError } from '../../../src/operations/errors.ts';
import { operationNamed } from '../../../src/operations/catalog.ts';
import { quizUser } from '../../support/builders/users.ts';
import { openHouse } from '../../support/house.ts';

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

import { expect, test } from 'vitest';
import { catalog, operationNamed } from '../../../src/operations/catalog.ts';
import { openHouse, teamId, type House } from '../../support/house.ts';
import type { TextInput } from '../../../src/operations/text-input.ts';

test('a person is offered what they may have, and told of the rest why not', async () => {
  const standing = await openHouse().permissions.of('UUMA');
  expect(standing.actor.user?.user_id).toBe('u-uma');
  expect([...standing.rights]).toEqual(['known', 'staff', 'manage_users']);
  expect(standing.visibility.group({ group_id: 'g-1', group_name: 'Crew' })).toBe(false);
  const names = standing.operations.map(({ name }) => name);
  expect(names).toContain('suspend-user');
  expect(names).not.toContain('delete-quiz');
  expect(standing.refusal('manage_users')).toBeUndefined();
  expect(standing.refusal('edit_quizzes')).toContain('You can’t edit quizzes.');
  // Agents and steps of workflows are turned off in this account.
  const turnedOff = new Set([
    'make-token',
    'list-tokens',
    'revoke-token',
    'list-lent-rights',
    'revoke-lent-rights',
    'take-rights-back',
  ]);
  for (const operation of catalog) {
    expect(standing.refusalOf(operation) === undefined && !turnedOff.has(operation.name)).toBe(
      standing.operations.includes(operation),
    );
  }
  expect(standing.refusalOf(operationNamed('delete-quiz')!)).toContain('You can’t edit quizzes.');
});

test('a person is known from what is at hand, and the service is not asked for them again', async () => {
  const account = openHouse();
  await account.permissions.of('UUMA');
  expect(account.calls.map(({ call }) => call)).toEqual(['users.list']);
});

test('of an input, what can be read is read, and nothing else', async () => {
  const { permissions } = openHouse();
  const raw = { quiz: ['ladders'], to: ['nobody at all'], people: ['  '], elsewhere: ['x'] };
  expect(await permissions.readSome(operationNamed('assign-quiz')!, raw, { personId: 'UERIN', teamId })).toMatchObject({
    quiz: { quiz_id: 'q-3' },
  });
  expect(
    Object.keys(await permissions.readSome(operationNamed('assign-quiz')!, raw, { personId: 'UERIN', teamId })),
  ).toEqual(['quiz']);
});

test('of an input with nothing in it, nobody is asked', async () => {
  const { permissions, calls } = openHouse();
  const nothing: Record<string, string[]>[] = [{}, { quiz: [] }, { quiz: [' '] }];
  for (const raw of nothing)
    expect(await permissions.readSome(operationNamed('close-quiz')!, raw, { personId: 'UERIN', teamId })).toEqual({});
  expect(calls).toEqual([]);
});

test('of an input, a person reads what they may see', async () => {
  const { permissions } = openHouse();
  expect(
    await permissions.readSome(operationNamed('close-quiz')!, { quiz: ['ladders'] }, { personId: 'UROSA', teamId }),
  ).toEqual({});
});

/** An account with a request by an owner for an operation, and the people to whom it is listed. */
async function listedTo(
  name: string,
  input: TextInput,
  change: (account: House) => void = () => {},
): Promise<string[]> {
  const account = openHouse({ owners: ['UZOE'] });
  await account.act('UZOE', name, { ...input, reason: ['Because'] });
  expect(await account.requests()).toHaveLength(1);
  change(account);
  await account.directory.load();
  const readers = ['UZOE', 'UADA', 'UUMA', 'UERIN', 'UGUS', 'UNORA', 'UROSA'];
  const lists = await Promise.all(
    readers.map(async (personId) => (await (await account.readerFor(personId)).records.openRequests()).length),
  );
  return readers.filter((_, index) => lists[index] === 1);
}

test('a request about a user is listed to its requester and to administrators who manage users', async () => {
  expect(await listedTo('delete-user', { user: ['u-rosa'] })).toEqual(['UZOE', 'UADA']);
  expect(
    await listedTo('delete-user', { user: ['u-rosa'] }, ({ account }) =>
      Object.assign(account.users[0]!, { manage_users: false }),
    ),
  ).toEqual(['UZOE']);
});

test('a request about what is gone is listed to its requester and to administrators', async () => {
  expect(await listedTo('delete-user', { user: ['u-rosa'] }, ({ account }) => account.users.pop())).toEqual([
    'UZOE',
    'UADA',
  ]);
});

test('the number of all requests is for the status', async () => {
  const account = openHouse();
  await account.act('UADA', 'delete-user', { user: ['u-rosa'], reason: ['Left'] });
  const { records } = await account.readerFor('UNORA');
  expect([await records.openRequests(), await records.countOpenRequests()]).toEqual([[], 1]);
});

test('a request of a person without the right is listed to trainers who could do it at once', async () => {
  const account = openHouse();
  await account.act('UNORA', 'close-quiz', { quiz: ['q-1'], reason: ['Old'] });
  const seen = async (personId: string) => (await (await account.readerFor(personId)).records.openRequests()).length;
  expect(await Promise.all(['UNORA', 'UERIN', 'UADA', 'UUMA', 'UGUS', 'UROSA'].map(seen))).toEqual([1, 1, 1, 0, 0, 0]);
  Object.assign(account.account.users[1]!, { trainerquizzes: [{ quiz_id: 'q-2', name: '' }] });
  await account.directory.load();
  expect(await Promise.all(['UERIN', 'UADA'].map(seen))).toEqual([0, 1]);
});

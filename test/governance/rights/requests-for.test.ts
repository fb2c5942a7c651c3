import { expect, test } from 'vitest';
import type { TextInput } from '../../../src/operations/text-input.ts';
import { type House, openHouse } from '../../support/house.ts';

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
  const people = ['UZOE', 'UADA', 'UUMA', 'UERIN', 'UGUS', 'UNORA', 'UROSA'];
  const lists = await Promise.all(
    people.map(async (personId) => (await (await account.readerFor(personId)).records.openRequests()).length),
  );
  return people.filter((_, index) => lists[index] === 1);
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

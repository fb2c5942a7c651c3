import { describe, expect, test, vi } from 'vitest';
import { createDirectory } from '../../src/directory/directory.ts';
import type { QuizApi } from '../../src/quiz-api/quiz-api.ts';
import type { User } from '../../src/quiz-api/users.ts';
import { quizUser } from '../support/builders/users.ts';

const user = (n: number, name = `Person ${n}`): User =>
  quizUser({ user_id: `u-${n}`, user_name: `p${n}@quiz.example`, email_address: '', first_name: name, last_name: '' });

function setUp(count: number) {
  let users = Array.from({ length: count }, (_, n) => user(n));
  const clock = { now: 0 };
  const list = vi.fn(async () => users);
  const directory = createDirectory({
    api: { users: { list } } as unknown as QuizApi,
    now: () => clock.now,
    onBackgroundError: () => {},
  });
  return { directory, clock, list, setUsers: (next: User[]) => (users = next) };
}

describe.each([10, 5_000])('a directory of %d users', (count) => {
  test('finds a user by name, and who was put in a moment ago', async () => {
    const { directory } = setUp(count);
    expect((await directory.users.names()).match('person 7')).toMatchObject({ kind: 'one', item: { user_id: 'u-7' } });
    directory.users.put(user(count, 'Ines Marques'));
    directory.users.put(user(7, 'Renamed Person'));
    directory.users.remove(user(8));
    const names = await directory.users.names();
    expect(names.match('ines')).toMatchObject({ kind: 'one', item: { user_id: `u-${count}` } });
    expect(names.match('renamed')).toMatchObject({ kind: 'one', item: { user_id: 'u-7' } });
    expect(names.byId('u-8')).toBeUndefined();
  });

  test('knows the names of the list as the service has it now', async () => {
    const { directory, clock, setUsers } = setUp(count);
    await directory.users.names();
    setUsers([user(1, 'Somebody New')]);
    clock.now = 10_000;
    await directory.users.fresh();
    const names = await directory.users.names();
    expect(names.search('', { limit: 10 }).map(({ first_name }) => first_name)).toEqual(['Somebody New']);
  });

  test('keeps what was put in while the names were gathered', async () => {
    const { directory } = setUp(count);
    await directory.users.get();
    const gathering = directory.users.names();
    directory.users.put(user(count, 'Ines Marques'));
    expect((await gathering).match('ines').kind).toBe('one');
    expect((await directory.users.names()).match('ines').kind).toBe('one');
  });
});

test('a picker is answered from the names of a moment ago while a long list is indexed anew', async () => {
  const { directory, clock, setUsers } = setUp(5_000);
  await directory.users.names();
  setUsers([user(1, 'Somebody New')].concat(Array.from({ length: 4_999 }, (_, n) => user(n + 10))));
  clock.now = 10_000;
  await directory.users.fresh();
  expect((await directory.users.namesAtHand()).match('somebody').kind).toBe('none');
  await directory.users.names();
  expect((await directory.users.namesAtHand()).match('somebody').kind).toBe('one');
});

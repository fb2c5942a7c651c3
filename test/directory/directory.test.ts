import { expect, test, vi } from 'vitest';
import { createDirectory } from '../../src/directory/directory.ts';
import type { QuizApi } from '../../src/quiz-api/quiz-api.ts';
import type { User } from '../../src/quiz-api/records.ts';
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

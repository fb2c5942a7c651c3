import { expect, test, vi, describe } from 'vitest';
import { createDirectory } from '../../src/directory/directory.ts';
import type { QuizApi } from '../../src/quiz-api/quiz-api.ts';
import type { User } from '../../src/quiz-api/records.ts';
import { quizUser } from '../support/builders/users.ts';
import { createPassRates } from '../../src/directory/pass-rates.ts';
import { quizResponse } from '../support/builders/responses.ts';

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

function openPassRates() {
  const clock = { now: 0 };
  const submitted: Record<string, number> = { 'q-1': 2 };
  const asked: string[] = [];
  let gate: Promise<void> | undefined;
  const list = async (quizId: string) => {
    asked.push(quizId);
    const listed = Array.from({ length: submitted[quizId] ?? 0 }, () => quizResponse());
    await gate;
    return listed;
  };
  const { passRates, api } = createPassRates({
    api: { responses: { list } } as unknown as QuizApi,
    now: () => clock.now,
  });
  return { passRates, api, clock, submitted, asked, holdUp: (until: Promise<void> | undefined) => void (gate = until) };
}

describe('pass rates', () => {
  test('are those of the latest list of responses that anyone read, for ten minutes', async () => {
    const { passRates, api, clock, submitted, asked } = openPassRates();
    expect(passRates.known('q-1')).toBeUndefined();
    await api.responses.list('q-1');
    expect(passRates.known('q-1')).toMatchObject({ submitted: 2, passed: 2 });
    submitted['q-1'] = 3;
    await api.responses.list('q-1');
    expect(passRates.known('q-1')?.submitted).toBe(3);
    expect(asked).toHaveLength(2);
    clock.now = 10 * 60_000;
    expect(passRates.known('q-1')).toBeUndefined();
    expect(asked).toHaveLength(2);
  });

  test('are unknown after a new submission, also where an older list arrives later', async () => {
    const { passRates, api, submitted, holdUp } = openPassRates();
    const { promise, resolve } = Promise.withResolvers<void>();
    holdUp(promise);
    const older = api.responses.list('q-1');
    submitted['q-1'] = 3;
    passRates.forget('q-1');
    resolve();
    await older;
    expect(passRates.known('q-1')).toBeUndefined();
    holdUp(undefined);
    await api.responses.list('q-1');
    expect(passRates.known('q-1')?.submitted).toBe(3);
  });
});

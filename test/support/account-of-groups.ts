import { Keyv } from 'keyv';
import { boundAccount } from '../../src/directory/bounds/bound-account.ts';
import { createUsersByGroup } from '../../src/directory/bounds/users-by-group.ts';
import { createDirectory } from '../../src/directory/directory.ts';
import { NotFoundError } from '../../src/quiz-api/errors.ts';
import type { QuizApi } from '../../src/quiz-api/quiz-api.ts';
import type { Quiz } from '../../src/quiz-api/quizzes.ts';
import type { QuizResponse } from '../../src/quiz-api/responses.ts';
import type { CallOptions } from '../../src/quiz-api/transport.ts';
import type { User } from '../../src/quiz-api/users.ts';
import { quizResponse } from './builders/responses.ts';
import { quizUser } from './builders/users.ts';

export const kitchen = { group_id: 'g-kitchen', group_name: 'Kitchen' };
export const sales = { group_id: 'g-sales', group_name: 'Sales' };

const quizOf = (quiz_id: string): Quiz => ({ quiz_id, name: `Quiz ${quiz_id}`, status: 'open', date_created: null });
const userOf = (user_id: string, overrides: Partial<User>) =>
  quizUser({
    user_id,
    user_name: `${user_id}@quiz.example`,
    email_address: '',
    first_name: user_id,
    last_name: '',
    ...overrides,
  });

/** An account in memory, on top of which bots are for some of its groups. Counts the calls of its client. */
export function openAccountOfGroups() {
  const clock = { now: Date.UTC(2026, 10, 2, 8) };
  const groupsOf = new Map([
    ['q-kitchen', [kitchen]],
    ['q-shared', [kitchen, sales]],
    ['q-sales', [sales]],
    ['q-nobody', []],
  ]);
  const quizzes = [...groupsOf.keys()].map(quizOf);
  const users = [
    userOf('karl', { groups: [kitchen] }),
    userOf('kim', { groups: [kitchen] }),
    userOf('kurt', { groups: [kitchen] }),
    userOf('both', { groups: [kitchen, sales] }),
    userOf('sam', { groups: [sales] }),
    userOf('boss', { user_type: 'administrator' }),
  ];
  const responses: QuizResponse[] = [
    quizResponse({ response_id: 'r-karl', quiz_id: 'q-shared', user_id: 'karl' }),
    quizResponse({ response_id: 'r-sam', quiz_id: 'q-shared', user_id: 'sam' }),
    quizResponse({ response_id: 'r-guest', quiz_id: 'q-kitchen', user_id: null, email_address: '' }),
  ];
  const calls: string[] = [];
  let created = 0;

  const found = <Item>(item: Item | undefined): Item => {
    if (item !== undefined) return item;
    throw new NotFoundError({ operation: 'any', method: 'GET', path: '/v1' }, 'answered 404', { status: 404 });
  };
  const userNow = (userId: string) => found(users.find(({ user_id }) => user_id === userId));
  const called =
    <Given extends unknown[], Value>(name: string, answer: (...given: Given) => Value) =>
    async (...given: Given): Promise<Value> => {
      const [first] = given;
      calls.push(typeof first === 'string' ? `${name} ${first}` : name);
      return answer(...given);
    };
  const responsesOf = (quizId: string) => responses.filter(({ quiz_id }) => quiz_id === quizId);
  const make = () => {
    created += 1;
    return `new-${created}`;
  };

  const api = {
    quizzes: {
      list: called('quizzes.list', () => [...quizzes]),
      get: called('quizzes.get', (id: string) => found(quizzes.find(({ quiz_id }) => quiz_id === id))),
      create: called('quizzes.create', make),
      update: called('quizzes.update', () => {}),
      delete: called('quizzes.delete', () => {}),
      copy: called('quizzes.copy', make),
      groups: called('quizzes.groups', (id: string) => found(groupsOf.get(id))),
      assignGroup: called('quizzes.assignGroup', () => {}),
      unassignGroup: called('quizzes.unassignGroup', () => {}),
    },
    responses: {
      list: called('responses.list', responsesOf),
      using: called('responses.using', (id: string, _: CallOptions, use: (all: QuizResponse[]) => unknown) =>
        use(responsesOf(id)),
      ),
      get: called('responses.get', (_: string, id: string) =>
        found(responses.find(({ response_id }) => response_id === id)),
      ),
      delete: called('responses.delete', () => {}),
      questions: called('responses.questions', () => []),
      file: called('responses.file', () => {}),
    },
    users: {
      list: called('users.list', () => [...users]),
      get: called('users.get', userNow),
      find: called('users.find', (name: string) => users.find(({ user_name }) => user_name === name)?.user_id ?? null),
      create: called('users.create', make),
      update: called('users.update', () => {}),
      delete: called('users.delete', () => {}),
      quizzes: called('users.quizzes', (id: string) => userNow(id).quizzes),
      assignQuiz: called('users.assignQuiz', () => {}),
      unassignQuiz: called('users.unassignQuiz', () => {}),
      assignGroup: called('users.assignGroup', () => {}),
      unassignGroup: called('users.unassignGroup', () => {}),
    },
    groups: { list: called('groups.list', () => [kitchen, sales]) },
    unreadable: () => [{ list: 'users' as const, count: 3, reason: 'user_id is missing' }],
    close: async () => {},
  } as unknown as QuizApi;

  const now = () => clock.now;
  const whole = {
    api,
    usersByGroup: createUsersByGroup(),
    directory: createDirectory({
      api,
      now,
      onBackgroundError(error) {
        throw error;
      },
    }),
  };

  return {
    clock,
    calls,
    users,
    quizzes,
    groupsOf,
    responses,
    whole,
    /** Changes a user in the service, behind the back of every bot. */
    set(userId: string, changes: Partial<User>) {
      const at = users.findIndex(({ user_id }) => user_id === userId);
      users[at] = { ...users[at]!, ...changes };
    },
    add: (userId: string, changes: Partial<User>) => void users.push(userOf(userId, changes)),
    botFor: (...names: string[]) =>
      boundAccount(names, {
        whole,
        store: new Keyv(),
        async alone(work) {
          await work();
          return true;
        },
        now,
        onError(error) {
          throw error;
        },
      }),
  };
}

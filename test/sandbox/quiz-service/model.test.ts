import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatDate } from '../../../src/sandbox/quiz-service/database.ts';
import { type QuizService, startQuizService } from '../../../src/sandbox/quiz-service/service.ts';
import { AccountModel, type ModelAnswer } from './support/account-model.ts';
import { call, type Form, testApiKey } from './support/service.ts';
import { accountQuizzes } from '../../support/account-quizzes.ts';
import { runs } from '../../support/drawn.ts';

const sampleGroups = [
  { group_id: 'g1', group_name: 'Kitchen' },
  { group_id: 'g2', group_name: 'Warehouse' },
];

/** A call over HTTP and the same change to the model. */
interface Step {
  method: string;
  path: string;
  form?: Form;
  /** @param newId the id in the service's response, if the call creates something */
  expected: (model: AccountModel, newId: string) => ModelAnswer;
}

const anyIndex = fc.nat({ max: 11 });

/** One of the ids that exist at this step or, one time in twelve, an unknown id. */
function idAt(ids: string[], index: number): string {
  return (index > 0 ? ids[index % ids.length] : undefined) ?? 'gone/or never: there';
}

const text = fc.oneof(
  fc.constantFrom('', ' ', 'Safety', 'Fire & <rescue>', '100% +1=?'),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
);
/** Mostly valid values, so that a form of many fields is often valid. */
const flag = fc.constantFrom('true', 'true', 'true', 'true', 'false', 'false', 'false', 'false', 'yes');
const userForm = fc.record(
  {
    user_name: fc.constantFrom('ann', 'ANN', 'bob', 'zoë', 'ZOE\u0308', 'taken@elsewhere.example', '', ' x '),
    // Hashing is slow, so most updates have no password.
    password: fc.constantFrom('secret', 'short'),
    user_type: fc.constantFrom('respondent', 'trainer', 'administrator', 'trainer', 'owner'),
    email_address: fc.constantFrom('', 'a@b.example', 'nowhere'),
    first_name: text,
    last_name: text,
    suspended: flag,
    manage_users: flag,
    manage_groups: flag,
    edit_quizzes: flag,
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Form>;
const newUserForm = userForm.map((form) => ({ user_name: 'cat', password: 'secret', user_type: 'trainer', ...form }));
const quizForm = fc.record(
  { name: text, status: fc.constantFrom('open', 'closed', 'in_design') },
  { requiredKeys: [] },
) as fc.Arbitrary<Form>;
const nameForm = fc.record({ name: text }, { requiredKeys: [] }) as fc.Arbitrary<Form>;
const groupId = fc.constantFrom('g1', 'g2', 'g3');
const isSet = fc.boolean();

type MakeStep = (quizIds: string[], userIds: string[]) => Step;

const createQuiz =
  (form: Form): MakeStep =>
  () => ({ method: 'POST', path: '/quizzes', form, expected: (model, newId) => model.createQuiz(form, newId) });

const createUser =
  (form: Form): MakeStep =>
  () => ({ method: 'POST', path: '/users', form, expected: (model, newId) => model.createUser(form, newId) });

/** A call about one of the quizzes or users. @param rest of the path, below its id */
const on =
  (
    kind: 'quizzes' | 'users',
    index: number,
    { method = 'GET', rest = '', form }: { method?: string; rest?: string; form?: Form },
    expected: (model: AccountModel, id: string, newId: string) => ModelAnswer,
  ): MakeStep =>
  (quizIds, userIds) => {
    const id = idAt(kind === 'quizzes' ? quizIds : userIds, index);
    return {
      method,
      path: `/${kind}/${encodeURIComponent(id)}${rest}`,
      ...(form && { form }),
      expected: (model, newId) => expected(model, id, newId),
    };
  };

/** Creates content to work on. */
const beginning = [
  ...['First', 'Second', 'Third'].map((name) => createQuiz({ name })),
  ...['ann', 'bob'].map((user_name) => createUser({ user_name, password: 'secret', user_type: 'trainer' })),
];

const otherStep: fc.Arbitrary<MakeStep> = fc.oneof(
  fc.constant<MakeStep>(() => ({ method: 'GET', path: '/quizzes', expected: (model) => model.listQuizzes() })),
  fc.constant<MakeStep>(() => ({ method: 'GET', path: '/users', expected: (model) => model.listUsers() })),
  nameForm.map(createQuiz),
  fc
    .tuple(anyIndex, quizForm)
    .map(([index, form]) => on('quizzes', index, { method: 'POST', form }, (model, id) => model.updateQuiz(id, form))),
  fc
    .tuple(anyIndex, nameForm)
    .map(([index, form]) =>
      on('quizzes', index, { method: 'POST', rest: '/copy', form }, (model, id, newId) =>
        model.copyQuiz(id, form, newId),
      ),
    ),
  fc
    .tuple(anyIndex, fc.constantFrom('GET', 'DELETE'))
    .map(([index, method]) =>
      on('quizzes', index, { method }, (model, id) => (method === 'GET' ? model.getQuiz(id) : model.deleteQuiz(id))),
    ),
  anyIndex.map((index) => on('quizzes', index, { rest: '/groups' }, (model, id) => model.groupsOfQuiz(id))),
  newUserForm.map(createUser),
  userForm.map<MakeStep>((form) => () => ({
    method: 'POST',
    path: '/users/find',
    form,
    expected: (model) => model.findUser(form),
  })),
  fc
    .tuple(anyIndex, userForm)
    .map(([index, form]) => on('users', index, { method: 'POST', form }, (model, id) => model.updateUser(id, form))),
  fc
    .tuple(anyIndex, fc.constantFrom('GET', 'GET', 'DELETE'))
    .map(([index, method]) =>
      on('users', index, { method }, (model, id) => (method === 'GET' ? model.getUser(id) : model.deleteUser(id))),
    ),
  anyIndex.map((index) => on('users', index, { rest: '/quizzes' }, (model, id) => model.quizzesOfUser(id))),
);

const methodOf = (isAssigned: boolean): string => (isAssigned ? 'POST' : 'DELETE');

const assignmentStep: fc.Arbitrary<MakeStep> = fc.oneof(
  fc
    .tuple(anyIndex, groupId, isSet)
    .map(([index, group_id, isAssigned]) =>
      on('quizzes', index, { method: methodOf(isAssigned), rest: '/groups', form: { group_id } }, (model, id) =>
        model.setQuizGroup(id, group_id, isAssigned),
      ),
    ),
  fc.tuple(anyIndex, anyIndex, isSet).map<MakeStep>(([user, quiz, isAssigned]) => (quizIds, userIds) => {
    const quiz_id = idAt(quizIds, quiz);
    const assigning = { method: methodOf(isAssigned), rest: '/quizzes', form: { quiz_id } };
    return on('users', user, assigning, (model, id) => model.setUserQuiz(id, quiz_id, isAssigned))(quizIds, userIds);
  }),
  fc
    .tuple(anyIndex, groupId, isSet)
    .map(([user, group_id, isMember]) =>
      on('users', user, { method: methodOf(isMember), rest: '/groups', form: { group_id } }, (model, id) =>
        model.setUserGroup(id, group_id, isMember),
      ),
    ),
);

async function startWithGroups(now: () => number): Promise<QuizService> {
  const service = await startQuizService({
    quizzes: accountQuizzes,
    dataDir: ':memory:',
    apiKey: testApiKey,
    sample: 'empty',
    ratePerMinute: 1_000_000,
    ratePerHour: 1_000_000,
    now,
  });
  for (const { group_id, group_name } of sampleGroups) {
    service.database.run('INSERT INTO groups (group_id, group_name) VALUES (?, ?)', [group_id, group_name]);
  }
  return service;
}

test('the service agrees with the model for any sequence of operations', async () => {
  const sequences = fc.array(fc.oneof(otherStep, assignmentStep), { minLength: 1, maxLength: 60, size: 'max' });
  const wasSeen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(sequences, async (steps) => {
      let time = Date.UTC(2026, 0, 1);
      const model = new AccountModel(sampleGroups, () => formatDate(time));
      const service = await startWithGroups(() => time);
      try {
        for (const makeStep of [...beginning, ...steps]) {
          time += 1000;
          const { method, path, form, expected } = makeStep(
            model.quizzes.map((quiz) => quiz.quiz_id),
            model.users.map((user) => user.user_id),
          );
          const answer = await call(service, method, path, form);
          const newId = answer.body.quiz_id ?? answer.body.user_id;
          const { status, body } = expected(model, newId);
          wasSeen.add(`${method} ${status}`);
          expect({ status: answer.status, body: body && answer.body }).toEqual({ status, body });
        }
        expect((await call(service, 'GET', '/users')).body).toEqual(model.listUsers().body);
        expect((await call(service, 'GET', '/quizzes')).body).toEqual(model.listQuizzes().body);
        for (const { quiz_id } of model.quizzes) {
          expect((await call(service, 'GET', `/quizzes/${quiz_id}/groups`)).body).toEqual(
            model.groupsOfQuiz(quiz_id).body,
          );
        }
      } finally {
        await service.close();
      }
    }),
    { numRuns: runs(30) },
  );
  expect([...wasSeen].toSorted()).toEqual([
    'DELETE 200',
    'DELETE 404',
    'GET 200',
    'GET 404',
    'POST 200',
    'POST 404',
    'POST 422',
  ]);
});

import type { QuizApi } from '../../src/quiz-api/quiz-api.ts';
import type { NewUser } from '../../src/quiz-api/records.ts';

/** The arguments of a call: ids for the path and parameters for the form, with the names of the specification. */
export type Arguments = Readonly<Record<string, string | boolean>>;

/** The same arguments in the types of the client. */
export type TypedArguments = NewUser & {
  quiz_id: string;
  response_id: string;
  file_id: string;
  user_id: string;
  group_id: string;
  name: string;
  status: 'open' | 'closed';
};

export interface Operation {
  method: 'GET' | 'POST' | 'DELETE';
  /** Relative to `{base_url}/api`. */
  path: string;
  /** The form parameters in the order of the specification. */
  parameters: readonly string[];
  /** The same operation through the client. */
  run: (api: QuizApi, given: TypedArguments) => Promise<unknown>;
}

const changesOfUser = [
  'user_name',
  'password',
  'user_type',
  'email_address',
  'first_name',
  'last_name',
  'suspended',
  'manage_users',
  'manage_groups',
  'edit_quizzes',
];

type Run = Operation['run'];

const get = (path: string, run: Run): Operation => ({ method: 'GET', path, parameters: [], run });
const post = (path: string, parameters: readonly string[], run: Run): Operation => ({
  method: 'POST',
  path,
  parameters,
  run,
});
/** @param parameter of the form, where there is one */
const remove = (path: string, run: Run, parameter?: string): Operation => ({
  method: 'DELETE',
  path,
  parameters: parameter === undefined ? [] : [parameter],
  run,
});

/** Section 4 of the specification, with its names of the operations. */
const section4 = {
  'Get all quizzes': get('/v1/quizzes', async ({ quizzes }) => quizzes.list()),
  'Get a quiz': get('/v1/quizzes/{quiz_id}', async ({ quizzes }, { quiz_id }) => quizzes.get(quiz_id)),
  'Create a quiz': post('/v1/quizzes', ['name'], async ({ quizzes }, { name }) => quizzes.create({ name })),
  'Update a quiz': post('/v1/quizzes/{quiz_id}', ['name', 'status'], async ({ quizzes }, { quiz_id, name, status }) =>
    quizzes.update(quiz_id, { name, status }),
  ),
  'Delete a quiz': remove('/v1/quizzes/{quiz_id}', async ({ quizzes }, { quiz_id }) => quizzes.delete(quiz_id)),
  'Copy a quiz': post('/v1/quizzes/{quiz_id}/copy', ['name'], async ({ quizzes }, { quiz_id, name }) =>
    quizzes.copy(quiz_id, { name }),
  ),
  'Get groups in a quiz': get('/v1/quizzes/{quiz_id}/groups', async ({ quizzes }, { quiz_id }) =>
    quizzes.groups(quiz_id),
  ),
  'Assign a quiz to a group': post(
    '/v1/quizzes/{quiz_id}/groups',
    ['group_id'],
    async ({ quizzes }, { quiz_id, group_id }) => quizzes.assignGroup(quiz_id, group_id),
  ),
  'Unassign a quiz from a group': remove(
    '/v1/quizzes/{quiz_id}/groups',
    async ({ quizzes }, { quiz_id, group_id }) => quizzes.unassignGroup(quiz_id, group_id),
    'group_id',
  ),
  'Get all responses': get('/v1/quizzes/{quiz_id}/responses', async ({ responses }, { quiz_id }) =>
    responses.list(quiz_id),
  ),
  'Get a response': get(
    '/v1/quizzes/{quiz_id}/responses/{response_id}',
    async ({ responses }, { quiz_id, response_id }) => responses.get(quiz_id, response_id),
  ),
  'Delete a response': remove(
    '/v1/quizzes/{quiz_id}/responses/{response_id}',
    async ({ responses }, { quiz_id, response_id }) => responses.delete(quiz_id, response_id),
  ),
  "Get a response's questions": get(
    '/v1/quizzes/{quiz_id}/responses/{response_id}/questions',
    async ({ responses }, { quiz_id, response_id }) => responses.questions(quiz_id, response_id),
  ),
  'Get an uploaded file': get(
    '/v1/quizzes/{quiz_id}/responses/{response_id}/files/{file_id}',
    async ({ responses }, { quiz_id, response_id, file_id }) => {
      const { stream, ...about } = await responses.file(quiz_id, response_id, file_id);
      return { ...about, content: Buffer.concat(await stream.toArray()).toString() };
    },
  ),
  'Get all users': get('/v1/users', async ({ users }) => users.list()),
  'Get a user': get('/v1/users/{user_id}', async ({ users }, { user_id }) => users.get(user_id)),
  'Find a user': post('/v1/users/find', ['user_name'], async ({ users }, { user_name }) => users.find(user_name)),
  'Create a user': post('/v1/users', [...changesOfUser, 'send_welcome_email'], async ({ users }, user) =>
    users.create(user),
  ),
  'Update a user': post('/v1/users/{user_id}', changesOfUser, async ({ users }, { user_id, ...changes }) =>
    users.update(user_id, changes),
  ),
  'Delete a user': remove('/v1/users/{user_id}', async ({ users }, { user_id }) => users.delete(user_id)),
  'Get assigned quizzes': get('/v1/users/{user_id}/quizzes', async ({ users }, { user_id }) => users.quizzes(user_id)),
  'Assign a quiz': post('/v1/users/{user_id}/quizzes', ['quiz_id'], async ({ users }, { user_id, quiz_id }) =>
    users.assignQuiz(user_id, quiz_id),
  ),
  'Unassign a quiz': remove(
    '/v1/users/{user_id}/quizzes',
    async ({ users }, { user_id, quiz_id }) => users.unassignQuiz(user_id, quiz_id),
    'quiz_id',
  ),
  'Assign a user to a group': post(
    '/v1/users/{user_id}/groups',
    ['group_id'],
    async ({ users }, { user_id, group_id }) => users.assignGroup(user_id, group_id),
  ),
  'Unassign a user from a group': remove(
    '/v1/users/{user_id}/groups',
    async ({ users }, { user_id, group_id }) => users.unassignGroup(user_id, group_id),
    'group_id',
  ),
  'Get all groups': get('/v1/groups', async ({ groups }) => groups.list()),
} satisfies Record<string, Operation>;

export type OperationName = keyof typeof section4;

export const operations: Readonly<Record<OperationName, Operation>> = section4;

export const operationNames = Object.keys(operations) as OperationName[];

export function pathParameters({ path }: Operation): string[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
}

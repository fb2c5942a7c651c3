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

/** Section 4 of the specification, with its names of the operations. */
const section4 = {
  'Get all quizzes': {
    method: 'GET',
    path: '/v1/quizzes',
    parameters: [],
    run: async ({ quizzes }) => quizzes.list(),
  },
  'Get a quiz': {
    method: 'GET',
    path: '/v1/quizzes/{quiz_id}',
    parameters: [],
    run: async ({ quizzes }, { quiz_id }) => quizzes.get(quiz_id),
  },
  'Create a quiz': {
    method: 'POST',
    path: '/v1/quizzes',
    parameters: ['name'],
    run: async ({ quizzes }, { name }) => quizzes.create({ name }),
  },
  'Update a quiz': {
    method: 'POST',
    path: '/v1/quizzes/{quiz_id}',
    parameters: ['name', 'status'],
    run: async ({ quizzes }, { quiz_id, name, status }) => quizzes.update(quiz_id, { name, status }),
  },
  'Delete a quiz': {
    method: 'DELETE',
    path: '/v1/quizzes/{quiz_id}',
    parameters: [],
    run: async ({ quizzes }, { quiz_id }) => quizzes.delete(quiz_id),
  },
  'Copy a quiz': {
    method: 'POST',
    path: '/v1/quizzes/{quiz_id}/copy',
    parameters: ['name'],
    run: async ({ quizzes }, { quiz_id, name }) => quizzes.copy(quiz_id, { name }),
  },
  'Get groups in a quiz': {
    method: 'GET',
    path: '/v1/quizzes/{quiz_id}/groups',
    parameters: [],
    run: async ({ quizzes }, { quiz_id }) => quizzes.groups(quiz_id),
  },
  'Assign a quiz to a group': {
    method: 'POST',
    path: '/v1/quizzes/{quiz_id}/groups',
    parameters: ['group_id'],
    run: async ({ quizzes }, { quiz_id, group_id }) => quizzes.assignGroup(quiz_id, group_id),
  },
  'Unassign a quiz from a group': {
    method: 'DELETE',
    path: '/v1/quizzes/{quiz_id}/groups',
    parameters: ['group_id'],
    run: async ({ quizzes }, { quiz_id, group_id }) => quizzes.unassignGroup(quiz_id, group_id),
  },
  'Get all responses': {
    method: 'GET',
    path: '/v1/quizzes/{quiz_id}/responses',
    parameters: [],
    run: async ({ responses }, { quiz_id }) => responses.list(quiz_id),
  },
  'Get a response': {
    method: 'GET',
    path: '/v1/quizzes/{quiz_id}/responses/{response_id}',
    parameters: [],
    run: async ({ responses }, { quiz_id, response_id }) => responses.get(quiz_id, response_id),
  },
  'Delete a response': {
    method: 'DELETE',
    path: '/v1/quizzes/{quiz_id}/responses/{response_id}',
    parameters: [],
    run: async ({ responses }, { quiz_id, response_id }) => responses.delete(quiz_id, response_id),
  },
  "Get a response's questions": {
    method: 'GET',
    path: '/v1/quizzes/{quiz_id}/responses/{response_id}/questions',
    parameters: [],
    run: async ({ responses }, { quiz_id, response_id }) => responses.questions(quiz_id, response_id),
  },
  'Get an uploaded file': {
    method: 'GET',
    path: '/v1/quizzes/{quiz_id}/responses/{response_id}/files/{file_id}',
    parameters: [],
    run: async ({ responses }, { quiz_id, response_id, file_id }) => {
      const { stream, ...about } = await responses.file(quiz_id, response_id, file_id);
      return { ...about, content: Buffer.concat(await stream.toArray()).toString() };
    },
  },
  'Get all users': {
    method: 'GET',
    path: '/v1/users',
    parameters: [],
    run: async ({ users }) => users.list(),
  },
  'Get a user': {
    method: 'GET',
    path: '/v1/users/{user_id}',
    parameters: [],
    run: async ({ users }, { user_id }) => users.get(user_id),
  },
  'Find a user': {
    method: 'POST',
    path: '/v1/users/find',
    parameters: ['user_name'],
    run: async ({ users }, { user_name }) => users.find(user_name),
  },
  'Create a user': {
    method: 'POST',
    path: '/v1/users',
    parameters: [...changesOfUser, 'send_welcome_email'],
    run: async ({ users }, user) => users.create(user),
  },
  'Update a user': {
    method: 'POST',
    path: '/v1/users/{user_id}',
    parameters: changesOfUser,
    run: async ({ users }, { user_id, ...changes }) => users.update(user_id, changes),
  },
  'Delete a user': {
    method: 'DELETE',
    path: '/v1/users/{user_id}',
    parameters: [],
    run: async ({ users }, { user_id }) => users.delete(user_id),
  },
  'Get assigned quizzes': {
    method: 'GET',
    path: '/v1/users/{user_id}/quizzes',
    parameters: [],
    run: async ({ users }, { user_id }) => users.quizzes(user_id),
  },
  'Assign a quiz': {
    method: 'POST',
    path: '/v1/users/{user_id}/quizzes',
    parameters: ['quiz_id'],
    run: async ({ users }, { user_id, quiz_id }) => users.assignQuiz(user_id, quiz_id),
  },
  'Unassign a quiz': {
    method: 'DELETE',
    path: '/v1/users/{user_id}/quizzes',
    parameters: ['quiz_id'],
    run: async ({ users }, { user_id, quiz_id }) => users.unassignQuiz(user_id, quiz_id),
  },
  'Assign a user to a group': {
    method: 'POST',
    path: '/v1/users/{user_id}/groups',
    parameters: ['group_id'],
    run: async ({ users }, { user_id, group_id }) => users.assignGroup(user_id, group_id),
  },
  'Unassign a user from a group': {
    method: 'DELETE',
    path: '/v1/users/{user_id}/groups',
    parameters: ['group_id'],
    run: async ({ users }, { user_id, group_id }) => users.unassignGroup(user_id, group_id),
  },
  'Get all groups': {
    method: 'GET',
    path: '/v1/groups',
    parameters: [],
    run: async ({ groups }) => groups.list(),
  },
} satisfies Record<string, Operation>;

export type OperationName = keyof typeof section4;

export const operations: Readonly<Record<OperationName, Operation>> = section4;

export const operationNames = Object.keys(operations) as OperationName[];

export function pathParameters({ path }: Operation): string[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
}

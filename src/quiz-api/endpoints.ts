import { compactResponse, compactUser } from './read-list.ts';
import { done, file, foundId, listOf, newId, one, type Endpoint } from './endpoint.ts';
import { copiedQuiz, newQuiz, quizChanges, quizSchemaOf } from './quizzes.ts';
import { listedResponseSchemaOf, questionSchema, withQuizId } from './responses.ts';
import {
  assignedQuizSchemaOf,
  newUser,
  userChanges,
  userSchemaOf,
  userWithResultsSchemaOf,
  usualUserOf,
  groupSchema,
} from './users.ts';

/** A change that a second request does not repeat. */
const idempotentChange = { answer: done, changes: true, isIdempotent: true } as const;

/**
 * Every operation of the specification's section 4. The client's methods and the labels of metrics come from here. Deleting
 * is not idempotent: the second request is answered with 404.
 */
export const endpoints = {
  quizzes: {
    list: { method: 'GET', path: '/v1/quizzes', answer: listOf({ list: 'quizzes', schemaOf: quizSchemaOf }) },
    get: { method: 'GET', path: '/v1/quizzes/{quiz_id}', answer: one(quizSchemaOf) },
    /** Not retried when the service may have created the quiz. */
    create: { method: 'POST', path: '/v1/quizzes', form: newQuiz, answer: newId('quiz_id'), changes: true },
    /** Renames, opens or closes a quiz (section 3.1). Changes only the fields that are given. */
    update: { method: 'POST', path: '/v1/quizzes/{quiz_id}', form: quizChanges, ...idempotentChange },
    delete: { method: 'DELETE', path: '/v1/quizzes/{quiz_id}', answer: done, changes: true },
    /** Not retried when the service may have made the copy. */
    copy: {
      method: 'POST',
      path: '/v1/quizzes/{quiz_id}/copy',
      form: copiedQuiz,
      answer: newId('quiz_id'),
      changes: true,
    },
    /** The groups that the quiz is assigned to. */
    groups: {
      method: 'GET',
      path: '/v1/quizzes/{quiz_id}/groups',
      answer: listOf({ list: 'groups', isPart: true, schemaOf: () => groupSchema }),
    },
    assignGroup: { method: 'POST', path: '/v1/quizzes/{quiz_id}/groups', form: 'group_id', ...idempotentChange },
    unassignGroup: { method: 'DELETE', path: '/v1/quizzes/{quiz_id}/groups', form: 'group_id', ...idempotentChange },
  },

  responses: {
    /** All responses to a quiz, including those that are not submitted yet. */
    list: {
      method: 'GET',
      path: '/v1/quizzes/{quiz_id}/responses',
      answer: listOf({
        list: 'responses',
        schemaOf: listedResponseSchemaOf,
        keep: (response, share, ids) => compactResponse(withQuizId(response, ids), share),
      }),
    },
    get: {
      method: 'GET',
      path: '/v1/quizzes/{quiz_id}/responses/{response_id}',
      answer: one(listedResponseSchemaOf, withQuizId),
    },
    delete: { method: 'DELETE', path: '/v1/quizzes/{quiz_id}/responses/{response_id}', answer: done, changes: true },
    /** The questions of the quiz with the respondent's answers. */
    questions: {
      method: 'GET',
      path: '/v1/quizzes/{quiz_id}/responses/{response_id}/questions',
      answer: listOf({ list: 'questions', schemaOf: () => questionSchema }),
    },
    /** A file that the respondent uploaded; its id comes from a question's `files`. */
    file: { method: 'GET', path: '/v1/quizzes/{quiz_id}/responses/{response_id}/files/{file_id}', answer: file },
  },

  users: {
    list: {
      method: 'GET',
      path: '/v1/users',
      answer: listOf({ list: 'users', schemaOf: userSchemaOf, usualOf: usualUserOf, keep: compactUser }),
    },
    /** A user with the results of the assigned quizzes. */
    get: { method: 'GET', path: '/v1/users/{user_id}', answer: one(userWithResultsSchemaOf) },
    /** The id of the user with this login name. */
    find: { method: 'POST', path: '/v1/users/find', form: 'user_name', answer: foundId('user_id'), isIdempotent: true },
    /** Not retried when the service may have created the user. */
    create: { method: 'POST', path: '/v1/users', form: newUser, answer: newId('user_id'), changes: true },
    /** Changes only the fields that are given. */
    update: { method: 'POST', path: '/v1/users/{user_id}', form: userChanges, ...idempotentChange },
    delete: { method: 'DELETE', path: '/v1/users/{user_id}', answer: done, changes: true },
    /** The quizzes assigned to a user. */
    quizzes: {
      method: 'GET',
      path: '/v1/users/{user_id}/quizzes',
      answer: listOf({ list: 'quizzes', isPart: true, schemaOf: assignedQuizSchemaOf }),
    },
    assignQuiz: { method: 'POST', path: '/v1/users/{user_id}/quizzes', form: 'quiz_id', ...idempotentChange },
    unassignQuiz: { method: 'DELETE', path: '/v1/users/{user_id}/quizzes', form: 'quiz_id', ...idempotentChange },
    assignGroup: { method: 'POST', path: '/v1/users/{user_id}/groups', form: 'group_id', ...idempotentChange },
    unassignGroup: { method: 'DELETE', path: '/v1/users/{user_id}/groups', form: 'group_id', ...idempotentChange },
  },

  groups: {
    list: { method: 'GET', path: '/v1/groups', answer: listOf({ list: 'groups', schemaOf: () => groupSchema }) },
  },
} as const satisfies Record<string, Record<string, Endpoint>>;

const rows = Object.entries(endpoints).flatMap(([resource, named]) =>
  Object.entries<Endpoint>(named).map(([name, row]) => ({ call: `${resource}.${name}`, ...row })),
);

/** The methods of the client, for example `quizzes.get`. Logs and metrics name calls like this. */
export const callNames: readonly string[] = rows.map(({ call }) => call);

/** The methods of the client that change the account, for example `quizzes.update`. */
export const changingCalls: ReadonlySet<string> = new Set(rows.filter((row) => row.changes).map(({ call }) => call));

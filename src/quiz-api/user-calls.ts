import * as z from 'zod';
import type { AccountDates } from './account-dates.ts';
import { done, foundId, newId, resourceOf } from './answers.ts';
import { path } from './endpoint.ts';
import { BadRequestError, NotFoundError } from './errors.ts';
import type { ReadList } from './read-list.ts';
import type { CallOptions, Transport } from './transport.ts';
import { createShareText } from './shared-texts.ts';
import {
  assignedQuizOf,
  compactUser,
  userSchema,
  userSchemaOf,
  userWithResultsSchemaOf,
  usualUserOf,
  type AssignedQuiz,
  type NewUser,
  type User,
  type UserChanges,
  type UserWithResults,
} from './users.ts';

type AssignmentMethod = 'POST' | 'DELETE';

const quizAssignment = (operation: string, method: AssignmentMethod, userId: string, quizId: string) => ({
  operation,
  method,
  path: path`/v1/users/${userId}/quizzes`,
  form: { quiz_id: quizId },
  isIdempotent: true,
  read: done,
});

const groupAssignment = (operation: string, method: AssignmentMethod, userId: string, groupId: string) => ({
  operation,
  method,
  path: path`/v1/users/${userId}/groups`,
  form: { group_id: groupId },
  isIdempotent: true,
  read: done,
});

export type Users = ReturnType<typeof createUsers>;

/** The calls of section 4.3. Each fails with a `QuizApiError`; an unknown id is a `NotFoundError`. */
export function createUsers({
  transport,
  readList,
  dates,
}: {
  transport: Transport;
  readList: ReadList;
  dates: AccountDates;
}) {
  const schema = dates.isUtc ? userSchema : userSchemaOf(dates);
  const withResults = userWithResultsSchemaOf(dates);
  const assignedQuiz = z.compile(assignedQuizOf(dates));
  const usual = usualUserOf(dates);

  return {
    /**
     * All users of the account, read while the answer arrives.
     *
     * @param known returns the user whom the caller has already, if it is equal
     */
    async list(options?: CallOptions, known: (user: User) => User | undefined = () => undefined): Promise<User[]> {
      const share = createShareText();
      const keep = (user: User) => known(user) ?? compactUser(user, share);
      return readList({ operation: 'users.list', path: '/v1/users', list: 'users', schema, usual, keep }, options);
    },

    /** A user with the results of the assigned quizzes. */
    async get(userId: string, options?: CallOptions): Promise<UserWithResults> {
      return transport.call(
        {
          operation: 'users.get',
          method: 'GET',
          path: path`/v1/users/${userId}`,
          read: resourceOf(withResults),
        },
        options,
      );
    },

    /** The id of the user with this login name; null when the service refuses the name, or answers without an id. */
    async find(userName: string, options?: CallOptions): Promise<string | null> {
      try {
        return await transport.call(
          {
            operation: 'users.find',
            method: 'POST',
            path: '/v1/users/find',
            form: { user_name: userName },
            isIdempotent: true,
            read: foundId('user_id'),
          },
          options,
        );
      } catch (error) {
        if (isNobody(error)) return null;
        throw error;
      }
    },

    /** Resolves to the new user's id, or to null when the service does not say it. Not retried when the service may have created the user. */
    async create(user: NewUser, options?: CallOptions): Promise<string | null> {
      return transport.call(
        {
          operation: 'users.create',
          method: 'POST',
          path: '/v1/users',
          form: { ...user },
          read: newId('user_id'),
        },
        options,
      );
    },

    /** Changes only the fields that are given. */
    async update(userId: string, changes: UserChanges, options?: CallOptions): Promise<void> {
      return transport.call(
        {
          operation: 'users.update',
          method: 'POST',
          path: path`/v1/users/${userId}`,
          form: { ...changes },
          isIdempotent: true,
          read: done,
        },
        options,
      );
    },

    async delete(userId: string, options?: CallOptions): Promise<void> {
      return transport.call(
        {
          operation: 'users.delete',
          method: 'DELETE',
          path: path`/v1/users/${userId}`,
          read: done,
        },
        options,
      );
    },

    /** The quizzes assigned to a user. */
    async quizzes(userId: string, options?: CallOptions): Promise<AssignedQuiz[]> {
      return readList(
        {
          operation: 'users.quizzes',
          path: path`/v1/users/${userId}/quizzes`,
          list: 'quizzes',
          isPart: true,
          schema: assignedQuiz,
        },
        options,
      );
    },

    async assignQuiz(userId: string, quizId: string, options?: CallOptions): Promise<void> {
      return transport.call(quizAssignment('users.assignQuiz', 'POST', userId, quizId), options);
    },

    async unassignQuiz(userId: string, quizId: string, options?: CallOptions): Promise<void> {
      return transport.call(quizAssignment('users.unassignQuiz', 'DELETE', userId, quizId), options);
    },

    async assignGroup(userId: string, groupId: string, options?: CallOptions): Promise<void> {
      return transport.call(groupAssignment('users.assignGroup', 'POST', userId, groupId), options);
    },

    async unassignGroup(userId: string, groupId: string, options?: CallOptions): Promise<void> {
      return transport.call(groupAssignment('users.unassignGroup', 'DELETE', userId, groupId), options);
    },
  };
}

/** The specification does not say how the service answers for a name that nobody has. Real accounts answer 404, 400 or 422. */
function isNobody(error: unknown): boolean {
  const isRefused =
    error instanceof NotFoundError ||
    (error instanceof BadRequestError && (error.status === 400 || error.status === 422));
  return isRefused && error.isFromService;
}

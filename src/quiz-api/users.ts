import * as z from 'zod';
import { outcomeOf } from '../domain/outcome.ts';
import { done, newId, resourceOf } from './answers.ts';
import { path } from './endpoint.ts';
import { NotFoundError } from './errors.ts';
import { decimal, fits, flag, id, list, listOfFitting, optionalWrittenDate, orNull, text, writtenDate } from './fields.ts';
import { listOf } from './list-answer.ts';
import { responseStatusSchema } from './responses.ts';
import type { CallOptions, Transport } from './transport.ts';

/** The types of section 2.4. An account may have users of others. */
export type UserType = 'respondent' | 'trainer' | 'administrator';

/** A quiz that is assigned to a user, with every field in its usual form. */
const usualAssignedQuiz = z.strictObject({ quiz_id: id, name: z.string(), date_assigned: writtenDate.nullable() });
export type AssignedQuiz = z.output<typeof usualAssignedQuiz>;

const assignedQuizFields = z.object({ quiz_id: id, name: text, date_assigned: optionalWrittenDate });
const assignedQuizSchema = z.compile(assignedQuizFields);

/** An assigned quiz with its result; null while there is no result. */
const quizResultFields = assignedQuizFields.extend({
  response_id: orNull(z.string()),
  date_submitted: optionalWrittenDate,
  points: orNull(decimal),
  available_points: orNull(decimal),
  percentage_score: orNull(decimal),
  grade: text,
  pass: orNull(z.boolean()),
  duration: orNull(decimal),
  attempt: orNull(decimal),
  status: orNull(responseStatusSchema),
}).transform((result) => ({
  ...result,
  outcome: result.status === 'submitted' ? outcomeOf({ points: result.points, availablePoints: result.available_points, grade: result.grade, passed: result.pass }) : null,
}));
export type QuizResult = z.output<typeof quizResultFields>;

const usualQuizName = z.strictObject({ quiz_id: id, name: z.string() });
const usualGroupName = z.strictObject({ group_id: id, group_name: z.string() });

/**
 * A user with every field in its usual form.
 *
 * The dates of a user are text, which `dateOf` reads: an account may have 100,000 users with a few
 * dates each, and `Date` objects for all of them cost half as much again as `JSON.parse`.
 */
const usualUser = z.strictObject({
  user_id: id,
  user_name: z.string(),
  user_type: z.string(),
  email_address: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  organization: z.string(),
  notes: z.string(),
  time_zone: z.string(),
  suspended: z.boolean(),
  manage_users: z.boolean(),
  manage_groups: z.boolean(),
  edit_quizzes: z.boolean(),
  quizzes: z.array(usualAssignedQuiz),
  groups: z.array(usualGroupName),
  trainerquizzes: z.array(usualQuizName),
  trainergroups: z.array(usualGroupName),
  date_created: writtenDate.nullable(),
});
export type User = z.output<typeof usualUser>;

/** Whether a record is a `User` already, with nothing to convert, fill in or drop. */
export const isUser = fits(usualUser);

/** The specification does not show the items of a user's groups; a group's name may be its `name`. */
const groupOfUser = z.object({ group_id: id, group_name: text, name: text })
  .transform(({ group_id, group_name, name }) => ({ group_id, group_name: group_name || name }));

const userFields = z.object({
  ...usualUser.shape,
  email_address: text,
  first_name: text,
  last_name: text,
  organization: text,
  notes: text,
  time_zone: text,
  suspended: flag,
  manage_users: flag,
  manage_groups: flag,
  edit_quizzes: flag,
  quizzes: list(assignedQuizFields),
  groups: listOfFitting(groupOfUser),
  trainerquizzes: listOfFitting(z.object({ quiz_id: id, name: text })),
  trainergroups: listOfFitting(groupOfUser),
});

/** Section 2.4 of the specification. Missing text is empty, a missing flag is false. */
export const userSchema: z.ZodType<User> = z.compile(userFields);

/** A user as the single-user call returns it: the quizzes carry their results. */
export const userWithResultsSchema = z.compile(userFields.extend({ quizzes: list(quizResultFields) }));
export type UserWithResults = z.output<typeof userWithResultsSchema>;

/** The fields of a user that can be set (section 4.3). The flags apply to trainers and administrators only. */
export interface UserChanges {
  user_name?: string | undefined;
  /** At least 6 characters. No error and no log contains it. */
  password?: string | undefined;
  user_type?: UserType | undefined;
  email_address?: string | undefined;
  first_name?: string | undefined;
  last_name?: string | undefined;
  suspended?: boolean | undefined;
  manage_users?: boolean | undefined;
  manage_groups?: boolean | undefined;
  edit_quizzes?: boolean | undefined;
}

export interface NewUser extends UserChanges {
  user_name: string;
  /** Sends login name and password to `email_address`, or to `user_name` if that is an address. */
  send_welcome_email?: boolean | undefined;
}

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
export function createUsers(transport: Transport) {
  return {
    /** All users of the account, read while the answer arrives. */
    async list(options?: CallOptions): Promise<User[]> {
      return transport.call({ operation: 'users.list', method: 'GET', path: '/v1/users', read: listOf(userSchema, { isItem: isUser }) }, options);
    },

    /** A user with the results of the assigned quizzes. */
    async get(userId: string, options?: CallOptions): Promise<UserWithResults> {
      return transport.call({
        operation: 'users.get',
        method: 'GET',
        path: path`/v1/users/${userId}`,
        read: resourceOf(userWithResultsSchema),
      }, options);
    },

    /** The id of the user with this login name; null when the service answers 404 in JSON. */
    async find(userName: string, options?: CallOptions): Promise<string | null> {
      try {
        return await transport.call({
          operation: 'users.find',
          method: 'POST',
          path: '/v1/users/find',
          form: { user_name: userName },
          isIdempotent: true,
          read: newId('user_id'),
        }, options);
      } catch (error) {
        if (error instanceof NotFoundError && error.isFromService) return null;
        throw error;
      }
    },

    /** Resolves to the new user's id. Not retried when the service may have created the user. */
    async create(user: NewUser, options?: CallOptions): Promise<string> {
      return transport.call({
        operation: 'users.create',
        method: 'POST',
        path: '/v1/users',
        form: { ...user },
        read: newId('user_id'),
      }, options);
    },

    /** Changes only the fields that are given. */
    async update(userId: string, changes: UserChanges, options?: CallOptions): Promise<void> {
      return transport.call({
        operation: 'users.update',
        method: 'POST',
        path: path`/v1/users/${userId}`,
        form: { ...changes },
        isIdempotent: true,
        read: done,
      }, options);
    },

    async delete(userId: string, options?: CallOptions): Promise<void> {
      return transport.call({
        operation: 'users.delete',
        method: 'DELETE',
        path: path`/v1/users/${userId}`,
        read: done,
      }, options);
    },

    /** The quizzes assigned to a user. */
    async quizzes(userId: string, options?: CallOptions): Promise<AssignedQuiz[]> {
      return transport.call({
        operation: 'users.quizzes',
        method: 'GET',
        path: path`/v1/users/${userId}/quizzes`,
        read: listOf(assignedQuizSchema),
      }, options);
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

import * as z from 'zod';
import { done, newId, one } from './answers.ts';
import { NotFoundError } from './errors.ts';
import { decimal, flag, id, list, listOfKnown, optionalUtcDate, text, utcDate } from './fields.ts';
import { listOf } from './list-answer.ts';
import { path } from './path.ts';
import { responseStatusSchema } from './responses.ts';
import type { CallOptions, Transport } from './transport.ts';

export const userTypeSchema = z.enum(['respondent', 'trainer', 'administrator']);
export type UserType = z.output<typeof userTypeSchema>;

/** A quiz that is assigned to a user. */
export const assignedQuizSchema = z.object({ quiz_id: id, name: text, date_assigned: optionalUtcDate });
export type AssignedQuiz = z.output<typeof assignedQuizSchema>;

const notTold = <Field extends z.ZodType>(field: Field) => field.nullish().transform((value) => value ?? null);

/** An assigned quiz with how it went; null where there is no result yet. */
export const quizResultSchema = assignedQuizSchema.extend({
  response_id: notTold(z.string()),
  date_submitted: optionalUtcDate,
  points: notTold(decimal),
  available_points: notTold(decimal),
  percentage_score: notTold(decimal),
  grade: text,
  pass: notTold(z.boolean()),
  duration: notTold(decimal),
  attempt: notTold(decimal),
  status: notTold(responseStatusSchema),
});
export type QuizResult = z.output<typeof quizResultSchema>;

/** The specification does not show these items; what has no id is left out. */
const assignedGroups = listOfKnown(
  z.object({ group_id: id, group_name: text, name: text })
    .transform((group) => ({ group_id: group.group_id, group_name: group.group_name || group.name })),
);
const trainerQuizzes = listOfKnown(z.object({ quiz_id: id, name: text }));

/** Section 2.4 of the specification. */
export const userSchema = z.object({
  user_id: id,
  user_name: z.string(),
  user_type: userTypeSchema,
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
  quizzes: list(assignedQuizSchema),
  groups: assignedGroups,
  trainerquizzes: trainerQuizzes,
  trainergroups: assignedGroups,
  date_created: utcDate,
});
export type User = z.output<typeof userSchema>;

/** A user as the single-user call gives it: the quizzes carry their results. */
export const userWithResultsSchema = userSchema.extend({ quizzes: list(quizResultSchema) });
export type UserWithResults = z.output<typeof userWithResultsSchema>;

/** What can be said of a user; section 4.3. The flags apply to trainers and administrators only. */
export interface UserChanges {
  user_name?: string | undefined;
  /** At least 6 characters. It stands in no error and no log. */
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
  /** Sends login name and password to `email_address`, or to `user_name` where that is an address. */
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
    /** All users of the account. Read while it arrives: 100,000 users are no trouble. */
    async list(options?: CallOptions): Promise<User[]> {
      return transport.call({ operation: 'users.list', method: 'GET', path: '/v1/users', read: listOf(userSchema) }, options);
    },

    /** One user, with the results of the assigned quizzes. */
    async get(userId: string, options?: CallOptions): Promise<UserWithResults> {
      return transport.call({
        operation: 'users.get',
        method: 'GET',
        path: path`/v1/users/${userId}`,
        read: one(userWithResultsSchema),
      }, options);
    },

    /** The id of the user with this login name; null when the service answers that there is none (404). */
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

    /** Resolves to the new user's id. Never tried again when its fate is unknown. */
    async create(user: NewUser, options?: CallOptions): Promise<string> {
      return transport.call({
        operation: 'users.create',
        method: 'POST',
        path: '/v1/users',
        form: { ...user },
        read: newId('user_id'),
      }, options);
    },

    /** Changes only what is given. */
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

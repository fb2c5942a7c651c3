import * as z from 'zod';
import { done, newId, resourceOf } from './answers.ts';
import { NotFoundError } from './errors.ts';
import { decimal, fits, id, list, optionalUtcDate, optionalWrittenDate, orNull, text, writtenDate } from './fields.ts';
import type { Group } from './groups.ts';
import { listOf } from './list-answer.ts';
import { path } from './endpoint.ts';
import { responseStatusSchema } from './responses.ts';
import type { CallOptions, Transport } from './transport.ts';
import { toDate } from './utc-date.ts';

const userTypeSchema = z.enum(['respondent', 'trainer', 'administrator']);
export type UserType = z.output<typeof userTypeSchema>;

const writtenAssignedQuiz = z.object({ quiz_id: id, name: z.string().nullish(), date_assigned: optionalWrittenDate });

/** A quiz that is assigned to a user. */
export interface AssignedQuiz {
  quiz_id: string;
  name: string;
  date_assigned: Date | null;
}

const assignedQuizSchema = z.compile(writtenAssignedQuiz.transform(toAssignedQuiz));

function toAssignedQuiz(quiz: z.output<typeof writtenAssignedQuiz>): AssignedQuiz {
  const { quiz_id, name, date_assigned: date } = quiz;
  return { quiz_id, name: name ?? '', date_assigned: date ? toDate(date) : null };
}

/** An assigned quiz with how it went; null where there is no result yet. */
const quizWithResult = writtenAssignedQuiz.extend({
  response_id: orNull(z.string()),
  date_submitted: optionalUtcDate,
  points: orNull(decimal),
  available_points: orNull(decimal),
  percentage_score: orNull(decimal),
  grade: text,
  pass: orNull(z.boolean()),
  duration: orNull(decimal),
  attempt: orNull(decimal),
  status: orNull(responseStatusSchema),
});
export type QuizResult = Omit<z.output<typeof quizWithResult>, keyof AssignedQuiz> & AssignedQuiz;

const writtenUser = z.object({
  user_id: id,
  user_name: z.string(),
  user_type: userTypeSchema,
  email_address: z.string().nullish(),
  first_name: z.string().nullish(),
  last_name: z.string().nullish(),
  organization: z.string().nullish(),
  notes: z.string().nullish(),
  time_zone: z.string().nullish(),
  suspended: z.boolean().nullish(),
  manage_users: z.boolean().nullish(),
  manage_groups: z.boolean().nullish(),
  edit_quizzes: z.boolean().nullish(),
  quizzes: z.array(writtenAssignedQuiz).nullish(),
  groups: z.array(z.unknown()).nullish(),
  trainerquizzes: z.array(z.unknown()).nullish(),
  trainergroups: z.array(z.unknown()).nullish(),
  date_created: writtenDate,
});

const isWrittenUser = fits(writtenUser);

function toUser(user: z.output<typeof writtenUser>) {
  return {
    user_id: user.user_id,
    user_name: user.user_name,
    user_type: user.user_type,
    email_address: user.email_address ?? '',
    first_name: user.first_name ?? '',
    last_name: user.last_name ?? '',
    organization: user.organization ?? '',
    notes: user.notes ?? '',
    time_zone: user.time_zone ?? '',
    suspended: user.suspended ?? false,
    manage_users: user.manage_users ?? false,
    manage_groups: user.manage_groups ?? false,
    edit_quizzes: user.edit_quizzes ?? false,
    quizzes: (user.quizzes ?? []).map(toAssignedQuiz),
    groups: known(groupItem, user.groups),
    trainerquizzes: known(quizItem, user.trainerquizzes),
    trainergroups: known(groupItem, user.trainergroups),
    date_created: toDate(user.date_created),
  };
}

/** Section 2.4 of the specification. Text that is missing is empty, a flag that is missing is false. */
export const userSchema = z.withParser(
  writtenUser.transform(toUser),
  (value) => (isWrittenUser(value) ? toUser(value) : z.INVALID),
);
export type User = z.output<typeof userSchema>;

/** A user as the single-user call gives it: the quizzes carry their results. */
export const userWithResultsSchema = z.compile(
  writtenUser.extend({ quizzes: list(quizWithResult) }).transform((user) => ({
    ...toUser(user),
    quizzes: user.quizzes.map((quiz): QuizResult => ({ ...quiz, ...toAssignedQuiz(quiz) })),
  })),
);
export type UserWithResults = z.output<typeof userWithResultsSchema>;

const groupItem = z.object({ group_id: id, group_name: text, name: text })
  .transform(({ group_id, group_name, name }): Group => ({ group_id, group_name: group_name || name }));
const quizItem = z.object({ quiz_id: id, name: text });

/** The specification does not show these items: what does not fit is left out. */
function known<Item>(schema: z.ZodType<Item>, items: readonly unknown[] | null | undefined): Item[] {
  return items?.length ? items.flatMap((item) => schema.safeParse(item).data ?? []) : [];
}

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
        read: resourceOf(userWithResultsSchema),
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

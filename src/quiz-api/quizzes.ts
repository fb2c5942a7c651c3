import * as z from 'zod';
import { accountDatesIn, type AccountDates } from './account-dates.ts';
import { done, newId, resourceOf } from './answers.ts';
import { htmlText, id, text } from './fields.ts';
import { groupSchema } from './groups.ts';
import type { Group } from './groups.ts';
import { path } from './endpoint.ts';
import type { ReadList } from './read-list.ts';
import type { CallOptions, Transport } from './transport.ts';

/** Section 2.1 of the specification. Only the id is needed. */
export function quizSchemaOf(dates: AccountDates) {
  return z.compile(z.object({ quiz_id: id, name: htmlText, status: text, date_created: dates.moment }));
}

/** A quiz of an account whose dates are in UTC. */
export const quizSchema = quizSchemaOf(accountDatesIn('UTC'));
export type Quiz = z.output<typeof quizSchema>;
/** The states of section 3.1. An account may have quizzes in others. */
export type QuizStatus = 'in_design' | 'open' | 'closed';

/** Changes only the fields that are given. A quiz cannot return to `in_design`. */
export interface QuizChanges {
  name?: string | undefined;
  status?: 'open' | 'closed' | undefined;
}

export type Quizzes = ReturnType<typeof createQuizzes>;

/** The calls of section 4.1. Each fails with a `QuizApiError`; an unknown quiz is a `NotFoundError`. */
export function createQuizzes({
  transport,
  readList,
  dates,
}: {
  transport: Transport;
  readList: ReadList;
  dates: AccountDates;
}) {
  const schema = dates.isUtc ? quizSchema : quizSchemaOf(dates);
  return {
    /**
     * All quizzes of the account.
     *
     * @param known returns the quiz that the caller has already, if it is equal
     */
    async list(options?: CallOptions, known: (quiz: Quiz) => Quiz | undefined = () => undefined): Promise<Quiz[]> {
      const keep = (quiz: Quiz) => known(quiz) ?? quiz;
      return readList({ operation: 'quizzes.list', path: '/v1/quizzes', list: 'quizzes', schema, keep }, options);
    },

    async get(quizId: string, options?: CallOptions): Promise<Quiz> {
      return transport.call(
        {
          operation: 'quizzes.get',
          method: 'GET',
          path: path`/v1/quizzes/${quizId}`,
          read: resourceOf(schema),
        },
        options,
      );
    },

    /** Resolves to the new quiz's id, or to null when the service does not say it. Not retried when the service may have created the quiz. */
    async create(quiz: { name: string }, options?: CallOptions): Promise<string | null> {
      return transport.call(
        {
          operation: 'quizzes.create',
          method: 'POST',
          path: '/v1/quizzes',
          form: { name: quiz.name },
          read: newId('quiz_id'),
        },
        options,
      );
    },

    /** Renames, opens or closes a quiz (section 3.1). */
    async update(quizId: string, changes: QuizChanges, options?: CallOptions): Promise<void> {
      return transport.call(
        {
          operation: 'quizzes.update',
          method: 'POST',
          path: path`/v1/quizzes/${quizId}`,
          form: { name: changes.name, status: changes.status },
          isIdempotent: true,
          read: done,
        },
        options,
      );
    },

    async delete(quizId: string, options?: CallOptions): Promise<void> {
      return transport.call(
        {
          operation: 'quizzes.delete',
          method: 'DELETE',
          path: path`/v1/quizzes/${quizId}`,
          read: done,
        },
        options,
      );
    },

    /**
     * Resolves to the copy's id, or to null when the service does not say it. Without a name, the service chooses one. Not
     * retried when the service may have made the copy.
     */
    async copy(
      quizId: string,
      copy: { name?: string | undefined } = {},
      options?: CallOptions,
    ): Promise<string | null> {
      return transport.call(
        {
          operation: 'quizzes.copy',
          method: 'POST',
          path: path`/v1/quizzes/${quizId}/copy`,
          form: { name: copy.name },
          read: newId('quiz_id'),
        },
        options,
      );
    },

    /** The groups that the quiz is assigned to. */
    async groups(quizId: string, options?: CallOptions): Promise<Group[]> {
      return readList(
        {
          operation: 'quizzes.groups',
          path: path`/v1/quizzes/${quizId}/groups`,
          list: 'groups',
          isPart: true,
          schema: groupSchema,
        },
        options,
      );
    },

    async assignGroup(quizId: string, groupId: string, options?: CallOptions): Promise<void> {
      return transport.call(
        {
          operation: 'quizzes.assignGroup',
          method: 'POST',
          path: path`/v1/quizzes/${quizId}/groups`,
          form: { group_id: groupId },
          isIdempotent: true,
          read: done,
        },
        options,
      );
    },

    async unassignGroup(quizId: string, groupId: string, options?: CallOptions): Promise<void> {
      return transport.call(
        {
          operation: 'quizzes.unassignGroup',
          method: 'DELETE',
          path: path`/v1/quizzes/${quizId}/groups`,
          form: { group_id: groupId },
          isIdempotent: true,
          read: done,
        },
        options,
      );
    },
  };
}

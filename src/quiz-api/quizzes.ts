import * as z from 'zod';
import { nameOrId } from '../domain/short-name.ts';
import { accountDatesIn, forDates, htmlText, id, text } from './fields.ts';

/** Section 2.1 of the specification. Only the id is needed: a quiz without a name is called by it. */
export const quizSchemaOf = forDates((dates) =>
  z.compile(
    z
      .object({ quiz_id: id, name: htmlText, status: text, date_created: dates.moment })
      .transform((quiz) => ({ ...quiz, name: nameOrId('quiz', quiz.name, quiz.quiz_id) })),
  ),
);

/** A quiz of an account whose dates are in UTC. */
export const quizSchema = quizSchemaOf(accountDatesIn('UTC'));
export type Quiz = z.output<typeof quizSchema>;
/** The states of section 3.1. An account may have quizzes in others. */
export type QuizStatus = 'in_design' | 'open' | 'closed';

export const newQuiz = z.object({ name: z.string() });

/** Without a name, the service chooses one. */
export const copiedQuiz = newQuiz.partial();

/** The fields of a quiz that can be set. A quiz cannot return to `in_design`. */
export const quizChanges = z.object({ name: z.string(), status: z.enum(['open', 'closed']) }).partial();

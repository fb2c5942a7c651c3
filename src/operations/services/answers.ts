import type { KnownQuestion } from '../../domain/answers.ts';
import type { QuizResponse } from '../../quiz-api/responses.ts';

/** The answers in the attempts at a quiz: one request each, so they are read in the background, once, and kept without names. */
export interface Answers {
  /**
   * What is known of the attempts at a quiz. What is not known yet is read from now on.
   *
   * @param attempts all that the service lists
   */
  of(quizId: string, attempts: readonly QuizResponse[]): Promise<KnownAnswers>;
}

export interface KnownAnswers {
  questions: readonly KnownQuestion[];
  /** The attempts that count: the newest, if there are many. */
  counted: ReadonlySet<string>;
  /** The answers of those that are read, by the ID of the attempt. */
  answers: ReadonlyMap<string, string>;
}

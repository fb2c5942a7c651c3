import type { QuizResult } from '../../quiz-api/users.ts';

/** A quiz that a user has, directly or through a group, with the last attempt. */
export interface AssignedQuizResult extends QuizResult {
  /** The quiz can be taken, and no attempt is submitted. */
  isDue: boolean;
  /** Where the reader takes the quiz while it is due; undefined where the account has no such address configured. */
  takeUrl?: string | undefined;
  /** The attempts before the last, the latest first. */
  earlier: readonly QuizResult[];
}

/** The quizzes of a user. */
export interface AssignedQuizzes {
  quizzes: readonly AssignedQuizResult[];
  /** Quizzes of the user’s groups whose attempts were not read. */
  leftOut: number;
  /** The bot does not know the groups of every quiz yet, so quizzes can be missing. */
  isStillReading: boolean;
}

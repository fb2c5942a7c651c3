import type { OwnObligation } from '../../obligations/people.ts';
import type { QuizResult } from '../../quiz-api/records.ts';

/** A quiz that a user has, directly or through a group, with the last attempt. */
export interface AssignedQuizResult extends QuizResult {
  /** The quiz can be taken, and no attempt is submitted, or a campaign asks for one. */
  isDue: boolean;
  /** Nobody can take it now. */
  isClosed?: true;
  /** Where the reader takes the quiz while it can be taken; undefined where the account has no such address configured. */
  takeUrl?: string | undefined;
  /** The attempts before the last, the latest first. */
  earlier: readonly QuizResult[];
  /** What a campaign asks of the reader. `isOverdue`: the due time is over. */
  obligation?: OwnObligation & { isOverdue: boolean };
}

/** The quizzes of a user. */
export interface AssignedQuizzes {
  quizzes: readonly AssignedQuizResult[];
  /** Quizzes of the user’s groups whose attempts were not read. */
  leftOut: number;
  /** The bot does not know the groups of every quiz yet, so quizzes can be missing. */
  isStillReading: boolean;
}

/** The quizzes of the reader with what campaigns ask of them. @param now in milliseconds since the epoch */
export function withObligations(
  assigned: AssignedQuizzes,
  obligations: readonly OwnObligation[],
  { now, takeLink }: { now: number; takeLink: (quizId: string) => string | undefined },
): AssignedQuizzes {
  const byQuiz = new Map(obligations.map((obligation) => [obligation.quizId, obligation]));
  return {
    ...assigned,
    quizzes: assigned.quizzes.map((quiz) => {
      const obligation = byQuiz.get(quiz.quiz_id);
      if (obligation === undefined) return quiz;
      const isDue = quiz.isDue || (obligation.isAsked && !quiz.isClosed);
      return {
        ...quiz,
        isDue,
        takeUrl: quiz.isClosed ? undefined : takeLink(quiz.quiz_id),
        obligation: { ...obligation, isOverdue: now >= (obligation.dueAt ?? Infinity) },
      };
    }),
  };
}

/** Whether somebody took a quiz, did not pass, and can take it again. */
export function isNotPassed({ isDue, isClosed, outcome, earlier }: AssignedQuizResult): boolean {
  return !isDue && !isClosed && outcome === 'failed' && earlier.every((attempt) => attempt.outcome !== 'passed');
}

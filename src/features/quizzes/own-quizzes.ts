import type { OwnObligation } from '../../obligations/people.ts';
import type { QuizResult } from '../../quiz-api/users.ts';
import type { QuizApi } from '../../quiz-api/quiz-api.ts';
import type { CallOptions } from '../../quiz-api/transport.ts';
import type { Directory } from '../../directory/directory.ts';
import type { OperationContext } from '../../operations/context.ts';
import { assignedQuizzesOf } from './assigned-quizzes.ts';

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

/** The quizzes of users as they were at most a minute ago, so that a person who looks twice costs no more requests. */
export interface RecentOwnQuizzes {
  /** @throws a `QuizApiError` where the service has to be asked and cannot be */
  of(userId: string, call: CallOptions): Promise<AssignedQuizzes>;
  /** Call when there is a new submission. */
  forget(): void;
}

const agesAfterMs = 60_000;
const keptAtMost = 500;

export function createRecentOwnQuizzes(deps: {
  api: QuizApi;
  directory: Directory;
  takeLink: OperationContext['takeLink'];
  now: () => number;
}): RecentOwnQuizzes {
  const { api, directory, takeLink, now } = deps;
  const recent = new Map<string, { readAt: number; quizzes: Promise<AssignedQuizzes> }>();

  async function read(userId: string, call: CallOptions): Promise<AssignedQuizzes> {
    const user = await api.users.get(userId, call);
    return assignedQuizzesOf(user, { api, directory, call }, takeLink);
  }

  return {
    async of(userId, call) {
      const known = recent.get(userId);
      if (known && now() - known.readAt < agesAfterMs) return known.quizzes;
      const entry = { readAt: now(), quizzes: read(userId, call) };
      recent.delete(userId);
      recent.set(userId, entry);
      for (const longestAgo of recent.keys()) if (recent.size > keptAtMost) recent.delete(longestAgo);
      return entry.quizzes.catch((error: unknown) => {
        if (recent.get(userId) === entry) recent.delete(userId);
        throw error;
      });
    },
    forget: () => recent.clear(),
  };
}

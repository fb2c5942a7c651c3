import type { QuizApi } from '../../quiz-api/quiz-api.ts';
import type { CallOptions } from '../../quiz-api/transport.ts';
import type { Directory } from '../../directory/directory.ts';
import type { OperationContext } from '../../operations/context.ts';
import { assignedQuizzesOf } from './assigned-quizzes.ts';
import type { AssignedQuizzes } from './own-quizzes.ts';

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

import type { QuizApi } from '../quiz-api/quiz-api.ts';
import type { Quiz } from '../quiz-api/quizzes.ts';
import type { User } from '../quiz-api/users.ts';
import { createCachedList, type CachedList } from './cached-list.ts';

/** The account's quizzes and users, kept at hand so that pickers and rights need not wait for the service. */
export interface Directory {
  quizzes: CachedList<Quiz>;
  users: CachedList<User>;
}

const agesAfterMs = 60_000;

export function createDirectory(deps: {
  api: QuizApi;
  now: () => number;
  onBackgroundError: (error: unknown) => void;
}): Directory {
  const { api, now, onBackgroundError } = deps;
  return {
    quizzes: createCachedList({ load: (call) => api.quizzes.list(call), agesAfterMs, now, onBackgroundError }),
    users: createCachedList({ load: (call) => api.users.list(call), agesAfterMs: 5 * agesAfterMs, now, onBackgroundError }),
  };
}

import { version } from '../config.ts';
import { createDirectory, type Directory } from '../directory/directory.ts';
import { createPassRates, type PassRates } from '../directory/pass-rates.ts';
import { createRecentOwnQuizzes, type RecentOwnQuizzes } from '../features/quizzes/recent-own-quizzes.ts';
import { createTakeLink } from '../directory/take-link.ts';
import type { Check } from '../domain/finding.ts';
import { createRanks, type Ranks } from '../quiz-api/budget/ranks.ts';
import type { RequestBudget } from '../quiz-api/budget/request-budget.ts';
import { createObservedQuizApi } from '../quiz-api/observed-quiz-api.ts';
import type { QuizApi } from '../quiz-api/quiz-api.ts';
import type { Foundation } from './foundation.ts';

/** The quiz account: its service, within the limits of requests, and what the bot keeps in memory of it. */
export interface Account {
  api: QuizApi;
  directory: Directory;
  passRates: PassRates;
  ownQuizzes: RecentOwnQuizzes;
  /** The address where a quiz is taken; undefined where the account has none configured. */
  takeLink: (quizId: string) => string | undefined;
  budget: RequestBudget;
  ranks: Ranks;
  /** Whether the service answered the last call; undefined before the first. */
  isServiceWell: () => boolean | undefined;
  serviceCheck: Check;
}

/** @param given default: the limits of the quiz service */
export function createAccount(
  { config, clock: { now }, timeouts, storage, redis, observability, log }: Foundation,
  given: RequestBudget | undefined,
): Account {
  const ranks = createRanks();
  const { budget, isServiceWell, serviceCheck, ...service } = createObservedQuizApi({
    ...config.quizApi,
    version,
    timeoutMs: timeouts.quizService,
    budget: given,
    redis,
    keptRequests: storage.kv('quiz-budget'),
    observability,
    rankOf: ranks.of,
    now,
  });
  const { api, passRates } = createPassRates({ api: service.api, now });
  const onBackgroundError = (error: unknown) => log.warn({ error }, 'the directory could not be refreshed');
  const directory = createDirectory({ api, now, onBackgroundError });
  const takeLink = createTakeLink(config.quizTakeUrl);
  const ownQuizzes = createRecentOwnQuizzes({ api, directory, takeLink, now });
  return { api, directory, passRates, ownQuizzes, takeLink, budget, ranks, isServiceWell, serviceCheck };
}

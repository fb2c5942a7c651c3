import { version } from '../config.ts';
import { createDirectory, type Directory } from '../directory/directory.ts';
import { createPassRates, type PassRates } from '../directory/pass-rates.ts';
import { createRecentOwnQuizzes, type RecentOwnQuizzes } from '../features/quizzes/recent-own-quizzes.ts';
import type { Check } from '../domain/finding.ts';
import { throughProxies } from '../http/outbound.ts';
import { createRanks, type Ranks } from '../quiz-api/budget/person-shares.ts';
import type { RequestBudget } from '../quiz-api/budget/request-budget.ts';
import { createObservedQuizApi } from '../quiz-api/observed-quiz-api.ts';
import type { QuizApi } from '../quiz-api/quiz-api.ts';
import type { Foundation } from './foundation.ts';

/** The quiz account: its service, within the limits of requests, and what is kept in memory of it. Several bots may use it. */
export interface QuizAccount {
  api: QuizApi;
  directory: Directory;
  passRates: PassRates;
  budget: RequestBudget;
  ranks: Ranks;
  /** Whether the service answered the last call; undefined before the first. */
  isServiceWell: () => boolean | undefined;
  serviceCheck: Check;
}

/** The quiz account as a bot shows it to its people. */
export interface Account extends QuizAccount {
  ownQuizzes: RecentOwnQuizzes;
  /** The address where a quiz is taken; undefined where the account has none configured. */
  takeLink: (quizId: string) => string | undefined;
}

/** @param given default: the limits of the quiz service */
export function createQuizAccount(
  {
    config,
    clock: { now },
    timeouts,
    storage,
    redis,
    metrics,
    log,
  }: Pick<Foundation, 'clock' | 'timeouts' | 'storage' | 'redis' | 'metrics' | 'log'> & {
    config: Pick<Foundation['config'], 'quizApi' | 'proxies'>;
  },
  given?: RequestBudget,
): QuizAccount {
  const ranks = createRanks();
  const { budget, isServiceWell, serviceCheck, ...service } = createObservedQuizApi({
    ...config.quizApi,
    version,
    timeoutMs: timeouts.quizService,
    agentOptions: throughProxies(config.proxies),
    budget: given,
    redis,
    keptRequests: storage.kv('quiz-budget'),
    metrics,
    log,
    rankOf: ranks.of,
    now,
  });
  const { api, passRates } = createPassRates({ api: service.api, now });
  const onBackgroundError = (error: unknown) => log.warn({ error }, 'the directory could not be refreshed');
  const directory = createDirectory({ api, now, onBackgroundError });
  return { api, directory, passRates, budget, ranks, isServiceWell, serviceCheck };
}

export function createAccount({ config, clock: { now } }: Foundation, shared: QuizAccount): Account {
  const takeLink = createTakeLink(config.quizTakeUrl);
  return { ...shared, takeLink, ownQuizzes: createRecentOwnQuizzes({ ...shared, takeLink, now }) };
}

/** @param quizTakeUrl the address where quizzes are taken, with `{quiz_id}` */
export function createTakeLink(quizTakeUrl: string | undefined): (quizId: string) => string | undefined {
  return (quizId) => quizTakeUrl?.replaceAll('{quiz_id}', () => encodeURIComponent(quizId));
}

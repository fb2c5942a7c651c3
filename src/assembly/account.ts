import { version } from '../config.ts';
import type { BoundAccount } from '../directory/bounds/bound-account.ts';
import { createUsersByGroup } from '../directory/bounds/users-by-group.ts';
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

/** The quiz account: its service, within the limits of requests, and what is kept in memory of it. Several bots may use it. */
export interface QuizAccount {
  api: QuizApi;
  directory: Directory;
  /** Sorts the users once for all bots that are for some groups. */
  usersByGroup: ReturnType<typeof createUsersByGroup>;
  passRates: PassRates;
  budget: RequestBudget;
  ranks: Ranks;
  /** Whether the service answered the last call; undefined before the first. */
  isServiceWell: () => boolean | undefined;
  serviceCheck: Check;
}

/** The quiz account as a bot shows it to its people, as far as it is for the bot. */
export interface Account extends QuizAccount {
  /** Undefined where the bot is for the whole account. */
  bounds: Pick<BoundAccount, 'isOfBot' | 'reach' | 'state'> | undefined;
  /** The IDs of all users of the account, also of those whom the bot is not for. */
  everyUserId: () => Promise<string[]>;
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
    observability,
    log,
  }: Pick<Foundation, 'clock' | 'timeouts' | 'storage' | 'redis' | 'observability' | 'log'> & {
    config: Pick<Foundation['config'], 'quizApi'>;
  },
  given?: RequestBudget,
): QuizAccount {
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
  const directory = createDirectory({ api, kept: storage.kv('quiz-groups'), now, onBackgroundError });
  const usersByGroup = createUsersByGroup();
  return { api, directory, usersByGroup, passRates, budget, ranks, isServiceWell, serviceCheck };
}

export async function createAccount(
  { config, clock: { now }, storage, oneAtATime, log }: Foundation,
  whole: QuizAccount,
): Promise<Account> {
  const takeLink = createTakeLink(config.quizTakeUrl);
  const bounds =
    config.groups.length === 0
      ? undefined
      : (await import('../directory/bounds/bound-account.ts')).boundAccount(config.groups, {
          whole,
          store: storage.kv('made-here'),
          alone: async (work) => !(await oneAtATime.inTurn('made-here', work)).isBusy,
          now,
          onError: (error) => log.warn({ error }, 'what the bot made is not kept yet'),
        });
  const account = {
    ...whole,
    ...(bounds && { ...createPassRates({ api: bounds.api, now }), directory: bounds.directory }),
    bounds,
    everyUserId: async () => (await whole.directory.users.get({ priority: 'background' })).map(({ user_id: id }) => id),
  };
  return { ...account, takeLink, ownQuizzes: createRecentOwnQuizzes({ ...account, takeLink, now }) };
}

import type { Check } from '../domain/finding.ts';
import { createCredentialLog, type Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import { createKeptLedger, type KeptRequestsStore } from './budget/ledger.ts';
import { createRedisLedger, type RedisClient } from './budget/redis-ledger.ts';
import { createRequestBudget, type PersonRank, type RequestBudget } from './budget/request-budget.ts';
import { isOutage, keyRefusal, remedyOf } from './errors.ts';
import { createQuizApi, type QuizApi, type QuizApiOptions } from './quiz-api.ts';
import { notAskedYet, serviceFinding, serviceMeaning } from './diagnose.ts';
import type { ObservedCall } from './transport.ts';
import type { UnreadableRecords } from './read-list.ts';

/** Records each call of the quiz service in the log and the metrics. */
function createObserveCall({ metrics, log }: { metrics: Metrics; log: Log }): (call: ObservedCall) => void {
  const key = createCredentialLog(log, 'QUIZ_API_KEY');

  return (call) => {
    const { operation, status, failure, durationMs } = call;
    const hasFailed = failure !== undefined;
    metrics.quizCalls.inc({ operation, status });
    metrics.quizCallSeconds.observe(durationMs / 1000);
    const isRefused = failure === keyRefusal;
    if (isRefused) key.refused(remedyOf(failure));
    else if (!hasFailed) key.accepted();
    log[hasFailed && !isRefused ? 'warn' : 'debug'](
      { ...call },
      hasFailed ? 'the quiz service did not do what it was asked' : 'called the quiz service',
    );
  };
}

/** Shows the records that could not be read: a line in the log for each list and reason, and a figure for each list. */
function createObserveUnreadable({ metrics, log }: { metrics: Metrics; log: Log }) {
  const show = (unreadable: readonly UnreadableRecords[]) => {
    metrics.quizUnreadable.reset();
    for (const { list, count } of unreadable) metrics.quizUnreadable.set({ list }, count);
  };
  return {
    onUnreadable: (records: UnreadableRecords) =>
      log.warn({ ...records }, 'records of the quiz service cannot be read and are left out'),
    onUnreadableChange: show,
  };
}

/** Knows from the latest call whether the service answers. */
export function createServiceHealth() {
  let latest: Pick<ObservedCall, 'failure'> | undefined;
  const outage = () => (latest?.failure !== undefined && isOutage(latest.failure) ? latest.failure : undefined);
  return {
    observe({ failure }: Pick<ObservedCall, 'failure'>): void {
      latest = { failure };
    },
    /** Undefined before the first call. */
    isWell: () => latest && outage() === undefined,
    check: {
      ...serviceMeaning,
      async look() {
        if (latest === undefined) return notAskedYet;
        const failure = outage();
        return failure === undefined ? undefined : serviceFinding(failure);
      },
    } satisfies Check,
  };
}

/** The client of the quiz service with its request budget; every call is logged and measured. */
export function createObservedQuizApi(deps: {
  baseUrl: string;
  apiKey: string;
  /** The time zone of the account's dates. */
  timeZone: string;
  /** The bot's version, for the `User-Agent`. */
  version: string;
  timeoutMs: number;
  agentOptions: QuizApiOptions['agentOptions'];
  /** Default: the limits of the service, shared by all instances over `redis`. */
  budget: RequestBudget | undefined;
  redis: RedisClient | undefined;
  /** Keeps the budget of a single instance over restarts. */
  keptRequests: KeptRequestsStore;
  log: Log;
  metrics: Metrics;
  /** What a person may do, which decides how many requests they can use. */
  rankOf: (personId: string) => PersonRank;
  now: () => number;
}): {
  api: QuizApi;
  budget: RequestBudget;
  /** Whether the service answered the last call; undefined before the first. */
  isServiceWell: () => boolean | undefined;
  serviceCheck: Check;
} {
  const { apiKey, redis: client, log, now } = deps;
  const onError = (error: unknown) => log.warn({ error }, 'an answer is not in the request budget');
  const ledger = client
    ? createRedisLedger({ client, apiKey, onError })
    : createKeptLedger({ store: deps.keptRequests, apiKey, onError });
  const budget = deps.budget ?? createRequestBudget({ ledger, now, rankOf: deps.rankOf });
  const observeCall = createObserveCall(deps);
  const health = createServiceHealth();
  const api = createQuizApi({
    baseUrl: deps.baseUrl,
    apiKey,
    timeZone: deps.timeZone,
    userAgent: `invigilator/${deps.version}`,
    timeoutMs: deps.timeoutMs,
    agentOptions: deps.agentOptions,
    budget,
    now,
    ...createObserveUnreadable(deps),
    onCall(call) {
      health.observe(call);
      observeCall(call);
    },
  });
  return { api, budget, isServiceWell: health.isWell, serviceCheck: health.check };
}

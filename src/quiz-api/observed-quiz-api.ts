import type { Observability } from '../observability/observability.ts';
import { createRedisLedger, type RedisClient } from './budget/redis-ledger.ts';
import { createRequestBudget, type RequestBudget } from './budget/request-budget.ts';
import { createObserveCall, createServiceHealth } from './observe-calls.ts';
import { createQuizApi, type QuizApi } from './quiz-api.ts';

/** The client of the quiz service with its request budget; every call is logged, measured and traced. */
export function createObservedQuizApi(deps: {
  baseUrl: string;
  apiKey: string;
  timeoutMs: number;
  /** Default: the limits of the service, shared by all instances over `redis`. */
  budget: RequestBudget | undefined;
  redis: RedisClient | undefined;
  observability: Observability;
  now: () => number;
}): {
  api: QuizApi;
  budget: RequestBudget;
  /** Whether the service answered the last call; undefined before the first. */
  isServiceWell: () => boolean | undefined;
} {
  const { apiKey, redis: client, observability, now } = deps;
  const onError = (error: unknown) => observability.log.warn({ error }, 'an answer is not in the request budget');
  const ledger = client && createRedisLedger({ client, apiKey, onError });
  const budget = deps.budget ?? createRequestBudget({ ledger, now });
  const observeCall = createObserveCall(observability);
  const health = createServiceHealth();
  const api = createQuizApi({
    baseUrl: deps.baseUrl,
    apiKey,
    timeoutMs: deps.timeoutMs,
    budget,
    onCall(call) {
      health.observe(call);
      observeCall(call);
    },
  });
  return { api, budget, isServiceWell: health.isWell };
}

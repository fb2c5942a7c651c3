import {
  type Check,
  type CheckMeaning,
  type Finding,
  clockDiagnosis,
  fault,
  right,
  unknown,
  type Diagnosis,
} from '../domain/finding.ts';
import { createCredentialLog, type Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import { createKeptLedger, type KeptRequestsStore } from './budget/rate-windows.ts';
import { createRedisLedger, type RedisClient } from './budget/redis-ledger.ts';
import { createRequestBudget, type PersonRank, type RequestBudget } from './budget/request-budget.ts';
import { isOutage, keyRefusal, remedyOf } from './errors.ts';
import { createQuizApi, type QuizApi, type QuizApiOptions } from './quiz-api.ts';
import type { ObservedCall } from './transport.ts';
import type { UnreadableRecords } from './read-list.ts';
import { Agent } from 'undici';
import { say } from '../domain/said.ts';

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

/** A date this far in the future shows that the zone is wrong; zones are at least 15 minutes apart. */
const futureAtMostMs = 10 * 60_000;

/** Remembers when the service answered. */
class DatedAgent extends Agent {
  date: string | undefined;

  override async request(...parameters: Parameters<Agent['request']>) {
    const response = await super.request(...parameters);
    const { date } = response.headers;
    this.date = typeof date === 'string' ? date : this.date;
    return response;
  }
}

/**
 * Checks the address, the key, the clock and the zone with one request, for the list of quizzes.
 * @returns with whether the service answers
 */
export async function diagnoseQuizService(
  setup: Setup,
  now: () => number,
): Promise<{ check: Check; diagnoses: Diagnosis[] }> {
  const dispatcher = new DatedAgent(setup.agentOptions);
  const api = createQuizApi({ ...setup, dispatcher, now });
  const clock = () => clockDiagnosis('the quiz service', dispatcher.date, now());
  try {
    const quizzes = await api.quizzes.list({ deadline: now() + 20_000 });
    const [unreadable] = api.unreadable();
    const well = `the service accepts QUIZ_API_KEY and lists ${quizzes.length} ${quizzes.length === 1 ? 'quiz' : 'quizzes'}`;
    const diagnoses = [
      ...(unreadable === undefined
        ? []
        : [
            fault(
              `${unreadable.count} quizzes cannot be read and are left out: correct them in the quiz account, or ask its support`,
            ),
          ]),
      clock(),
      zoneDiagnosis(
        quizzes.flatMap(({ date_created: created }) => created?.getTime() ?? []),
        setup.timeZone,
        now(),
      ),
    ];
    return { check: { ...serviceMeaning, well, look: async () => undefined }, diagnoses };
  } catch (error) {
    const failure = error instanceof Error ? error.name : 'unknown';
    return {
      check: { ...serviceMeaning, look: async () => serviceFinding(failure) },
      diagnoses:
        dispatcher.date === undefined
          ? [unknown('clock and zone were not checked')]
          : [clock(), unknown('the zone was not checked')],
    };
  } finally {
    await api.close();
    await dispatcher.close();
  }
}

/** Reads the IDs of all users with one request; undefined where the service does not give them. */
export async function listUserIds(setup: Setup, now: () => number): Promise<string[] | undefined> {
  const api = createQuizApi({ ...setup, now });
  try {
    const users = await api.users.list({ deadline: now() + 20_000 });
    return users.map(({ user_id: id }) => id);
  } catch {
    return undefined;
  } finally {
    await api.close();
  }
}

interface Setup {
  baseUrl: string;
  apiKey: string;
  timeZone: string;
  userAgent: string;
  agentOptions: Agent.Options;
}

function zoneDiagnosis(moments: readonly number[], timeZone: string, nowMs: number): Diagnosis {
  const latest = Math.max(...moments, -Infinity);
  if (latest === -Infinity) return unknown('QUIZ_TIME_ZONE cannot be checked: no quiz has a date');
  const shown = `the newest quiz was created on ${new Date(latest).toISOString().slice(0, 16).replace('T', ' at ')} UTC`;
  if (latest > nowMs + futureAtMostMs)
    return fault(`QUIZ_TIME_ZONE=${timeZone} is wrong: ${shown}, in the future. Set the time zone of the quiz account`);
  return right(
    `QUIZ_TIME_ZONE=${timeZone}: ${shown}. If that is some hours off, set the time zone of the quiz account`,
  );
}

export const serviceMeaning: CheckMeaning = {
  name: 'quizService',
  topic: 'Quiz service',
  well: 'the quiz service answers',
  gauge: {
    name: 'invigilator_quiz_service_up',
    help: 'Whether the quiz service answered the last call of this instance: 1, or 0',
  },
  unclear: {
    effect: 'unknown',
    problem: 'not checked',
    remedy: 'read the log of the bot, and try again in a minute',
    forAdministrators: { headline: say`The quiz service wasn’t checked`, advice: '' },
  },
};

const forAdministrators = {
  headline: say`The quiz service isn’t answering`,
  advice: say`The bot continues when it answers again.`,
};

/** What it means that the last call failed. @param failure the name of its error */
export function serviceFinding(failure: string): Finding {
  const isRefused = failure === keyRefusal;
  return {
    code: isRefused ? keyRefused : 'quiz_service_failed',
    effect: 'degrades',
    problem: isRefused
      ? 'refuses the API key; people see an error message'
      : 'did not answer the last request; people see an error message',
    forOperator: remedyOf(failure),
    forAdministrators: isRefused
      ? {
          headline: say`The quiz service refuses the bot’s API key`,
          advice: say`Ask the person who runs the bot to replace it.`,
        }
      : forAdministrators,
  };
}

/** The code of a service that refuses the key. */
export const keyRefused = 'quiz_key_refused';

/** Before the first call. */
export const notAskedYet: Finding = {
  code: 'quiz_service_not_asked',
  effect: 'unknown',
  problem: 'not asked yet',
  forOperator: 'the quiz service was not asked yet',
  forAdministrators: { headline: say`The quiz service wasn’t asked yet`, advice: '' },
};

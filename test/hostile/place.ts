import { startQuizService, type QuizService } from '../../src/sandbox/quiz-service/service.ts';
import { accountQuizzes } from '../support/account-quizzes.ts';
import type { BotStore } from './bot-store.ts';
import { cohortOfSlackId, handleOfSlackId, slackIdOf, type Cohort } from './cohort.ts';
import { startServiceProxy, type ServiceCall, type ServiceProxy } from './service-calls.ts';
import { approvalsChannel, startHostileSlack, type HostileSlack, type SeenText } from './slack.ts';
import type { Tenant } from './tenant.ts';

/** What a tenant’s bot stands between: a hostile Slack, and a quiz service with the records of some cohorts. */
export interface Place {
  tenant: Tenant;
  service: QuizService;
  slack: HostileSlack;
  /** Of a bot that was started at least once. */
  store: BotStore;
}

export function startAccount({ secrets: { apiKey } }: Tenant): Promise<QuizService> {
  return startQuizService({
    quizzes: accountQuizzes,
    dataDir: ':memory:',
    apiKey,
    ratePerMinute: 1e9,
    ratePerHour: 1e9,
    sample: 'empty',
  });
}

/** Opens what is around the bot of a tenant. The cohorts are all those of its account. */
export async function openSurroundings(
  tenant: Tenant,
  {
    service,
    cohorts,
    ...hooks
  }: {
    service: QuizService;
    cohorts: readonly Cohort[];
    onSeenText: (seenText: SeenText) => void;
    onForeignToken: (method: string) => void;
    /** Called before each answer to the bot. */
    beforeAnswer: () => Promise<void>;
    beforeCall: (call: ServiceCall) => void;
    afterCall: (call: ServiceCall) => Promise<void>;
  },
): Promise<{ slack: HostileSlack; proxy: ServiceProxy; settings: Record<string, string> }> {
  const byNumber = new Map(cohorts.map((cohort) => [cohort.number, cohort]));
  const slack = await startHostileSlack({
    tenant,
    isElsewhere(id) {
      const number = cohortOfSlackId(id);
      return number !== undefined && !byNumber.has(number);
    },
    person(id) {
      const { cohort = -1, handle = '' } = handleOfSlackId(id) ?? {};
      return byNumber.get(cohort)?.people[handle];
    },
    personWithEmail: (email) =>
      cohorts.flatMap(({ people }) => Object.values(people)).find((person) => person.email === email),
    ...hooks,
  });
  const proxy = await startServiceProxy(service.url, {
    beforeCall: hooks.beforeCall,
    async afterCall(call) {
      await hooks.beforeAnswer();
      await hooks.afterCall(call);
    },
  });
  const owners = cohorts
    .filter(({ people }) => people['owner']?.isOwner)
    .map(({ number }) => slackIdOf(number, 'owner'));
  const settings = {
    SLACK_API_URL: `${slack.url}/api/`,
    QUIZ_API_URL: proxy.url,
    WORKFLOW_STEPS_ENABLED: 'true',
    MCP_ENABLED: 'true',
    APPROVALS_CHANNEL: approvalsChannel,
    OWNERS: owners.join(','),
  };
  return { slack, proxy, settings };
}

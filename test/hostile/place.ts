import { startQuizService, type QuizService } from '../../src/sandbox/quiz-service/service.ts';
import { accountQuizzes } from '../support/account-quizzes.ts';
import {
  cohortOfId,
  cohortOfName,
  cohortOfSlackId,
  handleOfSlackId,
  slackIdOf,
  type Cohort,
  channelPrefixOf,
  personPrefixOf,
  type Tenant,
  foreignTeam,
} from './cohort.ts';
import type { ChangingCall, Journal } from './journal.ts';
import { startServiceProxy, type ServiceCall, type ServiceProxy } from '../judges/service-proxy.ts';
import { approvalsChannel, startHostileSlack, type HostileSlack, type SeenText } from './slack.ts';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import type { Row, State } from './state.ts';
import type { DeliveredStep, ForeignPart } from './steps.ts';

/** A request for approval, as the bot keeps it. */
export interface StoredRequest {
  id: string;
  operation: string;
  input: Readonly<Record<string, readonly string[]>>;
  requesterId: string;
  state: string;
}

/** What the bot keeps, read beside it. SQLite lets another process read while the bot writes. */
interface BotStore {
  folder: string;
  /** The requests of people of a cohort. */
  requests(cohort: number): StoredRequest[];
  /** Whether a decision of a cohort waits to be carried out, for example because the bot was killed. */
  hasUndoneDecisions(cohort: number): boolean;
  /** Whether a batch or a step of a workflow runs for a cohort, or something that a person did waits for one or for a campaign. */
  isBusy(cohort: number): boolean;
  /** The users of rows that batches of a cohort made. */
  usersOfBatches(cohort: number): string[];
  /** The subscriptions of the channels of a cohort. */
  subscriptions(cohort: number): Row[];
  /** The quizzes of the campaigns of a cohort, with the user who leads each. */
  campaignLeads(cohort: number): Row[];
  /** Whom the campaigns of people of a cohort write to: not those who lack the quiz. */
  campaignMembers(cohort: number): Row[];
  close(): void;
}

export function openBotStore(dataDir: string): BotStore {
  const database = new DatabaseSync(join(dataDir, 'invigilator.sqlite'), { readOnly: true });
  const requests = database.prepare(
    "SELECT state request FROM queue_states WHERE queue GLOB 'request/*' AND state ->> '$.requesterId' GLOB ? ORDER BY state ->> '$.createdAt'",
  );
  const undone = database.prepare(
    "SELECT 1 FROM queue_states WHERE queue GLOB 'request/*' AND state ->> '$.state' = 'decided' AND state ->> '$.requesterId' GLOB ? LIMIT 1",
  );
  const busy = database.prepare(`
    SELECT 1 FROM queue_states WHERE queue GLOB 'batch/*' AND is_busy = 1 AND instr(state, ?1) > 0
    UNION ALL SELECT 1 FROM queue_states WHERE queue GLOB 'step/*' AND state ->> '$.phase' IN ('new', 'running') AND instr(state, ?1) > 0
    UNION ALL SELECT 1 FROM queue_entries
      WHERE (queue GLOB 'batch/*' OR queue GLOB 'campaign/*' OR queue GLOB 'step/*') AND instr(content, ?1) > 0 LIMIT 1`);
  const batchUsers = database.prepare(`
    SELECT DISTINCT row.value ->> '$.userId' id FROM queue_states, json_each(state, '$.details') row
    WHERE queue GLOB 'batch/*' AND instr(state, ?) > 0 AND substr(state ->> '$.kinds', row.key + 1, 1) = 'd' AND row.value ->> '$.userId' IS NOT NULL`);
  const subscriptions = database.prepare(`
    SELECT content ->> '$.id' subscription_id, content ->> '$.channelId' channel_id, content ->> '$.ownerId' owner_id,
      content ->> '$.quiz.id' quiz_id, content ->> '$.quiz.name' quiz_name, content ->> '$.pause' pause
    FROM queue_state_parts WHERE queue GLOB 'subscriptions/*' AND channel_id GLOB ? ORDER BY part`);
  // Those of campaigns that run are in parts.
  const campaignMembers = database.prepare(`
    SELECT state ->> '$.campaign.id' campaign_id, state ->> '$.campaign.quiz.id' quiz_id, member ->> '$.userId' user_id
    FROM (
      SELECT state, content member FROM queue_states JOIN queue_state_parts USING (queue) WHERE queue GLOB 'campaign/*'
      UNION ALL
      SELECT state, value FROM queue_states, json_each(state, '$.campaign.members') WHERE queue GLOB 'campaign/*'
    )
    WHERE instr(state, ?) > 0 AND member ->> '$.assignment' = 'has'`);
  const campaignLeads = database.prepare(`
    SELECT state ->> '$.campaign.quiz.id' quiz_id, state ->> '$.campaign.leads[0]' user_id
    FROM queue_states WHERE queue GLOB 'campaign/*' AND instr(state, ?) > 0`);
  return {
    folder: dataDir,
    requests: (cohort) =>
      requests.all(`${personPrefixOf(cohort)}*`).map(({ request }) => JSON.parse(String(request)) as StoredRequest),
    hasUndoneDecisions: (cohort) => undone.get(`${personPrefixOf(cohort)}*`) !== undefined,
    isBusy: (cohort) => busy.get(`"${personPrefixOf(cohort)}`) !== undefined,
    usersOfBatches: (cohort) => batchUsers.all(`"${personPrefixOf(cohort)}`).map(({ id }) => String(id)),
    subscriptions: (cohort) => subscriptions.all(`${channelPrefixOf(cohort)}*`) as Row[],
    campaignLeads: (cohort) => campaignLeads.all(`"${personPrefixOf(cohort)}`) as Row[],
    campaignMembers: (cohort) => campaignMembers.all(`"${personPrefixOf(cohort)}`) as Row[],
    close: () => database.close(),
  };
}

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

/** What a step can name. */
interface Surroundings {
  cohort: Cohort;
  state: State;
  slackUrl: string;
}

export interface Where extends Surroundings {
  /** The number of the delivery. */
  number: number;
  personId: string;
  /** The bot’s time, in milliseconds. */
  now: number;
  /** In the other tenant, if there is one. */
  other: Surroundings | undefined;
}

/** What is around a step in both tenants. */
export type Around = Pick<Where, keyof Surroundings | 'other'>;

/** Where a part of a step comes from. */
export function surroundingsOf(
  part: ForeignPart,
  { foreign }: { foreign?: readonly ForeignPart[] },
  where: Around,
): Surroundings {
  return (foreign?.includes(part) && where.other) || where;
}

export const isForeign = (envelope: string | undefined) =>
  envelope === 'foreign team' || envelope === 'foreign enterprise';

/** The workspace that a payload of a step names. */
export function teamIn(step: Pick<DeliveredStep, 'envelope' | 'foreign'>, where: Around): string {
  return isForeign(step.envelope) ? foreignTeam : surroundingsOf('team', step, where).cohort.tenant.teamId;
}

/** A password that the bot set, and the user it is for; the path of a new user names none. */
export interface SetPassword {
  password: string;
  userId: string | undefined;
}

/** An answer of the service that is kept back. */
export interface KeptBack {
  /** Whether there is one: the service has made the change. */
  readonly isKeeping: boolean;
  /** Gives the answer, or keeps none back any more. */
  giveBack(): void;
}

/** Notes the requests of the bot to the services of all tenants, and delays or loses some of them. */
export function watchServiceCalls(journal: Journal) {
  const passwords: SetPassword[] = [];
  const keeping = new Map<number, () => Promise<void>>();
  const losing = new Map<number, (fields: URLSearchParams) => void>();
  const calls = new WeakMap<ServiceCall, ChangingCall>();

  return {
    passwords,
    before(serviceCall: ServiceCall): void {
      const { method, path, body } = serviceCall;
      const cohort = method === 'GET' ? undefined : cohortOfCall(path, body);
      if (cohort !== undefined) {
        const call = { cohort, path, arrived: journal.tick(), answered: Infinity };
        journal.calls.push(call);
        calls.set(serviceCall, call);
      }
      const password = new URLSearchParams(body).get('password');
      const lose =
        cohort !== undefined && method === 'POST' && path.endsWith('/users') ? losing.get(cohort) : undefined;
      if (lose) {
        losing.delete(cohort!);
        lose(new URLSearchParams(body));
        throw new Error('the answer is lost');
      }
      if (password !== null) passwords.push({ password, userId: /\/users\/([^/]+)$/.exec(path)?.[1] });
    },
    async after(serviceCall: ServiceCall): Promise<void> {
      const call = calls.get(serviceCall);
      if (call === undefined) return;
      const keep = keeping.get(call.cohort);
      keeping.delete(call.cohort);
      await keep?.();
      call.answered = journal.tick();
    },
    /** Keeps back the answer to the next change of a cohort’s records. */
    keepBack(cohort: number): KeptBack {
      const given = Promise.withResolvers<void>();
      let isKeeping = false;
      const keep = () => {
        isKeeping = true;
        return given.promise;
      };
      keeping.set(cohort, keep);
      return {
        get isKeeping() {
          return isKeeping;
        },
        giveBack() {
          if (keeping.get(cohort) === keep) keeping.delete(cohort);
          isKeeping = false;
          given.resolve();
        },
      };
    },
    /**
     * Answers the next request that creates a user of the cohort with nothing: it does not reach the service, but `act` is called
     * with its fields.
     */
    loseCreation: (cohort: number, act: (fields: URLSearchParams) => void) => void losing.set(cohort, act),
  };
}

/** The cohort whose records a request changes: by an id in its path, or by the name of a new record. */
function cohortOfCall(path: string, body: string): number | undefined {
  const ids = path.split(/[/?]/).map(cohortOfId);
  return ids.find((cohort) => cohort !== undefined) ?? cohortOfName(decodeURIComponent(body));
}

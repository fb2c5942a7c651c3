import { createRenderIn } from '../words/catalogues.ts';
import { version, type Config } from '../config.ts';
import { createMail, createSharedState } from '../durable/mail.ts';
import { createOneAtATime } from '../storage/leases.ts';
import { createFailureLog, type Log } from '../observability/log.ts';
import { createMetrics } from '../observability/metrics.ts';
import { campaignDivision } from '../features/campaigns/stored-campaign.ts';
import { answersDivision } from '../features/questions/answers.ts';
import { rememberStates, undivided } from '../durable/remembered-states.ts';
import { openStorage } from '../storage/open-storage.ts';
import { createInFlight } from '../time/timers.ts';
import { steadyClockOf, type SteadyClock } from '../time/clock.ts';
import type { ProcessParts } from './process.ts';
import { createDirectory } from '../directory/directory.ts';
import { createPassRates } from '../directory/pass-rates.ts';
import { createRecentOwnQuizzes } from '../features/quizzes/assigned-quizzes.ts';
import { throughProxies } from '../http/outbound.ts';
import { createRanks, type RequestBudget } from '../quiz-api/budget/request-budget.ts';
import { createObservedQuizApi } from '../quiz-api/observed-quiz-api.ts';
import { createMessagePreferences } from '../features/delivery/person-view.ts';
import {
  createAnnouncementChannel,
  createPosting,
  createRefused,
  createUndelivered,
} from '../slack/announcing/post.ts';
import { createFileReader, createFileSender } from '../slack/files.ts';
import { createChannelLanguages } from '../features/alerts/subscriptions.ts';
import { createIdentity } from '../directory/identity.ts';
import { createStepRunner } from '../features/workflows/run-step.ts';
import { createStepGrants } from '../features/workflows/step-grants.ts';
import { createLookFor } from '../features/workflows/waiting.ts';
import { createNotifyOnce } from '../health/health.ts';
import { createWorkflows } from '../features/workflows/workflows.ts';
import { createAuditPosting } from '../governance/audit/audit-machine.ts';
import type { Governance } from '../governance/governance.ts';
import { createAgents } from '../slack/agents.ts';
import { createAuditNames } from '../slack/announcing/audit-names.ts';
import { createAdministratorNotice, createNotifier } from '../slack/announcing/notifier.ts';
import { createSlackConnection } from '../slack/connection/client.ts';
import { closedReason } from '../slack/errors.ts';
import {
  createFindAdministrators,
  createFindColleague,
  createFindRecipient,
  createIsMember,
  createReach,
} from '../slack/people/addresses.ts';
import { createWhoHasLeft } from '../slack/people/departed.ts';
import { createFindCompanies, createMembersOf } from '../slack/people/members.ts';
import { createOpenDirectMessages, createOpeningTurn, createDoNotDisturb } from '../slack/people/direct-messages.ts';
import { createManagers } from '../slack/people/managers.ts';
import { createPeople, createPersonLanguages } from '../slack/people/people.ts';
import { createComplete } from '../slack/workflow-steps.ts';
import { createInOwnNames } from '../words/render.ts';
import { knownTimeZone } from '../time/wall-clock.ts';

/** What a bot is started with. */
export interface BotOptions {
  config: Config;
  log: Log;
  /** What its metrics carry. Default: its tenant, where it has one. */
  labels?: Readonly<Record<string, string>> | undefined;
  /** Decides what is forgotten after hours or days. Default: the clock itself. */
  steady?: SteadyClock | undefined;
}

/** What a bot is made of, each part from those before it: what it stands on, the quiz account, the workspace. */
export type Parts = Awaited<ReturnType<typeof createParts>>;

/**
 * @param options.budget default: the limits of the quiz service
 * @param options.account one that other bots use, too, and that outlives the bot. Default: the bot's own
 */
export async function createParts(
  options: BotOptions & { budget?: RequestBudget | undefined; account?: QuizAccount | undefined },
  process: ProcessParts,
) {
  const foundation = await createFoundation(options, process);
  const account = options.account ?? createQuizAccount(foundation, options.budget);
  /** The address where a quiz is taken; undefined where the account has none configured. */
  const takeLink = createTakeLink(foundation.config.quizTakeUrl);
  return {
    ...foundation,
    ...account,
    takeLink,
    ownQuizzes: createRecentOwnQuizzes({ ...account, takeLink, now: foundation.clock.now }),
    ...createWorkspace(foundation, account),
  };
}

/** What every part stands on. */
export type Foundation = Awaited<ReturnType<typeof createFoundation>>;

export async function createFoundation(
  { config, log, labels, steady: given }: BotOptions,
  { clock, timeouts, metrics, catalogues }: Pick<ProcessParts, 'clock' | 'timeouts' | 'metrics' | 'catalogues'>,
) {
  const { tenant } = config;
  const own = labels ?? (tenant === undefined ? {} : { tenant });
  const steady = given ?? steadyClockOf(clock.now);
  const onError = createFailureLog(log, 'the store', clock.setTimer);
  const opened = await openStorage({ ...config, clock, steady, onError });
  const storage = {
    ...opened.storage,
    outbox: rememberStates(opened.storage.outbox, {
      answers: answersDivision,
      campaign: campaignDivision,
      campaigns: undivided,
      departures: undivided,
    }),
  };
  return {
    config,
    log,
    clock,
    steady,
    timeouts,
    metrics: createMetrics(own, Object.keys(own).length > 0 ? metrics.registry : undefined),
    redis: opened.redis,
    storage,
    /** What puts work into mailboxes. */
    mail: createMail({ ...storage, log }),
    oneAtATime: createOneAtATime({ ...storage, sleep: clock.sleep }),
    /** Work that goes on after an answer, and that a stop waits for. */
    inFlight: createInFlight(),
    renderIn: createRenderIn(catalogues, config),
    /** Aborts when the bot begins to stop. */
    stopping: new AbortController(),
  };
}

/** The quiz account: its service, within the limits of requests, and what is kept in memory of it. Several bots may use it. */
export type QuizAccount = ReturnType<typeof createQuizAccount>;

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
) {
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
  return {
    api,
    directory,
    passRates,
    budget,
    ranks,
    /** Whether the service answered the last call; undefined before the first. */
    isServiceWell,
    serviceCheck,
  };
}

/** @param quizTakeUrl the address where quizzes are taken, with `{quiz_id}` */
export function createTakeLink(quizTakeUrl: string | undefined): (quizId: string) => string | undefined {
  return (quizId) => quizTakeUrl?.replaceAll('{quiz_id}', () => encodeURIComponent(quizId));
}

/** The workspace: its people, channels and files, who of the quiz account they are, its agents and its workflows. */
function createWorkspace(foundation: Foundation, { api, ranks, directory: { users } }: QuizAccount) {
  const { config, clock, timeouts, storage, mail, oneAtATime, stopping, log, metrics, renderIn } = foundation;
  const { owners, timeZone } = config;
  const { botToken, apiUrl, signingSecret } = config.slack;
  const { now, sleep } = clock;
  const channelLanguages = createChannelLanguages({
    store: storage.kv('channel-languages'),
    defaultLanguage: config.language,
    now,
  });
  const connection = createSlackConnection({
    ...config.slack,
    proxies: config.proxies,
    names: config.names,
    // Who people are is asked over the connection, too.
    readers: {
      languageOfPerson: (personId) => languages.languageOf(personId),
      languageOfChannel: channelLanguages.of,
      personOfDirectMessages: (conversationId) => openDirectMessages.personOf(conversationId),
    },
    renderIn,
    defaultLanguage: config.language,
    log,
    metrics,
    clock,
  });
  const { client, postingClient, teamId, knownTeamId } = connection;
  const own = connection.identity.confirm;
  const shared = { ...foundation, client, own, users, timeZone, now, sleep };

  const people = createPeople({
    ...shared,
    kept: storage.kv('slack-people'),
    locales: storage.kv('slack-locales'),
    teamId,
  });
  const languages = createPersonLanguages({
    ...shared,
    people,
    chosen: storage.kv('person-languages'),
    teamId,
    language: config.language,
    timeoutMs: timeouts.language,
  });
  const identity = createIdentity({ api, users, people, owners, limits: config.rights, now, onRank: ranks.note });
  const findColleague = createFindColleague({
    ...shared,
    people,
    colleagues: storage.kv('slack-colleagues'),
    teamId: knownTeamId,
  });
  const administrators = createFindAdministrators({ users, owners, findColleague });
  const openDirectMessages = createOpenDirectMessages({
    client,
    conversations: storage.kv('slack-conversations'),
    teamId: knownTeamId,
  });
  const { quietUntil, isVisible } = createDoNotDisturb(shared);
  const membersOf = createMembersOf(client);
  const undelivered = createUndelivered({ ...shared, counters: storage.counters, metrics: connection.metrics });
  const refused = createRefused({ ...shared, counters: storage.counters });
  const posting = createPosting(postingClient);
  const announcing = { ...shared, posting, administrators, openDirectMessages };
  const channel = createAnnouncementChannel(postingClient, posting, openDirectMessages);
  const platform = { name: 'Slack', inOwnNames: createInOwnNames(config.names), closedReason };
  const auditPosting = createAuditPosting({
    ...announcing,
    channelId: config.auditChannel,
    channel,
    trail: storage.audit,
    names: createAuditNames({ client, people, now }),
    onNobodyNotified: (facts) => undelivered.count('audit_channel', facts),
    mail,
    teamId,
    sleep: (ms) => sleep(ms, stopping.signal),
  });

  const notifyOnce = createNotifyOnce({
    storage,
    oneAtATime,
    tellAdministrators: createAdministratorNotice(announcing),
  });

  return {
    connection,
    teamId,
    channelLanguages,
    people,
    languages,
    identity,
    platform,
    openDirectMessages,
    findCompanies: createFindCompanies({ client, log }),
    undelivered,
    refused,
    countRefused: refused.count,
    administrators,
    membersOf,
    channel,
    managers: createManagers({
      ...shared,
      people,
      field: config.managerField,
      kept: storage.kv('slack-managers'),
      teamId: knownTeamId,
    }),
    reach: createReach({ findColleague, identity, timeZone }),
    whoHasLeft: createWhoHasLeft({ people, identity }),
    /** Whether Slack lets the bot see do-not-disturb; undefined before it was asked. */
    seesDoNotDisturb: isVisible,
    recipients: {
      findRecipient: createFindRecipient({ ...shared, api: api.users, identity, findColleague }),
      findPerson: async (personId: string) => {
        const { outsider, timeZone: zone } = await people.of(personId);
        return outsider === undefined
          ? ({ kind: 'found', personId, timeZone: knownTimeZone(zone) ?? timeZone } as const)
          : ({ kind: 'nobody', reason: 'no_person' } as const);
      },
      isMember: createIsMember({ users, now }),
      openingTurn: createOpeningTurn({ knows: openDirectMessages.knows, now }),
      quietUntil,
    },
    sendFile: createFileSender(client, {
      renderFor: async (personId) => renderIn(personId === undefined ? 'en' : await languages.languageOf(personId)),
    }),
    readFile: createFileReader({ client, token: botToken, apiUrl, membersOf }),
    profilesOf: people.profilesOf,
    notifier: createNotifier({ ...announcing, ...config.approvals, onNobodyTold: undelivered.count }),
    notifyOnce,
    auditPosting,
    /** Called when an entry was put on the audit trail. */
    onRecorded: auditPosting.wake,
    preferences: createMessagePreferences(storage.kv('direct-messages')),
    agents: createAgents({
      isEnabled: config.mcpEnabled,
      signingSecret,
      names: config.names,
      storage,
      oneAtATime,
      now,
    }),
    workflowSteps: workflowSteps(),
  };

  /** The custom steps of workflows. Where they are turned off, runs that wait still end with their time. */
  function workflowSteps() {
    const isEnabled = config.workflowStepsEnabled;
    // The bot signs with its token whose rights a step runs with.
    const grants = createStepGrants({ secret: botToken, shared: createSharedState({ ...storage, mail }), now });
    const complete = createComplete(postingClient);
    const workflows = createWorkflows({ ...shared, isEnabled, complete });
    return {
      isEnabled,
      workflows,
      complete,
      grants,
      /** What people lent, by workspace; undefined where steps are turned off. */
      rightsLent: isEnabled ? grants.of : undefined,
      teamId,
      now,
      /** Makes what runs their queues, by their kind. */
      machines: (
        governance: Pick<Governance, 'execute' | 'permissions'>,
        account: Omit<Parameters<typeof createLookFor>[0], 'now'>,
      ) =>
        workflows.machines(
          createStepRunner({ ...shared, ...governance, platform, profilesOf: people.profilesOf, grants, notifyOnce }),
          createLookFor({ ...account, now }),
        ),
    };
  }
}

import type { AnyMiddlewareArgs, Middleware } from '@slack/bolt';
import type { MessagePreferences } from '../../features/alerts/direct-messages/preferences.ts';
import type { Directory } from '../../directory/directory.ts';
import type { PassRates } from '../../directory/pass-rates.ts';
import type { ApprovalRequest } from '../../domain/approval-request.ts';
import type { Decisions } from '../../governance/approvals/decide.ts';
import type { Audit } from '../../governance/audit/append-entry.ts';
import type { Execute } from '../../governance/perform/execute.ts';
import { explainFailure } from '../../governance/perform/explain-failure.ts';
import type { Governance } from '../../governance/governance.ts';
import type { ReadBody } from '../../http/read-body.ts';
import type { Log } from '../../observability/log.ts';
import { currentCorrelationId, type Observability } from '../../observability/observability.ts';
import { createRefusalLog } from '../../observability/refusal-log.ts';
import { inSpan, type Tracing } from '../../observability/tracing.ts';
import type { BotStatus } from '../../operations/services/records.ts';
import type { QuizApi } from '../../quiz-api/quiz-api.ts';
import { withTimeout, type Clock } from '../../time/clock.ts';
import type { InFlight } from '../../time/in-flight.ts';
import { createSlackAdapter, type SlackAdapter } from './bolt.ts';
import type { SlackConnection } from './connection.ts';
import type { OpenDirectMessages } from '../people/direct-messages.ts';
import { answerMessagesOnce, observeDeliveries, type AnsweredMessages } from './deliveries.ts';
import { translateSlackError } from '../errors.ts';
import { createHome, type Home } from '../home.ts';
import type { PeopleEventDeps } from '../listeners/people-events.ts';
import { registerListeners } from '../listeners/register.ts';
import type { Managers } from '../people/managers.ts';
import type { PersonLanguages } from '../people/person-languages.ts';
import type { OwnWorkspace, People } from '../people/people.ts';
import { createAnswerAt } from './response-url.ts';
import { createFindCompanies } from '../shared-channels.ts';
import type { StepListenerDeps } from '../workflow-steps/register.ts';

/** Deliveries in work at a time. More are refused at once, so that people do not wait in vain. */
const deliveriesAtMost = 1_000;

/** Connects what Slack delivers (commands, clicks, forms, events) with governance. */
export function createSlackEntry(deps: {
  config: { botToken: string; signingSecret: string | undefined; appToken: string | undefined; apiUrl: string };
  connection: SlackConnection;
  openDirectMessages: OpenDirectMessages;
  api: QuizApi;
  directory: Directory;
  governance: Governance;
  openRequests: () => Promise<readonly ApprovalRequest[]>;
  status: () => Promise<BotStatus>;
  passRates: PassRates;
  takeLink: (quizId: string) => string | undefined;
  preferences: MessagePreferences;
  audienceChanged: PeopleEventDeps['audienceChanged'];
  departures: PeopleEventDeps['departures'];
  people: Pick<People, 'changed'>;
  managers: Pick<Managers, 'forget'>;
  languages: PersonLanguages;
  workflowSteps: StepListenerDeps;
  answeredMessages: Pick<AnsweredMessages, 'oneAtATime' | 'known'>;
  /** Whether the configuration has respondents told in direct messages. */
  notifiesRespondents: boolean;
  timeZone: string;
  /** Right after a start, deliveries wait this long for Slack to name the bot's workspace. */
  guardTimeoutMs: number;
  readBody: ReadBody;
  inFlight: InFlight;
  observability: Observability;
  clock: Clock;
}): Omit<SlackAdapter, 'app'> {
  const {
    connection,
    connection: { client, identity, logger, metrics, names, outgoingTexts, rateLimitFetch, socketMode },
    governance,
    timeZone,
    inFlight,
    observability: { beginWork, log, tracing },
    clock,
  } = deps;
  const { now, sleep } = clock;
  const ownIdentity = async () => identity.known() ?? identity.confirm();
  const track = (work: Promise<unknown>) => void inFlight.track(work);

  const logRefusal = createRefusalLog({ log, message: 'Slack requests refused', setTimer: deps.clock.setTimer });

  const adapter = createSlackAdapter({
    ...deps.config,
    logger,
    fetch: rateLimitFetch,
    self: () => ({ botId: identity.known()?.botId, botUserId: identity.known()?.botUserId }),
    onError: (error) => log.error({ error }, 'a listener failed'),
    socketMode,
    outgoingTexts,
    answerMessagesOnce: (app) => answerMessagesOnce(app, { ...deps.answeredMessages, clock, log }),
    log,
    clock,
    readBody: deps.readBody,
    isFull: () => inFlight.count() >= deliveriesAtMost,
    onRefused: (reason) => {
      metrics.refused.inc({ reason });
      logRefusal(reason);
    },
  });
  const ownWorkspace = () => withTimeout(deps.guardTimeoutMs, ownIdentity()).catch(() => undefined);
  observeDeliveries(adapter.app, { beginWork, metrics, log });
  adapter.app.use(({ next }) => inFlight.track(next()));
  adapter.app.use(
    createWorkspaceGuard({ ownWorkspace, audit: governance.audit, now, newCorrelationId: currentCorrelationId }),
  );

  const logAndExplain = (error: unknown) => {
    const correlationId = currentCorrelationId();
    log.error({ error, correlationId }, 'a listener could not answer');
    return explainFailure(translateSlackError(error), correlationId, now()).message;
  };
  const home = createHome({
    ...deps,
    client,
    permissions: governance.permissions,
    knownTeamId: connection.knownTeamId,
    logAndExplain,
  });
  const observed = observeGovernance({ governance, home, tracing, track, log });
  const answerAt = createAnswerAt(rateLimitFetch, sleep, deps.config.apiUrl);
  registerListeners(
    adapter.app,
    {
      ...governance,
      ...observed,
      directory: deps.directory,
      answerAt,
      openDirectMessages: deps.openDirectMessages,
      findCompanies: createFindCompanies({ client, log }),
      showHome: home.open,
      timeZone,
      sleep,
      logAndExplain,
    },
    {
      home,
      people: { ...deps, teamId: connection.teamId },
      workflowSteps: deps.workflowSteps,
      appEvents: { confirmToken: identity.confirmNow, log },
      botUserId: () => identity.known()?.botUserId,
      commandPrefix: names.commandPrefix,
      now,
    },
  );
  return adapter;
}

/** Governance for listeners: gives each step of a person a span, and refreshes their Home tab after it. */
function observeGovernance(deps: {
  governance: Pick<Governance, 'execute' | 'decisions'>;
  home: Home;
  tracing: Tracing;
  /** Called with work that goes on after the answer to a person. */
  track: (work: Promise<unknown>) => void;
  log: Log;
}): { execute: Execute; decisions: Decisions } {
  const { governance, home, tracing, log } = deps;

  function showOnHome(personId: string): void {
    deps.track(
      home.refresh(personId).catch((error: unknown) => log.warn({ error }, 'a Home tab could not be updated')),
    );
  }

  return {
    async execute(request) {
      const { operation, personId } = request;
      const outcome = await inSpan(tracing, { name: `operation ${operation.name}` }, () => governance.execute(request));
      if (outcome.kind === 'requested' || (outcome.kind === 'done' && operation.access !== 'read'))
        showOnHome(personId);
      return outcome;
    },
    decisions: {
      ...governance.decisions,
      decide: (reviewer) =>
        inSpan(tracing, { name: 'decide' }, () => governance.decisions.decide(reviewer)).finally(() =>
          showOnHome(reviewer.personId),
        ),
      withdraw: (requester) => governance.decisions.withdraw(requester).finally(() => showOnHome(requester.personId)),
    },
  };
}

const message = 'This bot serves another workspace.';

/**
 * Refuses payloads from other workspaces than the bot’s own and those of its Enterprise organization, and records them.
 * https://docs.slack.dev/enterprise/developing-for-enterprise-orgs
 */
export function createWorkspaceGuard(deps: {
  /** The bot’s own workspace; undefined while Slack has not said which it is. */
  ownWorkspace: () => Promise<OwnWorkspace | undefined>;
  audit: Audit;
  now: () => number;
  newCorrelationId: () => string;
}): Middleware<AnyMiddlewareArgs> {
  return async (args) => {
    const own = await deps.ownWorkspace();
    const { team, enterprise, user } = originOf(args.body);
    const isOwnEnterprise = enterprise !== undefined && enterprise === own?.enterpriseId;
    if (!own?.teamId || team === undefined || team === own.teamId || isOwnEnterprise) {
      // What an organization of ours sends belongs to the bot's own workspace. Calls that answer it name the sender's.
      if (own?.teamId) args.context.teamId = own.teamId;
      return args.next();
    }
    // Without an acknowledgement, Slack shows the person an error of the bot.
    if ('ack' in args && typeof args.ack === 'function')
      await (args.ack as (answer?: object) => Promise<void>)(
        'command' in args ? { response_type: 'ephemeral', text: message } : undefined,
      );
    await deps.audit(own.teamId, {
      at: deps.now(),
      correlationId: deps.newCorrelationId(),
      by: user,
      operation: 'enter',
      action: 'refused',
      through: args.body && 'type' in args.body ? String(args.body.type) : 'command',
      message: `It came from the workspace ${team.slice(0, 30)}.`,
    });
  };
}

/**
 * Where a payload comes from: commands and events have `team_id`, other payloads `team`, which is null in views and shortcuts
 * of an app that is installed for a whole organization.
 */
interface Body {
  team?: { id?: string; enterprise_id?: string } | null;
  team_id?: string | null;
  enterprise?: { id?: string } | null;
  enterprise_id?: string | null;
  user?: { id?: string; team_id?: string } | string;
  user_id?: string;
}

function originOf({
  team,
  team_id,
  enterprise,
  enterprise_id,
  user,
  user_id,
}: Body): Record<'team' | 'enterprise' | 'user', string | undefined> {
  const { id: userId, team_id: userTeam } = typeof user === 'string' ? { id: user } : { ...user };
  return {
    team: team?.id ?? team_id ?? userTeam,
    enterprise: enterprise?.id ?? enterprise_id ?? team?.enterprise_id,
    user: userId ?? user_id,
  };
}

import type { MessagePreferences } from '../../features/delivery/person-view.ts';
import type { FetchFunction, Logger } from '@slack/web-api';
import type { Directory } from '../../directory/directory.ts';
import type { PassRates } from '../../directory/pass-rates.ts';
import type { ApprovalRequest } from '../../domain/approval-request.ts';
import type { Governance } from '../../governance/governance.ts';
import type { Execute } from '../../governance/perform/execute.ts';
import { explainFailure } from '../../governance/perform/failures.ts';
import type { ReadBody } from '../../http/bodies.ts';
import { currentCorrelationId, createRefusalLog, type Log } from '../../observability/log.ts';
import type { BotStatus } from '../../operations/services/records.ts';
import type { SlackConnection } from './client.ts';
import { translateSlackError } from '../errors.ts';
import { createHome, type Home } from '../home.ts';
import { createDeliver, type Deliver, type DeliverParts, createTake } from '../in/deliver.ts';
import type { EventParts } from '../in/events.ts';
import { createHttpReceiver, tooMuch, type SlackRefusal } from '../in/http.ts';
import { createAnswerAt } from '../in/reply.ts';
import type { Proxies } from '../../http/outbound.ts';
import { createSocketMode } from '../in/socket.ts';
import type { SocketMetrics } from '../metrics.ts';
import type { OpenDirectMessages } from '../people/direct-messages.ts';
import type { Managers } from '../people/managers.ts';
import type { People, PersonLanguages } from '../people/people.ts';
import type { FindCompanies } from '../people/members.ts';
import { createTakeFunction, type StepParts } from '../workflow-steps.ts';
import { withTimeout, type Clock } from '../../time/clock.ts';
import { createInFlight, type InFlight } from '../../time/timers.ts';

/** Deliveries in work at a time. More are refused at once, so that people do not wait in vain. */
const deliveriesAtMost = 1_000;

/** Connects what Slack delivers (commands, clicks, forms, events) with governance. */
export function createSlackEntry(deps: {
  config: { signingSecret: string | undefined; appToken: string | undefined; apiUrl: string };
  connection: SlackConnection;
  openDirectMessages: OpenDirectMessages;
  findCompanies: FindCompanies;
  directory: Directory;
  governance: Governance;
  openRequests: () => Promise<readonly ApprovalRequest[]>;
  status: () => Promise<BotStatus>;
  passRates: PassRates;
  preferences: MessagePreferences;
  audienceChanged: EventParts['audienceChanged'];
  departures: EventParts['departures'];
  channelShared: EventParts['channelShared'];
  people: Pick<People, 'changed'>;
  managers: Pick<Managers, 'forget'>;
  languages: PersonLanguages;
  workflowSteps: StepParts;
  answeredMessages: DeliverParts['answered'];
  /** Counts what Slack did not do for a person. */
  countRefused: (error: unknown) => void;
  /** Whether the configuration has respondents told in direct messages. */
  notifiesRespondents: boolean;
  /** Right after a start, deliveries wait this long for Slack to name the bot's workspace. */
  guardTimeoutMs: number;
  readBody: ReadBody;
  inFlight: InFlight;
  stopping: AbortSignal;
  log: Log;
  clock: Clock;
}) {
  const {
    connection,
    connection: { client, identity, logger, metrics, names, outgoingTexts, rateLimitFetch, socketMode },
    governance,
    inFlight,
    log,
    clock,
  } = deps;
  const { now, sleep } = clock;
  const ownIdentity = async () => identity.known() ?? identity.confirm();
  const track = (work: Promise<unknown>) => void inFlight.track(work);

  const logRefusal = createRefusalLog(log, 'Slack requests refused', clock.setTimer);

  const logAndExplain = (error: unknown) => {
    const correlationId = currentCorrelationId();
    const translated = translateSlackError(error);
    log.error({ error, correlationId }, 'a listener could not answer');
    deps.countRefused(translated);
    return explainFailure(translated, correlationId, now()).message;
  };
  const home = createHome({
    ...deps,
    client,
    permissions: governance.permissions,
    knownTeamId: connection.knownTeamId,
    logAndExplain,
  });
  const take = createTake({
    ...governance,
    execute: createExecute({ ...governance, home, track, log }),
    ...deps,
    client,
    answerAt: createAnswerAt(rateLimitFetch, sleep, deps.config.apiUrl),
    takeFunction: createTakeFunction({ permissions: governance.permissions, logAndExplain }, deps.workflowSteps),
    home,
    teamId: connection.teamId,
    confirmToken: identity.confirmNow,
    botUserId: () => identity.known()?.botUserId,
    commandPrefix: names.commandPrefix,
    sleep,
    logAndExplain,
    log,
  });
  const unacknowledged = createInFlight();
  const deliver = createDeliver(
    {
      ownWorkspace: () => withTimeout(deps.guardTimeoutMs, ownIdentity()).catch(() => undefined),
      audit: governance.audit,
      outgoingTexts,
      unacknowledged,
      inFlight,
      answered: deps.answeredMessages,
      metrics,
      onError: (error) => log.error({ error }, 'a listener failed'),
      clock,
      log,
    },
    take,
  );
  return createSlackAdapter({
    ...deps.config,
    deliver,
    unacknowledged,
    logger,
    socketMode,
    log,
    clock,
    readBody: deps.readBody,
    isFull: () => inFlight.count() >= deliveriesAtMost,
    onRefused: (reason) => {
      metrics.refused.inc({ reason });
      logRefusal(reason);
    },
  });
}

/** Runs operations for what takes deliveries, and refreshes the Home tab of their person after a change. */
function createExecute(deps: {
  execute: Execute;
  home: Home;
  /** Called with work that goes on after the answer to a person. */
  track: (work: Promise<unknown>) => void;
  log: Log;
}): Execute {
  const { home, log } = deps;

  return async (request) => {
    const { operation, personId } = request;
    const outcome = await deps.execute(request);
    const isAsking = outcome.kind === 'done' && outcome.result.kind === 'page' && outcome.result.ask !== undefined;
    if (outcome.kind === 'requested' || (outcome.kind === 'done' && operation.access !== 'read' && !isAsking))
      deps.track(
        home.refresh(personId).catch((error: unknown) => log.warn({ error }, 'a Home tab could not be updated')),
      );
    return outcome;
  };
}

/** What Socket Mode needs beside the app token. */
interface SocketModeDeps {
  /** Calls Slack without a log line for each failure. */
  fetch: FetchFunction;
  proxies: Proxies;
  attemptLogger: Logger;
  /** Called only in Socket Mode: HTTP mode has none of these metrics. */
  createMetrics: () => SocketMetrics;
}

/** What Slack delivers: in Socket Mode if there is an app token, otherwise over HTTP with the signing secret. */
export function createSlackAdapter(options: {
  signingSecret: string | undefined;
  appToken: string | undefined;
  apiUrl: string;
  deliver: Deliver;
  /** Deliveries that wait for their acknowledgement. */
  unacknowledged: InFlight;
  logger: Logger;
  socketMode: SocketModeDeps;
  log: Log;
  clock: Pick<Clock, 'now' | 'setTimer'>;
  readBody: ReadBody;
  /** Whether the bot is at its limit and refuses new deliveries. */
  isFull: () => boolean;
  /** Called for every HTTP request that is refused without being processed. */
  onRefused: (why: SlackRefusal) => void;
}) {
  const { appToken, signingSecret = '', deliver, isFull, logger, clock, socketMode } = options;
  if (appToken === undefined)
    return {
      /** Handles `POST /slack/events`; undefined in Socket Mode, in which the bot opens the connection. */
      http: createHttpReceiver({ ...options, now: clock.now, signingSecret }),
      connect: async () => {},
      disconnect: async () => {},
      assertConnected() {},
    };
  const { start, stop, assertConnected } = createSocketMode({
    ...options,
    ...socketMode,
    appToken,
    // There is no status code to refuse with. Without an acknowledgement, people see an error and Slack sends events again.
    deliver: async (arrival) => (isFull() ? logger.warn(tooMuch) : deliver(arrival)),
    metrics: socketMode.createMetrics(),
  });
  return { http: undefined, connect: start, disconnect: stop, assertConnected };
}

import type { Directory } from '../directory/directory.ts';
import { createPassRates } from '../directory/pass-rates.ts';
import type { ApprovalRequest } from '../domain/approval-request.ts';
import { explainFailure } from '../governance/explain-failure.ts';
import type { Governance } from '../governance/governance.ts';
import type { ReadBody } from '../http/read-body.ts';
import { currentCorrelationId, type Observability } from '../observability/observability.ts';
import type { BotStatus } from '../operations/records.ts';
import type { QuizApi } from '../quiz-api/quiz-api.ts';
import type { Clock } from '../time/clock.ts';
import type { InFlight } from '../time/in-flight.ts';
import { withTimeout } from '../time/with-timeout.ts';
import { createSlackAdapter, type SlackAdapter } from './bolt.ts';
import type { SlackConnection } from './connection.ts';
import { observeDeliveries } from './deliveries.ts';
import { translateSlackError } from './errors.ts';
import { createHome } from './home.ts';
import { registerListeners } from './listeners/register.ts';
import { observeGovernance } from './observed-governance.ts';
import { createAnswerAt } from './response-url.ts';
import { createWorkspaceGuard } from './workspace-guard.ts';

/** Deliveries in work at a time. More are refused at once, so that people do not wait in vain. */
const deliveriesAtMost = 1_000;

/** Connects what Slack delivers (commands, clicks, forms, events) with governance. */
export function createSlackEntry(deps: {
  config: { botToken: string; signingSecret: string | undefined; appToken: string | undefined; apiUrl: string };
  connection: SlackConnection;
  api: QuizApi;
  directory: Directory;
  governance: Governance;
  openRequests: () => Promise<readonly ApprovalRequest[]>;
  status: () => Promise<BotStatus>;
  timeZone: string;
  /** Right after a start, deliveries wait this long for Slack to name the bot's workspace. */
  guardTimeoutMs: number;
  readBody: ReadBody;
  inFlight: InFlight;
  observability: Observability;
  clock: Clock;
}): Omit<SlackAdapter, 'app'> {
  const { connection: { client, identity, logger, metrics, rateLimitFetch, teamId }, governance, timeZone, inFlight, observability: { beginWork, log, tracing }, clock: { now, sleep } } = deps;
  const track = (work: Promise<unknown>) => void inFlight.track(work);

  const adapter = createSlackAdapter({
    ...deps.config,
    logger,
    fetch: rateLimitFetch,
    self: () => identity.known() ?? {},
    onError: (error) => log.error({ error }, 'a listener failed'),
    now,
    readBody: deps.readBody,
    isFull: () => inFlight.count() >= deliveriesAtMost,
  });
  const ownTeamId = () => withTimeout(deps.guardTimeoutMs, teamId()).catch(() => undefined);
  observeDeliveries(adapter.app, { beginWork, metrics, log });
  adapter.app.use(({ next }) => inFlight.track(next()));
  adapter.app.use(createWorkspaceGuard({ ownTeamId, audit: governance.audit, now, newCorrelationId: currentCorrelationId }));

  const logAndExplain = (error: unknown) => {
    const correlationId = currentCorrelationId();
    log.error({ error, correlationId }, 'a listener could not answer');
    return explainFailure(translateSlackError(error), correlationId, now()).message;
  };
  const home = createHome({ ...deps, client, passRates: createPassRates({ api: deps.api, now }), permissions: governance.permissions, logAndExplain });
  const observed = observeGovernance({ governance, home, tracing, track, log });
  const answerAt = createAnswerAt(rateLimitFetch, sleep);
  registerListeners(adapter.app, { ...governance, ...observed, directory: deps.directory, answerAt, timeZone, sleep, logAndExplain }, home);
  return adapter;
}

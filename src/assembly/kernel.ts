import { randomUUID } from 'node:crypto';
import type { ApprovalRequest } from '../domain/approval-request.ts';
import { createEvidenceTools } from '../features/evidence/evidence-tools.ts';
import { createGovernance, type Governance } from '../governance/governance.ts';
import { makePassword } from '../governance/passwords/grants.ts';
import { createPlans } from '../governance/perform/plans.ts';
import { currentCorrelationId } from '../observability/work.ts';
import type { BotStatus, EvidenceTools } from '../operations/services/records.ts';
import type { Account } from './account.ts';
import type { Foundation } from './foundation.ts';
import type { BotHealth } from './health.ts';
import type { QueueWork } from './queue-work.ts';
import type { Workspace } from './workspace.ts';

/** The one way to change anything, and how the bot is doing. */
export interface Kernel {
  governance: Governance;
  status: () => Promise<BotStatus>;
  openRequests: () => Promise<ApprovalRequest[]>;
  evidence: EvidenceTools;
}

/** Gives the kernel the services of the features. */
export function createKernel(
  { config, clock: { now, sleep }, steady, storage, oneAtATime, metrics, inFlight, stopping, log }: Foundation,
  { api, directory, takeLink, ownQuizzes, budget }: Account,
  { agents, undelivered, workflowSteps, teamId, ...workspace }: Workspace,
  { alerts, answers, batches, campaigns, departures, erasing }: QueueWork,
  { health }: BotHealth,
): Kernel {
  const evidence = createEvidenceTools({
    store: storage.kv('evidence-key'),
    oneAtATime,
    madeSince: config.evidenceKeySince,
    now,
  });
  const evidenceKey = async () => {
    const { fingerprint, from } = (await evidence.signer()).keys[0];
    return { fingerprint, from };
  };
  const status = async () => ({
    agents: agents.state,
    health: await health.look(),
    unreadable: api.unreadable(),
    requestsLeft: (await budget.left()).windows,
    alerts: await alerts.status(),
    undelivered: await undelivered.status(),
    refused: await workspace.refused.status(),
    evidenceKey: await evidenceKey(),
    seesDoNotDisturb: workspace.seesDoNotDisturb(),
    noManagers: workspace.managers.problem(),
  });
  const plans = createPlans({
    store: storage.kv('plans'),
    oneAtATime,
    requestTtlMs: config.approvals.ttlMs,
    newId: randomUUID,
    now,
  });
  /** By workspace. */
  const parts = new Map<string, ReturnType<typeof partsOf>>();
  const partsOf = (team: string) => ({
    alerts: alerts.subscriptionService(team),
    campaigns: campaigns.service(team),
    batches: batches.service(team),
    departures: departures.service(team),
    erasing: erasing.service(team),
    plans: plans(team),
  });
  const governance = createGovernance({
    ...config,
    ...workspace,
    api,
    directory,
    makePassword,
    takeLink,
    ownQuizzes,
    status,
    evidence,
    storage,
    oneAtATime,
    ownSettings: (team, personId) => ({
      turnMessages: async (to) => workspace.preferences.turn(team, personId, to),
      chooseLanguage: async (language) => workspace.languages.choose(personId, language),
    }),
    ofWorkspace(team) {
      const known = parts.get(team) ?? partsOf(team);
      parts.set(team, known);
      return known;
    },
    answers,
    onRecorded(team) {
      workspace.onRecorded(team);
      inFlight
        .track(departures.accountChanged(team))
        .catch((error: unknown) => log.warn({ error }, 'lists of people who left show it by the next morning'));
    },
    agentTokens: agents.tokens,
    rightsLent: workflowSteps.rightsLent,
    reach: workspace.reach,
    managersOf: workspace.managers.managersOf,
    putAssigned: alerts.putAssigned,
    notifier: workflowSteps.workflows.watching(workspace.notifier),
    log,
    metrics,
    steadyNow: steady.now,
    now,
    sleep,
    newCorrelationId: currentCorrelationId,
    isStopping: () => stopping.signal.aborted,
    track: (work) => void inFlight.track(work),
  });
  const openRequests = async () =>
    (await storage.approvals.pending(await teamId())).filter(({ state }) => state === 'open');
  return { governance, status, openRequests, evidence };
}

import { randomUUID } from 'node:crypto';
import { createTurns } from '../features/alerts/route.ts';
import { createAlerts } from '../features/alerts/alerts.ts';
import { createBatches, type Batches } from '../features/batches/batches.ts';
import { changedParts } from '../features/campaigns/audience-signals.ts';
import { createDepartures, type Departures } from '../features/departures/departures.ts';
import { createErasing } from '../features/erasing/erasing.ts';
import { createCampaigns, type Campaigns } from '../features/campaigns/campaigns.ts';
import type { AuditEntry } from '../domain/audit-chain.ts';
import { createEngine } from '../durable/engine.ts';
import { createOverdue, type Overdue } from '../durable/overdue.ts';
import { createSharedState } from '../durable/shared-state.ts';
import type { Governance } from '../governance/governance.ts';
import { createReadBody } from '../http/read-body.ts';
import { bodyLimits } from '../limits.ts';
import { unlessGone } from '../quiz-api/errors.ts';
import { currentCorrelationId } from '../observability/observability.ts';
import { describeStored } from './personal-data.ts';
import type { Account } from './account.ts';
import { createAudiences } from './audiences.ts';
import { createResponsible } from './responsible.ts';
import type { Foundation } from './foundation.ts';
import type { Workspace } from './workspace.ts';

/** The state of the bot has names of quizzes only where the service gives them at once. */
const quizNamesTimeoutMs = 1_000;
/** Campaigns look at their quizzes right before they write to people. */
const quizKnownForMs = 60_000;
/** Proposals to suspend people look at the users whom they are about. */
const usersKnownForMs = 30_000;

/** What runs in queues. */
export interface QueueWork {
  alerts: ReturnType<typeof createAlerts>;
  batches: Batches;
  campaigns: Campaigns;
  departures: Departures;
  erasing: ReturnType<typeof createErasing>;
  /** Of what can run for days. */
  overdue: Overdue;
  /** Begins to run the queues; rows of batches and steps of workflows through the kernel. */
  start(governance: Governance): Promise<void>;
  /** Ends after the runs in flight. */
  stop(): Promise<void>;
}

export function createQueueWork(
  { config, clock: { now, sleep }, steady, storage, mail, observability, log }: Foundation,
  { api, directory, passRates, ownQuizzes, takeLink, budget, isServiceWell }: Account,
  { connection, identity, workflowSteps, people, preferences, undelivered, ...workspace }: Workspace,
): QueueWork {
  const { quizzes, users } = directory;
  const { workflows } = workflowSteps;
  const { metrics } = observability;
  const inBackground = { priority: 'background' } as const;
  const account = { responses: api.responses, users: () => users.get(inBackground) };

  const batches = createBatches({ storage, mail, newId: randomUUID, now });

  const responsible = createResponsible({ directory, identity });

  const departures = createDepartures({
    outbox: storage.outbox,
    mail,
    users: () => users.fresh(inBackground, usersKnownForMs),
    whoHasLeft: people.whoHasLeft,
    async readers() {
      const { channel: channelId } = config.approvals;
      if (channelId !== undefined && (await workspace.channel.closedCode(channelId)) === undefined)
        return [{ channelId }];
      return (await workspace.administrators('manage_users')).map((personId) => ({ personId }));
    },
    owners: config.owners,
    onNobodyToAsk: () => undelivered.count('departures', {}),
    timeZone: config.timeZone,
    holidays: config.holidays,
    newId: randomUUID,
    log,
    now,
  });

  async function audit(teamId: string, entry: AuditEntry): Promise<void> {
    await storage.audit.append(teamId, entry);
    workspace.onRecorded(teamId);
  }

  const campaigns = createCampaigns({
    outbox: storage.outbox,
    mail,
    shared: createSharedState({ ...storage, mail }),
    ...account,
    quizzes: () => quizzes.get(inBackground),
    quiz: async (quizId) =>
      (await quizzes.fresh(inBackground, quizKnownForMs)).find(({ quiz_id }) => quiz_id === quizId),
    owner: responsible.ownerOf,
    audiences: createAudiences({
      ...workspace,
      ...config,
      ...departures,
      directory,
      identity,
      responsible,
      reach: people.reach,
      now,
    }),
    managersOf: people.managers.managersOf,
    assignments: batches,
    audit,
    holidays: config.holidays,
    retentionMs: config.retentionMs,
    newId: randomUUID,
    log,
    now,
    steadyNow: steady.now,
  });

  const erasing = createErasing({
    trail: storage.audit,
    cleansing: storage.cleansing,
    mail,
    describe: describeStored,
    isGone: async (userId) => (await api.users.get(userId, inBackground).catch(unlessGone)) === undefined,
    record: audit,
    newId: randomUUID,
    now,
  });

  const alerts = createAlerts({
    storage,
    channel: workspace.channel,
    mail,
    isServiceWell,
    budget,
    teamId: workspace.teamId,
    readBody: createReadBody(bodyLimits),
    ...(config.tenant !== undefined && { inTurn: createTurns() }),
    administrators: workspace.administrators,
    responses: api.responses,
    quizIds: async () => (await quizzes.get(inBackground)).map(({ quiz_id }) => quiz_id),
    closedIds: async () =>
      new Set(
        (await quizzes.get(inBackground)).filter(({ status }) => status !== 'open').map(({ quiz_id }) => quiz_id),
      ),
    assignedIds: directory.assignedQuizIds,
    quizName: async (quizId) => {
      const known = await quizzes.get({ deadline: now() + quizNamesTimeoutMs }).catch(() => []);
      return known.find(({ quiz_id }) => quiz_id === quizId)?.name;
    },
    configuredChannelId: config.alertsChannel,
    rule: { ...config.webhook, timeZone: config.quizApi.timeZone },
    timeZone: config.timeZone,
    retentionMs: config.retentionMs,
    notifiesRespondents: config.notifiesRespondents,
    people: {
      ...preferences,
      ...people.recipients,
      holidays: config.holidays,
      takeUrl: takeLink,
      isStillWanted: campaigns.isStillWanted,
      lateReports: campaigns.lateReports,
      runningCampaigns: campaigns.runningIds,
    },
    entriesForFollowers: async (...submission) =>
      (await Promise.all([campaigns.entriesFor(...submission), workflows.entriesFor(...submission)])).flat(),
    live: async (teamId, id) =>
      (await departures.live(teamId, id)) ??
      (id.startsWith('batch-') ? batches.live(teamId, id) : campaigns.live(teamId, id)),
    onSubmission({ quizId }) {
      passRates.forget(quizId);
      ownQuizzes.forget();
    },
    onNobodyNotified: ({ id, ownerId }) => undelivered.count('paused_alerts', { subscription: id, person: ownerId }),
    log,
    metrics,
    now,
    steadyNow: steady.now,
    sleep,
  });

  const overdue = createOverdue({ kinds: ['batch', 'campaign', 'step', 'waits'], now });
  const engine = createEngine({
    ...storage,
    mail,
    overdue,
    platformOutage: connection.outageWatch,
    onLoss: storage.content.onLoss,
    beginWork: observability.beginWork,
    log,
    now,
    steadyNow: steady.now,
  });

  function lookFor(deleted: Parameters<typeof workflows.lookFor>[1]): void {
    workspace
      .teamId()
      .then(async (teamId) => workflows.lookFor(teamId, deleted))
      .catch((error: unknown) => log.warn({ error }, 'workflows that wait for what was deleted end within the hour'));
  }

  function tellAudiences(changes: Parameters<typeof changedParts>[0]): void {
    const parts = changedParts(changes);
    if (parts.length === 0) return;
    workspace
      .teamId()
      .then(async (teamId) => campaigns.audienceChanged(teamId, parts))
      .catch((error: unknown) => log.warn({ error }, 'campaigns compare their audiences within the day'));
  }

  const listening: (() => void)[] = [];

  return {
    alerts,
    batches,
    campaigns,
    departures,
    erasing,
    overdue,
    async start(governance) {
      const { notifiesRespondents } = config;
      const { lasting } = alerts;
      alerts.start();
      listening.push(
        users.onChanged(tellAudiences),
        users.onRemoved((userId) => lookFor({ userId })),
        quizzes.onRemoved((quizId) => lookFor({ quizId })),
      );
      await engine.start({
        ...lasting,
        upkeep: async () => {
          await Promise.all([
            lasting.upkeep(),
            workspace.auditPosting.upkeep(),
            workspace.teamId().then(departures.upkeep),
          ]);
        },
        machines: {
          ...lasting.machines,
          audit: workspace.auditPosting.machine,
          batch: batches.machine({
            ...governance,
            notifiesRespondents,
            newCorrelationId: currentCorrelationId,
            log,
          }),
          campaign: campaigns.machine,
          departures: departures.machine,
          erasing: erasing.machine,
          ...workflowSteps.machines(governance, { ...directory, responses: api.responses }),
        },
      });
    },
    async stop() {
      for (const end of listening) end();
      await Promise.all([engine.stop(), alerts.stop()]);
    },
  };
}

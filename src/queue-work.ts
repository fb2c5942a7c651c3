import { randomUUID } from 'node:crypto';
import { createAlerts } from './alerts/alerts.ts';
import { createBatches, type Batches } from './batches/batches.ts';
import { createCampaigns, type Campaigns } from './campaigns/campaigns.ts';
import type { Config } from './config.ts';
import type { Directory } from './directory/directory.ts';
import type { Identity } from './directory/identity.ts';
import type { QuizApi } from './quiz-api/quiz-api.ts';
import type { Storage } from './storage/storage.ts';
import type { Workflows } from './workflows/workflows.ts';

type Alerts = ReturnType<typeof createAlerts>;
type AlertsDeps = Parameters<typeof createAlerts>[0];

/** The state of the bot has names of quizzes only where the service gives them at once. */
const quizNamesTimeoutMs = 1_000;

/**
 * Makes what runs in queues: alerts, batches and campaigns. Those of workflows are given.
 *
 * @param deps.runBatch batches need governance, which is made after the queues
 */
export function createQueueWork(
  deps: Pick<
    AlertsDeps,
    | 'channel'
    | 'platformOutage'
    | 'beginWork'
    | 'isServiceWell'
    | 'budget'
    | 'teamId'
    | 'readBody'
    | 'administrators'
    | 'notifiesRespondents'
    | 'onSubmission'
    | 'onNobodyNotified'
    | 'log'
    | 'metrics'
    | 'now'
    | 'steadyNow'
    | 'sleep'
  > & {
    config: Config;
    people: Omit<AlertsDeps['people'], 'isStillWanted' | 'runningCampaigns'>;
    storage: Storage;
    api: QuizApi;
    directory: Directory;
    identity: Identity;
    /** Called when an entry was put on the audit trail. */
    onRecorded: () => void;
    runBatch: (queue: string) => Promise<number | undefined>;
    workflows: Pick<Workflows, 'runners' | 'entriesFor'>;
  },
): { alerts: Alerts; batches: Batches; campaigns: Campaigns } {
  const {
    config,
    storage,
    api,
    directory: { quizzes, users },
    identity,
    workflows,
    now,
  } = deps;

  const batches = createBatches({ storage, newId: randomUUID, now });

  const campaigns = createCampaigns({
    ...deps,
    outbox: storage.outbox,
    wake: storage.queues.wake,
    responses: api.responses,
    users: () => users.get({ priority: 'background' }),
    userIdOf: async (personId) =>
      (await identity.actorOf(personId, { fresh: false, call: { priority: 'background' } })).user?.user_id,
    assignments: batches,
    async audit(teamId, entry) {
      await storage.audit.append(teamId, entry);
      deps.onRecorded();
    },
    holidays: config.holidays,
    newId: randomUUID,
  });

  const alerts = createAlerts({
    ...deps,
    responses: api.responses,
    quizIds: async () => (await quizzes.get({ priority: 'background' })).map(({ quiz_id }) => quiz_id),
    closedIds: async () =>
      new Set(
        (await quizzes.get({ priority: 'background' }))
          .filter(({ status }) => status !== 'open')
          .map(({ quiz_id }) => quiz_id),
      ),
    assignedIds: deps.directory.assignedQuizIds,
    quizName: async (quizId) => {
      const known = await quizzes.get({ deadline: now() + quizNamesTimeoutMs }).catch(() => []);
      return known.find(({ quiz_id }) => quiz_id === quizId)?.name;
    },
    configuredChannelId: config.alertsChannel,
    rule: { ...config.webhook, timeZone: config.quizApi.timeZone },
    timeZone: config.timeZone,
    people: { ...deps.people, isStillWanted: campaigns.isStillWanted, runningCampaigns: campaigns.runningIds },
    entriesForFollowers: async (...submission) =>
      (await Promise.all([campaigns.entriesFor(...submission), workflows.entriesFor(...submission)])).flat(),
    live: async (teamId, id) => (id.startsWith('batch-') ? batches.live(teamId, id) : campaigns.live(teamId, id)),
    runners: { batch: deps.runBatch, campaign: campaigns.run, ...workflows.runners },
  });

  return { alerts, batches, campaigns };
}

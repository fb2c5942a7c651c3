import { randomUUID } from 'node:crypto';
import { createTurns } from '../features/webhooks/route.ts';
import { createAlerts } from './alerts.ts';
import { createBatches } from '../features/batches/batch-machine.ts';
import { changedParts, createMembersSince, type AudienceSources } from '../features/campaigns/audience.ts';
import { createDepartures } from '../features/departures/departures.ts';
import { answersMachine, createAnswers } from '../features/questions/answers.ts';
import { createErasing } from '../features/erasing/erasing.ts';
import { createCampaigns } from '../features/campaigns/campaigns.ts';
import type { AuditEntry } from '../domain/audit-chain.ts';
import { createEngine, createOverdue } from '../durable/runtime.ts';
import { createSharedState } from '../durable/mail.ts';
import type { Governance } from '../governance/governance.ts';
import { createReadBody } from '../http/bodies.ts';
import { bodyLimits } from '../limits.ts';
import { unlessGone } from '../quiz-api/errors.ts';
import { currentCorrelationId } from '../observability/log.ts';
import { describeStored } from './personal-data.ts';
import type { Parts } from './parts.ts';
import type { Nobody } from '../directory/identity.ts';
import { hasQuiz } from '../directory/quiz-groups.ts';
import { membersAtMost } from '../operations/fields/mentioned-members.ts';
import type { User } from '../quiz-api/records.ts';
import type { Campaign } from '../domain/campaign.ts';
import { rightsOf, visibilityOf } from '../governance/rights/rights.ts';

const inBackground = { priority: 'background' } as const;
/** The state of the bot has names of quizzes only where the service gives them at once. */
const quizNamesTimeoutMs = 1_000;
/** Campaigns look at their quizzes right before they write to people. */
const quizKnownForMs = 60_000;
/** Proposals to suspend people look at the users whom they are about. */
const usersKnownForMs = 30_000;

export type QueueWork = ReturnType<typeof createQueueWork>;

/** What runs in queues. */
export function createQueueWork(parts: Parts) {
  const { config, clock, steady, storage, log } = parts;
  const { api, directory, passRates, ownQuizzes, takeLink } = parts;
  const { connection, workflowSteps, undelivered } = parts;
  const { now, sleep } = clock;
  const { quizzes, users } = directory;
  const { workflows } = workflowSteps;
  const shared = { ...config, ...parts, ...storage, ...api, newId: randomUUID, now, steadyNow: steady.now, sleep };

  const answers = createAnswers(shared);

  const batches = createBatches(shared);

  const ownerOf = createOwnerOf(parts);

  const departures = createDepartures({
    ...shared,
    users: () => users.fresh(inBackground, usersKnownForMs),
    async readers() {
      const { channel: channelId } = config.approvals;
      if (channelId !== undefined && (await parts.channel.whyClosed(channelId)) === undefined) return [{ channelId }];
      return (await parts.administrators('manage_users')).map((personId) => ({ personId }));
    },
    onNobodyToAsk: () => undelivered.count('departures', {}),
  });

  async function audit(teamId: string, entry: AuditEntry): Promise<void> {
    await storage.audit.append(teamId, entry);
    parts.onRecorded(teamId);
  }

  const campaigns = createCampaigns({
    ...shared,
    shared: createSharedState(shared),
    users: () => users.get(inBackground),
    quizzes: () => quizzes.get(inBackground),
    quiz: async (quizId) =>
      (await quizzes.fresh(inBackground, quizKnownForMs)).find(({ quiz_id }) => quiz_id === quizId),
    owner: ownerOf,
    audiences: createAudiences({ ...shared, ...departures, ownerOf }),
    managersOf: parts.managers.managersOf,
    assignments: batches,
    answers,
    audit,
  });

  const erasing = createErasing({
    ...shared,
    trail: storage.audit,
    describe: describeStored,
    isGone: async (userId) => (await api.users.get(userId, inBackground).catch(unlessGone)) === undefined,
    record: audit,
  });

  const alerts = createAlerts({
    ...shared,
    readBody: createReadBody(bodyLimits),
    ...(config.tenant !== undefined && { inTurn: createTurns() }),
    whoseAttempt: directory.whoseAttempt,
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
    people: {
      ...parts.preferences,
      ...parts.recipients,
      holidays: config.holidays,
      takeUrl: takeLink,
      messageNow: campaigns.messageNow,
      lateReports: campaigns.lateReports,
      weeksOf: campaigns.weeksOf,
      runningCampaigns: campaigns.runningIds,
    },
    entriesForFollowers: async (...submission) =>
      (await Promise.all([campaigns.entriesFor(...submission), workflows.entriesFor(...submission)])).flat(),
    live: async (teamId, id) =>
      (await departures.live(teamId, id)) ??
      (id.startsWith('batch-') ? batches.live(teamId, id) : campaigns.live(teamId, id)),
    onSubmission(submission, questions) {
      passRates.forget(submission.quizId);
      ownQuizzes.forget();
      if (questions === undefined) return;
      answers
        .answered(submission, questions)
        .catch((error: unknown) => log.warn({ error }, 'the answers that a webhook brought are asked for later'));
    },
    onNobodyNotified: ({ id, ownerId }) => undelivered.count('paused_alerts', { subscription: id, person: ownerId }),
  });

  const overdue = createOverdue({ kinds: ['batch', 'campaign', 'step', 'waits'], now });
  const engine = createEngine({
    ...shared,
    overdue,
    platformOutage: connection.outageWatch,
    onLoss: storage.content.onLoss,
  });

  function lookFor(deleted: Parameters<typeof workflows.lookFor>[1]): void {
    parts
      .teamId()
      .then(async (teamId) => workflows.lookFor(teamId, deleted))
      .catch((error: unknown) => log.warn({ error }, 'workflows that wait for what was deleted end within the hour'));
  }

  function forgetAnswers(quizId: string): void {
    answers
      .deleted(quizId)
      .catch((error: unknown) => log.warn({ error }, 'the answers to a deleted quiz are kept until they are too old'));
  }

  function tellAudiences(changes: Parameters<typeof changedParts>[0]): void {
    const changed = changedParts(changes);
    if (changed.length === 0) return;
    parts
      .teamId()
      .then(async (teamId) => campaigns.audienceChanged(teamId, changed))
      .catch((error: unknown) => log.warn({ error }, 'campaigns compare their audiences within the day'));
  }

  const listening: (() => void)[] = [];

  return {
    alerts,
    answers,
    batches,
    campaigns,
    departures,
    erasing,
    /** Of what can run for days. */
    overdue,
    /** Begins to run the queues; rows of batches and steps of workflows through the kernel. */
    async start(governance: Governance) {
      const { notifiesRespondents } = config;
      const { lasting } = alerts;
      alerts.start();
      listening.push(
        users.onChanged(tellAudiences),
        users.onRemoved((userId) => lookFor({ userId })),
        quizzes.onRemoved((quizId) => {
          lookFor({ quizId });
          forgetAnswers(quizId);
        }),
      );
      await engine.start({
        ...lasting,
        upkeep: async () => {
          await Promise.all([
            lasting.upkeep(),
            parts.auditPosting.upkeep(),
            parts.teamId().then(departures.upkeep),
            parts.teamId().then(campaigns.upkeep),
          ]);
        },
        machines: {
          ...lasting.machines,
          answers: answersMachine({ ...api, ...config, now }),
          audit: parts.auditPosting.machine,
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
    /** Ends after the runs in flight. */
    async stop() {
      for (const end of listening) end();
      await Promise.all([engine.stop(), alerts.stop()]);
    },
  };
}

/** People who are in channels and never in the quiz account. */
const outsiders: ReadonlySet<Nobody> = new Set(['bot', 'guest', 'stranger']);
const outsidersKnownForMs = 24 * 60 * 60_000;
const outsidersAtMost = 20_000;

/** Where campaigns find out who is in their audiences. */
function createAudiences(
  deps: Pick<Parts, 'directory' | 'identity' | 'membersOf' | 'reach'> &
    Pick<AudienceSources, 'departed'> & {
      ownerOf: ReturnType<typeof createOwnerOf>;
      timeZone: string;
      now: () => number;
    },
) {
  const { directory, identity, reach, timeZone, now } = deps;
  const { users, quizGroups } = directory;
  const outsideUntil = new Map<string, number>();

  /** Whether a person was no member of the staff lately: channels are full of bots and guests. */
  function isOutsider(personId: string): boolean {
    return (outsideUntil.get(personId) ?? 0) > now();
  }

  function rememberOutsider(personId: string): void {
    outsideUntil.delete(personId);
    outsideUntil.set(personId, now() + outsidersKnownForMs);
    const [oldest] = outsideUntil.keys();
    if (outsideUntil.size > outsidersAtMost && oldest !== undefined) outsideUntil.delete(oldest);
  }

  const sources: AudienceSources = {
    users: (maxAgeMs) => (maxAgeMs === undefined ? users.get(inBackground) : users.fresh(inBackground, maxAgeMs)),
    membersSince: createMembersSince({ membersOf: deps.membersOf, atMost: membersAtMost, now }),
    async usersOf(personIds) {
      const asked = personIds.filter((personId) => !isOutsider(personId));
      await identity.learn(asked);
      const found = new Map<string, string>();
      for (const personId of asked) {
        const { user, nobody } = await identity.actorOf(personId, { fresh: false, isListed: true, call: inBackground });
        if (user !== undefined) found.set(personId, user.user_id);
        else if (nobody !== undefined && outsiders.has(nobody)) rememberOutsider(personId);
      }
      return found;
    },
    async trainedByOwner(campaign) {
      const { isAble, trains } = await deps.ownerOf(campaign);
      return isAble ? trains : undefined;
    },
    departed: deps.departed,
  };

  return {
    sources,
    async hasQuiz(quizId: string) {
      await quizGroups.load([quizId], inBackground);
      const groups = [...(quizGroups.known(quizId) ?? [])].map((group_id) => ({ group_id }));
      return (user: User) => hasQuiz(user, quizId, groups);
    },
    reach: async (some: readonly User[]) => reach(some, { call: inBackground }),
    timeZone,
  };
}

/** The owner of a campaign, who may see its results and so answers for it, with their rights as they were known lately. */
function createOwnerOf({ identity, directory: { quizGroups } }: Pick<Parts, 'identity' | 'directory'>) {
  return async ({ ownerId, quiz }: Pick<Campaign, 'ownerId' | 'quiz'>) => {
    const actor = await identity.actorOf(ownerId, { fresh: false, call: inBackground });
    const visibility = visibilityOf(actor, quizGroups);
    const isAble = rightsOf(actor).has('edit_quizzes') && visibility.quiz({ quiz_id: quiz.id });
    return { userId: actor.user?.user_id, isAble, trains: visibility.trains };
  };
}

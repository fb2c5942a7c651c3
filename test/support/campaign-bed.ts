import { inEnglish, inEnglishThroughout } from '../../src/domain/said.ts';
import type { AuditEntry } from '../../src/domain/audit-chain.ts';
import type { BatchPlan, BatchProgress } from '../../src/domain/batch.ts';
import type { CampaignEvent } from '../../src/domain/campaign.ts';
import type { FoundManagers } from '../../src/domain/managers.ts';
import { liveQueue, personQueue, readQueue } from '../../src/domain/queues.ts';
import type { Assignments } from '../../src/features/campaigns/assignments.ts';
import { campaignDivision } from '../../src/features/campaigns/stored-campaign.ts';
import { createCampaigns } from '../../src/features/campaigns/campaigns.ts';
import type { QuizResponse } from '../../src/quiz-api/responses.ts';
import type { User } from '../../src/quiz-api/records.ts';
import { campaignPlan, monday, retentionMs, type PlanOverrides } from './builders/campaigns.ts';
import { quizUser } from './builders/users.ts';
import { recordingLog } from './log.ts';
import { createMemoryMail, createMemoryOutbox } from './memory-outbox.ts';
import { formatMention } from '../../src/operations/typed-text.ts';
import { rememberStates } from '../../src/durable/remembered-states.ts';
import { createSharedState } from '../../src/durable/mail.ts';
import { createOverdue } from '../../src/durable/runtime.ts';
import type { Outbox } from '../../src/storage/storage.ts';
import { runMachine } from './run-machine.ts';

/** The user behind a person: `UROSA` is `rosa`. */
function userOf(personId: string): string {
  return personId.slice(1).toLowerCase();
}

/** A campaign that is carried on as time goes by. `losesAnswers`: the store makes each change and fails to say so, now and then. */
export async function openCampaign({
  losesAnswers = false,
  approvedBy,
  plan = {},
  ask = async () => {},
  managersOf = (personIds) => ({ managers: new Map(personIds.map((personId) => [personId, null])) }),
}: {
  losesAnswers?: boolean;
  approvedBy?: string;
  plan?: PlanOverrides;
  ask?: () => Promise<void>;
  managersOf?: (personIds: readonly string[]) => FoundManagers;
} = {}) {
  const memory = createMemoryOutbox();
  let now = monday;
  let commits = 0;
  let reads = 0;
  let ids = 0;
  const responses: QuizResponse[] = [];
  const users = new Map<string, User>(
    ['rosa', 'kim', 'tom'].map((user_id) => [
      user_id,
      quizUser({
        user_id,
        user_name: `${user_id}@quiz.example`,
        email_address: '',
        ...(user_id === 'tom' && { user_type: 'trainer', edit_quizzes: true }),
      }),
    ]),
  );
  const batch: {
    plan?: BatchPlan;
    by?: string;
    rows?: Awaited<ReturnType<Assignments['rowsOf']>>;
    progress?: BatchProgress;
  } = {};
  const audited: AuditEntry[] = [];
  /** Where the campaign finds who is in its audience. */
  const audience = {
    /** IDs of people by the text of the channel or user group; undefined: the bot cannot see them. */
    members: new Map<string, readonly string[] | undefined>(),
    /** What the platform answers in place of the people. */
    failure: undefined as Error | undefined,
    reads: 0,
  };
  /** As the service has it. */
  const quiz = { name: 'Fire safety', status: 'open' };
  /** Who cannot see results any more. */
  const lost = new Set<string>();
  let stateReads = 0;
  const losing: typeof memory = {
    ...memory,
    async commit(...change) {
      const isKept = await memory.commit(...change);
      commits += 1;
      if (losesAnswers && commits % 3 === 0) throw new Error('the answer is lost');
      return isKept;
    },
    async stateWithParts(queue) {
      stateReads += 1;
      return memory.stateWithParts(queue);
    },
  };
  const outbox: Outbox = rememberStates(losing, { campaign: campaignDivision });
  const mail = createMemoryMail(outbox);
  const campaigns = createCampaigns({
    outbox,
    mail,
    shared: createSharedState({ outbox, mail }),
    responses: {
      async list(quizId) {
        reads += 1;
        await ask();
        return responses.filter(({ quiz_id }) => quiz_id === quizId);
      },
    },
    users: async () => [...users.values()],
    quizzes: async () => [],
    quiz: async () => quiz,
    owner: async ({ ownerId }) =>
      ownerId === 'UTOM' && !lost.has('UTOM') ? { userId: 'tom', isAble: true } : { userId: undefined, isAble: false },
    answers: {
      mostFailed: async (quizId) => ({ quizId, question: 'What burns?', asked: 9, wrong: 5 }),
      changed: async () => {},
    },
    assignments: {
      async startBatch(_teamId, toAssign, start) {
        Object.assign(batch, { plan: toAssign, ...start });
        return {
          batchId: 'b-1',
          entries: [{ queue: 'batch/T1/b-1', subscriptionId: '', at: now, content: { kind: 'refresh' } }],
        };
      },
      rowsOf: async () => batch.rows,
      progressOf: async () => batch.progress,
    },
    audiences: {
      sources: {
        users: async () => [...users.values()],
        async membersSince(mention) {
          audience.reads += 1;
          if (audience.failure) throw audience.failure;
          const personIds = audience.members.get(formatMention(mention));
          return personIds === undefined ? { problem: 'hidden' } : { personIds, isCut: false };
        },
        usersOf: async (personIds) =>
          new Map(personIds.flatMap((id) => (users.has(userOf(id)) ? [[id, userOf(id)] as const] : []))),
        trainedByOwner: async ({ ownerId }) => (lost.has(ownerId) ? undefined : () => true),
        departed: async () => new Set(),
      },
      hasQuiz: async (quizId) => (user) => user.quizzes.some(({ quiz_id }) => quiz_id === quizId),
      reach: async (some) =>
        new Map(some.map(({ user_id }) => [user_id, { personId: `U${user_id.toUpperCase()}`, timeZone: 'UTC' }])),
      timeZone: 'UTC',
    },
    managersOf: async (personIds) => managersOf(personIds),
    audit: async (_teamId, entry) => void audited.push(entry),
    holidays: new Set(),
    retentionMs,
    steadyNow: () => now,
    newId: () => `c-${(ids += 1)}`,
    log: recordingLog().log,
    now: () => now,
  });
  const service = campaigns.service('T1');
  const overdue = createOverdue({ kinds: ['campaign'], now: () => now });
  const run = runMachine(campaigns.machine, { outbox, overdue, now: () => now });
  const start = async () => service.start(campaignPlan(plan), 'UTOM', approvedBy ?? null).catch(() => undefined);
  await start();

  return {
    overdueSince: async () => overdue.sinceByKind(await outbox.queues())['campaign'],
    campaigns,
    service,
    responses,
    users,
    quiz,
    lost,
    batch,
    audience,
    audited,
    outbox: memory,
    reads: () => reads,
    /** How often a state was read from the store. */
    stateReads: () => stateReads,
    /** Where the answer of the store is lost, the event is stored. */
    put: async (event: CampaignEvent) => service.put('c-1', event).catch(() => undefined),
    handOver: async (ownerId: string) => {
      const to = { ownerId, leads: [userOf(ownerId)], timeZone: 'UTC' };
      await service.handOver((await service.byId('c-1'))!, to).catch(() => undefined);
    },
    campaign: () => service.byId('c-1'),
    /** Lets the time pass, as the queues would run the campaigns. */
    async until(moment: number) {
      const dueAt = new Map<string, number>();
      for (;;) {
        const names = new Set(
          (await memory.queues()).map(({ queue }) => queue).filter((queue) => readQueue(queue).kind === 'campaign'),
        );
        const [next] = [...names]
          .map((queue) => ({ queue, at: dueAt.get(queue) ?? now }))
          .toSorted((a, b) => a.at - b.at);
        if (next === undefined || next.at > moment) break;
        now = Math.max(now, next.at);
        dueAt.set(next.queue, (await run(next.queue).catch(() => now)) ?? Infinity);
      }
      now = moment;
    },
    messagesTo: async (userId: string) =>
      (await memory.waiting(personQueue('T1', userId), { limit: 1_000 })).map(
        ({ at, content }) =>
          `${content.kind === 'note' ? inEnglish(content.note.heading).split(' ')[0] : content.kind}${'isReminder' in content && content.isReminder ? ' reminder' : ''} ${new Date(at).toISOString().slice(5, 16)}`,
      ),
    contentsTo: async (userId: string) =>
      (await memory.waiting(personQueue('T1', userId), { limit: 1_000 })).map(({ content }) =>
        inEnglishThroughout(content),
      ),
    /** What the notes to a person say. */
    notesTo: async (userId: string) =>
      (await memory.waiting(personQueue('T1', userId), { limit: 1_000 })).flatMap(({ content }) =>
        content.kind === 'note' ? [inEnglish(content.note.heading)] : [],
      ),
    /** When a live message was to be brought up to date. */
    refreshes: async (id: string) =>
      (await memory.waiting(liveQueue('T1', id), { limit: 1_000 })).map(({ at }) =>
        new Date(at).toISOString().slice(5, 16),
      ),
  };
}

import { request, type Dispatcher } from 'undici';
import { createMemoryMail } from './memory-outbox.ts';
import { createBatches } from '../../src/features/batches/batch-machine.ts';
import { assigningPlan } from '../../src/features/campaigns/assignments.ts';
import { eventEntry, summaryOf } from '../../src/features/campaigns/campaign-service.ts';
import type { NewQueueEntry } from '../../src/domain/queues.ts';
import type { Campaign, CampaignMember } from '../../src/domain/campaign.ts';
import { channels, people, teamId } from '../../src/sandbox/workspace/people.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import type { Storage } from '../../src/storage/records.ts';
import { systemClock } from '../../src/time/clock.ts';
import { addAccountPerson, addOpenQuiz, openProcessTestBed, type ProcessTestBed } from './process-test-bed.ts';
import { campaignMember, campaignOf, openEnd, type MemberOverrides } from './builders/campaigns.ts';
import { numberedSubmission, sign } from './event.ts';

export const campaignQuiz = { id: '10000000-0000-4000-8000-00000000c001', name: 'Fire drill' };

const dayMs = 24 * 60 * 60_000;

/** A campaign for members `u-member-0`, `u-member-1`, … without a due time, unless given. */
export function campaignFor(
  members: readonly CampaignMember[],
  overrides: Parameters<typeof campaignOf>[0] & Pick<Campaign, 'startedAt'>,
): Campaign {
  return campaignOf({
    ...openEnd,
    teamId,
    quiz: campaignQuiz,
    ownerId: people.tom.id,
    leads: ['u-lead'],
    timeZone: 'Etc/UTC',
    members,
    ...overrides,
  });
}

/** @param zones of the members, in turn */
export function membersFor(
  count: number,
  { zones, ...overrides }: { zones: readonly string[] } & MemberOverrides & { addedAt: number },
): CampaignMember[] {
  return Array.from({ length: count }, (_, index) =>
    campaignMember(`u-member-${index}`, {
      name: `Member ${index}`,
      personId: personIdOf(`u-member-${index}`),
      timeZone: zones[index % zones.length]!,
      ...overrides,
    }),
  );
}

export function personIdOf(userId: string): string {
  return `U0${userId.replaceAll('-', '').toUpperCase()}`;
}

/** The coming Monday at an hour in UTC. */
export function nextMonday(hour: number): number {
  const today = Math.floor(Date.now() / dayMs) * dayMs;
  const days = (8 - new Date(today).getUTCDay()) % 7 || 7;
  return today + days * dayMs + hour * 60 * 60_000;
}

/** Adds the quiz, the members and the lead to the account and to the workspace. */
export function addMembers(
  { members, leads: [leadId = ''], timeZone: leadZone }: Campaign,
  testBed: Pick<ProcessTestBed, 'workspace' | 'quizService'>,
): void {
  addOpenQuiz(testBed.quizService, campaignQuiz);
  for (const { userId, timeZone } of [...members, { userId: leadId, timeZone: leadZone }])
    addAccountPerson(testBed, { personId: personIdOf(userId), userId, timeZone });
  // Whoever leads reads results.
  testBed.quizService.database.run("UPDATE users SET user_type = 'trainer', edit_quizzes = 1 WHERE user_id = ?", [
    leadId,
  ]);
}

/** Where a bot keeps its state, and whose bot it is where several share a Redis. */
interface BotStorePlace {
  DATA_DIR?: string;
  REDIS_URL?: string | undefined;
  tenant?: string;
}

/**
 * Stores a campaign as its start leaves it: its place in the list, and the event that starts it.
 *
 * @param options.assigns whether a batch of Ada’s assigns the quiz to each member
 */
export async function storeCampaign(
  campaign: Campaign,
  store: BotStorePlace,
  { assigns = false }: { assigns?: boolean } = {},
): Promise<void> {
  const users = campaign.members.map(({ userId, name }) => ({ id: userId, name }));
  const toAssign = assigningPlan(campaignQuiz, { groups: [], users });
  if (!assigns || !toAssign) return storeCampaigns([campaign], store);
  await storeCampaigns([campaign], store, async (storage) => {
    const batches = createBatches({
      storage,
      mail: createMemoryMail(storage.outbox),
      newId: () => 'batch-1',
      now: () => campaign.startedAt,
    });
    return batches.startBatch(teamId, toAssign, { by: people.ada.id, liveId: `campaign-${campaign.id}` });
  });
}

/**
 * The same for several.
 *
 * @param startBatch makes the batch by which their members get the quiz. Default: they have it
 */
export async function storeCampaigns(
  campaigns: readonly Campaign[],
  { DATA_DIR = '', REDIS_URL, tenant }: BotStorePlace,
  startBatch?: (storage: Storage) => Promise<{ batchId: string; entries: readonly NewQueueEntry[] }>,
): Promise<void> {
  const { storage } = await openStorage({
    dataDir: DATA_DIR,
    redisUrl: REDIS_URL,
    tenant,
    clock: systemClock,
    onError: () => {},
  });
  await storage.open();
  const batch = await startBatch?.(storage);
  const started = campaigns.map((campaign): Campaign =>
    batch
      ? {
          ...campaign,
          assigning: { batchId: batch.batchId, isStopped: false },
          members: campaign.members.map((member) => ({ ...member, assignment: 'waiting' })),
        }
      : campaign,
  );
  await storage.outbox.commit(`campaigns/${teamId}`, {
    version: 0,
    isBusy: false,
    state: { campaigns: started.map(summaryOf) },
    put: [
      ...started.map((campaign) => eventEntry(campaign, { kind: 'start', campaign }, campaign.startedAt)),
      ...(batch?.entries ?? []),
    ],
  });
  await storage.close();
}

/** A bot in a process of its own with a running campaign whose members have been told, and its board. */
export async function openBoardedCampaign(count: number, env: Record<string, string> = {}): Promise<ProcessTestBed> {
  const startedAt = Date.now();
  const members = membersFor(count, { zones: ['Etc/UTC'], addedAt: startedAt, notifiedAt: startedAt });
  const campaign = campaignFor(members, { startedAt, board: { channelId: channels.training.id, showsNames: true } });
  return openProcessTestBed({
    store: 'sqlite',
    env: { ALERTS_CHANNEL: '', ...env },
    async beforeStart(store, testBed) {
      const { faults } = testBed.workspace;
      // They are in the workspace for longer than the app: Slack does not tell it of all of them at once.
      faults.setEventFault({ kind: 'lost' }, ['team_join']);
      addMembers(campaign, testBed);
      faults.setEventFault(undefined, ['team_join']);
      await storeCampaign(campaign, store);
    },
  });
}

/** Sends the webhook of a member who passes. @param number of the submission, and of the member unless given */
export async function sendPass(
  botUrl: string | undefined,
  number: number,
  dispatcher: Dispatcher,
  { quiz = campaignQuiz, member = number }: { quiz?: { id: string; name: string }; member?: number } = {},
): Promise<void> {
  const body = numberedSubmission(number, { quiz, userId: `u-member-${member}` }).replace(
    '"pass":false',
    '"pass":true',
  );
  const headers = { 'content-type': 'application/json; charset=utf-8', 'x-webhook-signature': sign(body) };
  const answer = await request(`${botUrl}/webhooks/quiz`, { method: 'POST', body, headers, dispatcher });
  await answer.body.dump();
}

import type { Campaign, CampaignEvent, CampaignPlan, CampaignSummary } from '../domain/campaign.ts';
import type { NewQueueEntry } from '../domain/queue-entry.ts';
import { campaignQueue, campaignsQueue } from '../domain/queue-names.ts';
import type { CampaignService } from '../operations/context.ts';
import type { Outbox } from '../storage/storage.ts';
import { campaignMessages, type CampaignState } from './campaign-queue.ts';

/** The list of a workspace’s campaigns, the latest first. */
export interface CampaignList {
  campaigns: readonly CampaignSummary[];
}

const yearMs = 366 * 24 * 60 * 60_000;

/** The campaigns of workspaces, as operations work with them. A campaign starts in one step with its place in the list. */
export function createCampaignService(deps: {
  outbox: Pick<Outbox, 'stateOf' | 'commit' | 'put'>;
  wake: (queue: string) => Promise<void>;
  newId: () => string;
  now: () => number;
}): (teamId: string) => CampaignService {
  const { outbox, now } = deps;

  return (teamId) => ({
    all: async () => (await listOf(teamId)).campaigns,
    byId: async (id) => (await outbox.stateOf<CampaignState>(campaignQueue(teamId, id))).state?.campaign,
    async start(plan, by) {
      const campaign = campaignFrom(plan, { id: deps.newId(), teamId, by, at: now() });
      const { id, quiz, ownerId, startedAt, endedAt } = campaign;
      await changeList(teamId, (campaigns) => [{ id, quiz, ownerId, startedAt, endedAt }, ...campaigns], [entryFor(campaign, { kind: 'start', campaign })]);
      await deps.wake(campaignQueue(teamId, id));
      return campaign;
    },
    async put(id, event) {
      await outbox.put([entryFor({ teamId, id }, event)]);
      await deps.wake(campaignQueue(teamId, id));
    },
  });

  async function listOf(teamId: string): Promise<CampaignList & { version: number }> {
    const { version, state } = await outbox.stateOf<CampaignList>(campaignsQueue(teamId));
    return { version, campaigns: state?.campaigns ?? [] };
  }

  /** Again with the list as it is then, where another campaign starts at the same time. */
  async function changeList(teamId: string, change: (campaigns: readonly CampaignSummary[]) => readonly CampaignSummary[], put: readonly NewQueueEntry[]): Promise<void> {
    for (;;) {
      const { version, campaigns } = await listOf(teamId);
      const kept = change(campaigns).filter(({ endedAt }) => endedAt === null || endedAt > now() - yearMs);
      if (await outbox.commit(campaignsQueue(teamId), { version, state: { campaigns: kept } satisfies CampaignList, isBusy: false, put })) return;
    }
  }

  function entryFor({ teamId, id }: Pick<Campaign, 'teamId' | 'id'>, event: CampaignEvent): NewQueueEntry {
    return { queue: campaignQueue(teamId, id), subscriptionId: campaignMessages, at: now(), content: { kind: 'campaign-event', event } };
  }
}

function campaignFrom(plan: CampaignPlan, { id, teamId, by, at }: { id: string; teamId: string; by: string; at: number }): Campaign {
  const { quiz, completeWhen, schedule, lead, board, repeats } = plan;
  const progress = { addedAt: at, notifiedAt: null, remindedAt: [], snoozedUntil: null, result: null, responseIds: [], excused: null, saidNotMeAt: null };
  return {
    id, teamId, quiz, ownerId: by, startedAt: at, completeWhen, schedule, lead, board, repeats, endedAt: null, remindNowAt: null, escalatedUpTo: 0, batchId: null,
    members: plan.members.map((member) => ({ ...member, ...progress })),
  };
}

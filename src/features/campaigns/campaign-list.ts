import type { CampaignSummary } from '../../domain/campaign.ts';
import type { NewQueueEntry } from '../../domain/queue-entry.ts';
import { campaignsQueue } from '../../domain/queue-names.ts';
import type { SharedState } from '../../durable/shared-state.ts';

/** Each webhook asks for the list: it is read from the store no more often than this. */
const recentMs = 2_000;

/** The campaigns of each workspace, the latest first. */
export interface CampaignLists {
  of(teamId: string): Promise<readonly CampaignSummary[]>;
  /** As the list was at most two seconds ago, or after the last change by this instance. */
  recent(teamId: string): Promise<readonly CampaignSummary[]>;
  /** Changes the list and puts entries into queues in one step. `change` runs again where the list has changed meanwhile. */
  change(teamId: string, change: (campaigns: readonly CampaignSummary[]) => ListChange): Promise<void>;
}

interface ListChange {
  campaigns: readonly CampaignSummary[];
  put?: readonly NewQueueEntry[];
}

export interface StoredList {
  campaigns: readonly CampaignSummary[];
}

/** @param deps.retentionMs how long campaigns that ended stay in the list */
export function createCampaignLists({
  shared,
  retentionMs,
  now,
  steadyNow,
}: {
  shared: SharedState;
  retentionMs: number;
  now: () => number;
  /** Decides what is forgotten. Never later than `now`. */
  steadyNow: () => number;
}): CampaignLists {
  const cached = new Map<string, { readAt: number; campaigns: Promise<readonly CampaignSummary[]> }>();

  function kept(campaigns: readonly CampaignSummary[]): readonly CampaignSummary[] {
    const since = steadyNow() - retentionMs;
    return campaigns.filter(({ endedAt }) => endedAt === null || endedAt > since);
  }

  async function read(teamId: string): Promise<readonly CampaignSummary[]> {
    return kept((await shared.read<StoredList>(campaignsQueue(teamId)))?.campaigns ?? []);
  }

  async function readAndCache(teamId: string): Promise<readonly CampaignSummary[]> {
    const campaigns = read(teamId);
    const entry = { readAt: now(), campaigns };
    cached.set(teamId, entry);
    return campaigns.catch((error: unknown) => {
      if (cached.get(teamId) === entry) cached.delete(teamId);
      throw error;
    });
  }

  return {
    of: read,
    async recent(teamId) {
      const known = cached.get(teamId);
      return known && Math.abs(now() - known.readAt) <= recentMs ? known.campaigns : readAndCache(teamId);
    },
    async change(teamId, change) {
      await shared.change<StoredList>(campaignsQueue(teamId), (list) => {
        const { campaigns, put = [] } = change(list?.campaigns ?? []);
        return { state: { campaigns: kept(campaigns) }, put };
      });
      cached.delete(teamId);
    },
  };
}

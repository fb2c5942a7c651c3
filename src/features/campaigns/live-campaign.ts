import type { Announcement } from '../../domain/announcement.ts';
import type { BatchProgress } from '../../domain/batch.ts';
import type { Campaign } from '../../domain/campaign.ts';

/** What a live message of a campaign shows, and where. */
export interface LiveCampaign {
  to: { channelId: string } | { personId: string };
  announcement: Announcement;
  /** It does not change any more. */
  isFinal: boolean;
}

/**
 * Returns what the live message with an ID shows: the board for `campaign-<id>`, the final post for `campaign-end-<id>`;
 * undefined where there is none.
 */
export function createLiveCampaign(deps: {
  campaign: (teamId: string, campaignId: string) => Promise<Campaign | undefined>;
  assigning: (teamId: string, batchId: string) => Promise<BatchProgress | undefined>;
  now: () => number;
}): (teamId: string, id: string) => Promise<LiveCampaign | undefined> {
  return async (teamId, id) => {
    const [, end, campaignId] = /^campaign-(end-)?(.+)$/.exec(id) ?? [];
    const campaign = campaignId === undefined ? undefined : await deps.campaign(teamId, campaignId);
    if (campaign === undefined) return undefined;
    const { board, ownerId, endedAt, batchId } = campaign;
    const to = board === null ? { personId: ownerId } : { channelId: board.channelId };
    const now = deps.now();
    if (end !== undefined)
      return endedAt === null
        ? undefined
        : { to, announcement: { kind: 'campaign-end', campaign, now }, isFinal: true };
    if (board === null) return undefined;
    const assigning = batchId === null || endedAt !== null ? undefined : await deps.assigning(teamId, batchId);
    return { to, announcement: { kind: 'campaign-board', campaign, assigning, now }, isFinal: endedAt !== null };
  };
}

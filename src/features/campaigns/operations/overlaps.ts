import { openMembers } from '../../../obligations/members.ts';
import type { CampaignOverlap } from '../../../domain/campaign-plan.ts';
import type { CampaignService } from '../../../operations/services/campaigns.ts';

/** The campaigns that run for a quiz and in which some of these users have to take it, the latest first. */
export async function findOverlaps(
  campaigns: Pick<CampaignService, 'all' | 'byId'>,
  quizId: string,
  userIds: readonly string[],
  now: number,
): Promise<CampaignOverlap[]> {
  const wanted = new Set(userIds);
  const running = (await campaigns.all()).filter(({ quiz, endedAt }) => quiz.id === quizId && endedAt === null);
  const found = await Promise.all(running.map(({ id }) => campaigns.byId(id)));
  return found.flatMap((campaign) => {
    if (campaign === undefined || campaign.endedAt !== null) return [];
    const { id, ownerId, schedule } = campaign;
    const people = openMembers(campaign, now).filter(({ userId }) => wanted.has(userId)).length;
    return people === 0 ? [] : [{ campaignId: id, ownerId, dueAt: schedule.dueAt ?? null, people }];
  });
}

import type { Campaign, CampaignSummary } from '../domain/campaign.ts';
import type { OperationContext } from './context.ts';

/** Each is read from the store. */
const campaignsAtMost = 40;

/**
 * Campaigns that run, for what they mean to the person, who may not see them. Of more, those that the person started and those for
 * their quizzes are read.
 */
export async function nearestCampaigns({
  campaigns,
  actor,
  rights,
  visibility,
}: Pick<OperationContext, 'campaigns' | 'actor' | 'rights' | 'visibility'>): Promise<Campaign[]> {
  if (!rights.has('known')) return [];
  const running = (await campaigns.all()).filter(({ endedAt }) => endedAt === null);
  const nearness = ({ ownerId, quiz }: CampaignSummary) =>
    ownerId === actor.personId ? 0 : visibility.quiz({ quiz_id: quiz.id }) ? 1 : 2;
  const nearest = running.toSorted((a, b) => nearness(a) - nearness(b)).slice(0, campaignsAtMost);
  const found = await Promise.all(nearest.map(({ id }) => campaigns.byId(id)));
  return found.flatMap((campaign) => (campaign?.endedAt === null ? [campaign] : []));
}

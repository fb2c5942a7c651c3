import type { Campaign } from '../../domain/campaign.ts';
import { restsUntil } from '../../durable/rest.ts';
import type { CampaignProgress } from './campaign-progress.ts';

/** After the first of several changes: a channel that is filled is compared once. */
export const changesGatheredForMs = 60_000;
/** What a campaign knows of a part of its audience covers what follows so soon, and is not told again. */
export const changesCoveredForMs = 50_000;
const dayMs = 24 * 60 * 60_000;
/** Campaigns are compared within this time after the beginning of a day in UTC, so that they share what is read. */
const spreadMs = 30 * 60_000;

/**
 * When the audience of a campaign is next compared with its members: once a day, and after a change. While its quiz is being
 * assigned, changes wait. In milliseconds since the epoch; infinite where the campaign does not stand.
 */
export function nextComparison(
  campaign: Campaign,
  circumstances: Pick<CampaignProgress, 'comparedAt' | 'audienceChanged' | 'compareRestsFrom' | 'compareAgainAt'> & {
    now: number;
  },
  isAssigning: boolean,
): number {
  if (campaign.rule.standing === null || campaign.audience.length === 0) return Infinity;
  const { now, audienceChanged, compareRestsFrom, compareAgainAt = 0 } = circumstances;
  const changed =
    audienceChanged === undefined || isAssigning ? Infinity : audienceChanged.since + changesGatheredForMs;
  return (
    restsUntil({ restsFrom: compareRestsFrom, notBefore: compareAgainAt }, now) ??
    Math.min(nextDaily(campaign, circumstances), changed)
  );
}

/** When a campaign is next compared whatever has changed, in milliseconds since the epoch. */
export function nextDaily(
  { id, startedAt }: Pick<Campaign, 'id' | 'startedAt'>,
  { now, comparedAt }: Pick<CampaignProgress, 'comparedAt'> & { now: number },
): number {
  if (comparedAt === undefined || comparedAt > now) return startedAt;
  const spread = spreadOf(id);
  return Math.floor((comparedAt - spread) / dayMs + 1) * dayMs + spread;
}

/** The same for a campaign each day. */
function spreadOf(id: string): number {
  let sum = 0;
  for (const char of id) sum = (sum * 31 + char.charCodeAt(0)) % spreadMs;
  return sum;
}

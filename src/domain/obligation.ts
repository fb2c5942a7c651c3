import type { Campaign, CampaignMember } from './campaign.ts';

/**
 * How a person stands to what they have to do: worked out from what is known of them, never stored. `marking`: submitted, and
 * a person has to mark it, so there is nothing for them to do. `not me`: they said that the quiz is not for them, and the
 * trainer has to decide.
 */
export type ObligationState = 'complete' | 'excused' | 'marking' | 'not me' | 'open';

/** @param now milliseconds since the epoch */
export function obligationState(
  { result, excused, saidNotMeAt }: CampaignMember,
  { completeWhen }: Pick<Campaign, 'completeWhen'>,
  now: number,
): ObligationState {
  if (excused !== null && now < (excused.until ?? Infinity)) return 'excused';
  if (result && (completeWhen === 'submitted' || result.outcome === 'passed' || result.outcome === 'not graded'))
    return 'complete';
  if (result?.outcome === 'unmarked') return 'marking';
  return saidNotMeAt === null ? 'open' : 'not me';
}

/** The members who still have to take the quiz. */
export function openMembers(campaign: Campaign, now: number): CampaignMember[] {
  return campaign.members.filter((member) => obligationState(member, campaign, now) === 'open');
}

/** How many members are in each state. */
export function countMembers(campaign: Campaign, now: number): Record<ObligationState, number> {
  const counts = { complete: 0, excused: 0, marking: 0, 'not me': 0, open: 0 };
  for (const member of campaign.members) counts[obligationState(member, campaign, now)] += 1;
  return counts;
}

/** When an excuse next ends; undefined where none does. */
export function nextExcuseEnd({ members }: Pick<Campaign, 'members'>, now: number): number | undefined {
  const ends = members.flatMap(({ excused }) => (excused?.until && excused.until > now ? [excused.until] : []));
  return ends.length === 0 ? undefined : Math.min(...ends);
}

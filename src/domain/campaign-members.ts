import type { Campaign, CampaignMember } from './campaign.ts';

/**
 * `marking`: submitted, and a person has to mark it, so there is nothing for the member to do. `not me`: the member said that
 * the quiz is not for them, and the trainer has to decide.
 */
export type MemberState = 'complete' | 'excused' | 'marking' | 'not me' | 'open';

export function memberState(
  { result, excused, saidNotMeAt }: CampaignMember,
  { completeWhen }: Pick<Campaign, 'completeWhen'>,
): MemberState {
  if (excused) return 'excused';
  if (result && (completeWhen === 'submitted' || result.outcome === 'passed' || result.outcome === 'not graded'))
    return 'complete';
  if (result?.outcome === 'unmarked') return 'marking';
  return saidNotMeAt === null ? 'open' : 'not me';
}

/** The members who still have to take the quiz. */
export function openMembers(campaign: Campaign): CampaignMember[] {
  return campaign.members.filter((member) => memberState(member, campaign) === 'open');
}

/** How many members are in each state. */
export function countMembers(campaign: Campaign): Record<MemberState, number> {
  const counts = { complete: 0, excused: 0, marking: 0, 'not me': 0, open: 0 };
  for (const member of campaign.members) counts[memberState(member, campaign)] += 1;
  return counts;
}

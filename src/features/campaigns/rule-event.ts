import type { Campaign, CampaignEvent, CampaignMember } from '../../domain/campaign.ts';
import { memberState } from '../../obligations/members.ts';
import { changedTerms } from './operations/rule-change.ts';

/**
 * A campaign after its rule was changed. Members who know another due time get a message, as after `extend`; so do those who were
 * asked before, and have to take it again.
 */
export function withRule(campaign: Campaign, { change, at }: Extract<CampaignEvent, { kind: 'rule' }>): Campaign {
  const { validity: _, standing: __, ...others } = campaign;
  const changed: Campaign = { ...others, ...changedTerms(campaign, change), dueChangedAt: at };
  const isAskedAgain = (member: CampaignMember) =>
    member.notifiedAt !== null &&
    memberState(member, campaign, at) === 'complete' &&
    memberState(member, changed, at) === 'open';
  return {
    ...changed,
    members: campaign.members.map((member) => (isAskedAgain(member) ? { ...member, remindNowAt: at } : member)),
  };
}

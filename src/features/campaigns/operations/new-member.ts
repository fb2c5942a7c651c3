import type { CampaignMember } from '../../../domain/campaign.ts';

/** Somebody of whom the campaign knows nothing yet. @param addedAt in milliseconds since the epoch */
export function newMember(
  {
    userId,
    name,
    groups,
    personId,
    timeZone,
  }: Pick<CampaignMember, 'userId' | 'name' | 'groups' | 'personId' | 'timeZone'>,
  addedAt: number,
): CampaignMember {
  return {
    userId,
    name,
    groups,
    personId,
    timeZone,
    stays: [{ from: addedAt }],
    messages: [],
    snoozedUntil: null,
    remindNowAt: null,
    attempts: [],
    excused: null,
    saidNotMeAt: null,
    askAgainAt: null,
    managerId: null,
    notReportOf: [],
    assignment: 'has',
  };
}

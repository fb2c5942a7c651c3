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
    addedAt,
    notifiedAt: null,
    remindedAt: [],
    snoozedUntil: null,
    result: null,
    responseIds: [],
    attempts: [],
    excused: null,
    saidNotMeAt: null,
  };
}

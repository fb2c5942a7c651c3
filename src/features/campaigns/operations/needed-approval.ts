import { isInside } from '../../../obligations/people.ts';
import type { Campaign } from '../../../domain/campaign.ts';
import type { CampaignPlan } from '../../../domain/campaign-plan.ts';
import type { AudiencePart, AudiencePerson } from '../../../operations/fields/audience.ts';

/** More people are written to only after another person has looked at the list. */
const peopleAtOnce = 100;

/**
 * Why another person has to approve that people take part in a campaign; null where none has to. Many people count more:
 * then administrators need approval, too.
 *
 * @param already how many people are in it
 */
export function approvalFor(
  people: readonly Pick<AudiencePerson, 'isTrained'>[],
  already = 0,
): CampaignPlan['approval'] {
  if (people.length === 0) return null;
  if (already + people.length > peopleAtOnce) return 'many people';
  return people.every(({ isTrained }) => isTrained) ? null : 'other people';
}

/** Likewise for people who are added to a campaign that runs. */
export function approvalToAdd(people: readonly AudiencePart[], campaign: Pick<Campaign, 'members'>) {
  return approvalFor(newcomers(people, campaign), campaign.members.length);
}

/** Those who are not in the campaign, or not any more, each once. */
export function newcomers(
  people: readonly AudiencePart[],
  { members }: Pick<Campaign, 'members'>,
): readonly AudiencePerson[] {
  const found = new Map(people.flatMap((part) => part.people.map((person) => [person.userId, person])));
  for (const member of members) if (isInside(member)) found.delete(member.userId);
  return [...found.values()];
}

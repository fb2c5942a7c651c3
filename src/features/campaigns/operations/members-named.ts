import { markedName } from '../../../directory/names.ts';
import type { Campaign, CampaignMember } from '../../../domain/campaign.ts';
import { named, namedList } from '../../../domain/sentence.ts';
import { say } from '../../../domain/said.ts';
import { InvalidInputError } from '../../../operations/errors.ts';
import type { User } from '../../../quiz-api/users.ts';

/**
 * The members who these people are.
 * @throws {InvalidInputError} where one of them is none
 */
export function membersNamed(campaign: Pick<Campaign, 'members' | 'quiz'>, people: readonly User[]): CampaignMember[] {
  const members = new Map(campaign.members.map((member) => [member.userId, member]));
  const strangers = people.filter(({ user_id }) => !members.has(user_id));
  if (strangers.length > 0)
    throw new InvalidInputError(
      'people',
      say`${namesOf(strangers)} ${strangers.length === 1 ? 'isn’t' : 'aren’t'} in the campaign for ${named(campaign.quiz.name)}.`,
    );
  return people.flatMap(({ user_id }) => members.get(user_id) ?? []);
}

export function namesOf(users: readonly User[]): string {
  return namedList(users.map(markedName));
}

import type { Campaign, CampaignMember } from '../../../domain/campaign.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { visibleRunning } from '../../../operations/fields/campaign.ts';
import type { Field } from '../../../operations/fields/fields.ts';
import type { Quiz } from '../../../quiz-api/quizzes.ts';
import type { User } from '../../../quiz-api/users.ts';

/** The fields of a change for people in all campaigns that they are in. */
export const peopleField = {
  kind: 'users',
  label: 'People',
  hint: 'The list has those who have to do something',
  byName: true,
  inCampaigns: true,
} as const satisfies Field;

export const quizzesField = {
  kind: 'quizzes',
  label: 'Quizzes',
  hint: 'Only these. Leave empty for all that they have to take',
  optional: true,
} as const satisfies Field;

/** The campaigns that run and that the person sees, with those of these people who are in them; for some quizzes only, if any are named. */
export async function campaignsOf(
  context: OperationContext<'campaigns'>,
  people: readonly User[],
  quizzes: readonly Quiz[] | undefined,
): Promise<{ campaign: Campaign; members: readonly CampaignMember[] }[]> {
  const userIds = new Set(people.map(({ user_id }) => user_id));
  const quizIds = quizzes?.length ? new Set(quizzes.map(({ quiz_id }) => quiz_id)) : undefined;
  return (await visibleRunning(context))
    .filter(({ quiz }) => quizIds?.has(quiz.id) ?? true)
    .map((campaign) => ({ campaign, members: campaign.members.filter(({ userId }) => userIds.has(userId)) }))
    .filter(({ members }) => members.length > 0);
}

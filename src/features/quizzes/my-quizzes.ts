import { defineOperation } from '../../operations/operation.ts';
import { ownObligations } from '../../obligations/people.ts';
import { withObligations, type AssignedQuizzes } from './own-quizzes.ts';
import { assignedQuizzesOf } from './assigned-quizzes.ts';
import { ownQuizzesPage } from './pages.ts';
import { say } from '../../domain/said.ts';
import type { Campaign, CampaignSummary } from '../../domain/campaign.ts';
import type { OperationContext } from '../../operations/context.ts';

export const myQuizzes = defineOperation({
  name: 'my-quizzes',
  command: '/quiz mine',
  synonyms: ['me', 'my'],
  summary: 'Show your quizzes and your results',
  title: say`Your quizzes`,
  isCommon: true,
  access: 'read',
  right: 'known',
  submit: 'Show',
  fields: {},
  async run(context) {
    const { api, actor, call, takeLink } = context;
    const shown = (assigned: AssignedQuizzes) => ({
      kind: 'page' as const,
      ...ownQuizzesPage(assigned),
    });
    if (actor.user === undefined) return shown({ quizzes: [], leftOut: 0, isStillReading: false });
    const { user_id: userId } = actor.user;
    const [user, running] = await Promise.all([api.users.get(userId, call), nearestCampaigns(context)]);
    const assigned = await assignedQuizzesOf(user, context, takeLink);
    const now = context.now();
    return shown(withObligations(assigned, ownObligations(running, userId, now), { now, takeLink }));
  },
});

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

import { defineOperation } from '../../operations/operation.ts';
import { ownObligations } from '../../obligations/people.ts';
import { nearestCampaigns } from '../../operations/nearest-campaigns.ts';
import { assignedQuizzesOf } from './assigned-quizzes.ts';
import { withObligations, type AssignedQuizzes } from './own-quizzes.ts';
import { ownQuizzesPage } from './pages.ts';
import { say } from '../../domain/said.ts';

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

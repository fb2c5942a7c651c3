import type { CampaignPlan } from '../../../domain/campaign-plan.ts';
import { say } from '../../../domain/said.ts';
import { invalid, valueOf } from '../../../operations/fields/field-kind.ts';
import type { PlanKind } from '../../../operations/plans/plan-kind.ts';
import { peopleWords } from './campaign-words.ts';

export const plannedCampaign: PlanKind<CampaignPlan> = {
  isEmpty: ({ members }) => members.length === 0,
  describe: ({ quiz, members }) => `${quiz.name}, ${peopleWords(members.length)}`,
  targets: ({ quiz }) => [{ kind: 'quiz', id: quiz.id, name: quiz.name, facts: { Name: quiz.name } }],
  startedMessage: say`This campaign was started already. /quiz-campaign list shows it.`,
  async judge(content, { visibility, directory, call }) {
    if (!visibility.quiz({ quiz_id: content.quiz.id })) return invalid(say`You can’t see this quiz any more.`);
    const users = await directory.users.names(call);
    const isTrained = content.members.every(({ userId }) => {
      const user = users.byId(userId);
      return user === undefined || visibility.trains(user);
    });
    return valueOf(isTrained ? content : { ...content, approval: 'other people' });
  },
};

import type { CampaignChangePlan } from '../../../domain/campaign-plan.ts';
import { say } from '../../../domain/said.ts';
import { visibleCampaigns } from '../../../operations/fields/campaign.ts';
import { invalid, valueOf } from '../../../operations/fields/field-kind.ts';
import type { PlanKind } from '../../../operations/plans/plan-kind.ts';
import { isNewlyAsked } from './plan-change.ts';
import { changeWords, changedParts } from './rule-words.ts';

export const plannedChange: PlanKind<CampaignChangePlan> = {
  isEmpty: ({ before, after }) => changedParts(before, after).length === 0,
  describe: ({ quiz, before, after }) => `${quiz.name}, ${changeWords(before, after)}`,
  targets: ({ quiz }) => [{ kind: 'quiz', id: quiz.id, name: quiz.name, facts: { Name: quiz.name } }],
  startedMessage: say`This change was made already. /quiz-campaign show has the campaign as it is.`,
  async judge(content, context) {
    const visible = await visibleCampaigns(context);
    if (!visible.some(({ id }) => id === content.campaignId))
      return invalid(say`You can’t see this campaign any more.`);
    const users = await context.directory.users.names(context.call);
    const isTrained = content.members.filter(isNewlyAsked).every(({ userId }) => {
      const user = users.byId(userId);
      return user === undefined || context.visibility.trains(user);
    });
    return valueOf(isTrained ? content : { ...content, approval: 'other people' });
  },
};

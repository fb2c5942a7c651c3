import type { CampaignPlan, CampaignChangePlan } from '../../../domain/campaign-plan.ts';
import { say } from '../../../domain/said.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { invalid, valueOf, type ResolvedValue } from '../../../operations/fields/field-kind.ts';
import type { PlanKind } from '../../../operations/plans/plan-kind.ts';
import { peopleWords } from './campaign-words.ts';
import { visibleCampaigns } from '../../../operations/fields/campaign.ts';
import { isNewlyAsked } from './plan-change.ts';
import { changeWords, changedParts } from './rule-words.ts';

export const plannedCampaign: PlanKind<CampaignPlan> = {
  isEmpty: ({ members }) => members.length === 0,
  describe: ({ draft: { quiz }, members }) => `${quiz.name}, ${peopleWords(members.length)}`,
  targets: ({ draft: { quiz } }) => [{ kind: 'quiz', id: quiz.id, name: quiz.name, facts: { Name: quiz.name } }],
  startedMessage: say`This campaign was started already. /quiz-campaign list shows it.`,
  async judge(content, context) {
    if (!context.visibility.quiz({ quiz_id: content.draft.quiz.id }))
      return invalid(say`You can’t see this quiz any more.`);
    return judged(content, content.members, context);
  },
};

export const plannedChange: PlanKind<CampaignChangePlan> = {
  isEmpty: ({ before, after }) => changedParts(before, after).length === 0,
  describe: ({ quiz, before, after }) => `${quiz.name}, ${changeWords(before, after)}`,
  targets: ({ quiz }) => [{ kind: 'quiz', id: quiz.id, name: quiz.name, facts: { Name: quiz.name } }],
  startedMessage: say`This change was made already. /quiz-campaign show has the campaign as it is.`,
  async judge(content, context) {
    const visible = await visibleCampaigns(context);
    if (!visible.some(({ id }) => id === content.campaignId))
      return invalid(say`You can’t see this campaign any more.`);
    return judged(content, content.members.filter(isNewlyAsked), context);
  },
};

/** Whoever does not train all of the people whom it asks needs another person for it. */
async function judged<Content extends CampaignPlan | CampaignChangePlan>(
  content: Content,
  asked: readonly { userId: string }[],
  { directory, visibility, call }: OperationContext,
): Promise<ResolvedValue<Content>> {
  const users = await directory.users.names(call);
  const isTrained = asked.every(({ userId }) => {
    const user = users.byId(userId);
    return user === undefined || visibility.trains(user);
  });
  return valueOf(isTrained ? content : { ...content, approval: 'other people' });
}

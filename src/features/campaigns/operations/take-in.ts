import type { Campaign } from '../../../domain/campaign.ts';
import type { CampaignPlan } from '../../../domain/campaign-plan.ts';
import { named } from '../../../domain/sentence.ts';
import { say } from '../../../domain/said.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { InvalidInputError } from '../../../operations/errors.ts';
import type { AudiencePart } from '../../../operations/fields/audience.ts';
import { runStep } from '../../../operations/next-step.ts';
import { defineOperation } from '../../../operations/operation.ts';
import type { Step } from '../../../operations/page.ts';
import { assignmentWarning } from '../../quizzes/assignment-words.ts';
import { growingCampaign } from './campaign-field.ts';
import { planFor, previewCampaign } from './plan.ts';
import { viewStep } from './list-and-show.ts';
import { findWhoTakesPart } from './who-takes-part.ts';

/** Works out what taking in those who wait would do. It starts with a button on the answer, as a campaign does. */
export const takeIn = defineOperation({
  name: 'take-in',
  command: '/quiz-campaign take-in <campaign>',
  summary: 'Take in who has joined the audience of an ongoing campaign; shows what would happen first',
  title: say`Take people in`,
  access: 'read',
  right: 'edit_quizzes',
  submit: 'Preview',
  forPeopleOnly: true,
  fields: { campaign: growingCampaign },
  async run(context, { campaign }) {
    const { api, call } = context;
    if (campaign.candidates === null)
      return { kind: 'done', isNoChange: true, message: nobodyWaitsMessage(campaign), next: [viewStep(campaign.id)] };
    refuseWhileAssigning(campaign);
    const quiz = await api.quizzes.get(campaign.quiz.id, call);
    const plan = await planTakingIn(context, campaign, campaign.candidates);
    return previewCampaign(context, plan, undefined, { warning: assignmentWarning(quiz) });
  },
});

/** A button that shows who waits to be taken in. */
export function reviewStep(campaignId: string): Step {
  return runStep(say`Review`, takeIn, { campaign: [campaignId] });
}

/** One batch at a time: its rows say who has the quiz. @throws {InvalidInputError} */
export function refuseWhileAssigning({ members, quiz }: Pick<Campaign, 'members' | 'quiz'>, field = 'campaign'): void {
  if (members.some(({ assignment }) => assignment === 'waiting'))
    throw new InvalidInputError(
      field,
      say`${named(quiz.name)} is still being assigned to others in this campaign. Try again in a few minutes.`,
    );
}

export function nobodyWaitsMessage({ quiz, rule }: Pick<Campaign, 'quiz' | 'rule'>): string {
  return rule.standing === null
    ? say`The campaign for ${named(quiz.name)} is one round: people who join later take part once you add them.`
    : say`Nobody waits to be taken into the campaign for ${named(quiz.name)}.`;
}

/** Works out a plan of the kind that starts campaigns, for those of the candidates who are still in the account. */
async function planTakingIn(
  context: OperationContext,
  campaign: Campaign,
  { people }: NonNullable<Campaign['candidates']>,
): Promise<CampaignPlan> {
  const all = await context.directory.users.fresh(context.call);
  const byId = new Map(all.map((user) => [user.user_id, user]));
  const to = people.flatMap(({ userId }): AudiencePart[] => {
    const user = byId.get(userId);
    return user ? [{ kind: 'user', user, people: [] }] : [];
  });
  const { id, quiz, rule, timeZone, leads, audience, leftOut, except, words } = campaign;
  const found = await findWhoTakesPart(context, { quiz_id: quiz.id }, { rule, timeZone, to, except: [] });
  const { takesMinutes } = found;
  const draft = { quiz, rule, timeZone, leads, audience, leftOut, except, words, takesMinutes };
  const plan = await planFor(context, found, draft);
  return { ...plan, into: id, overlaps: plan.overlaps.filter(({ campaignId }) => campaignId !== id) };
}

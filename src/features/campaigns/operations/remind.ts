import { openMembers } from '../../../domain/obligation.ts';
import { named } from '../../../domain/sentence.ts';
import { defineOperation } from '../../../operations/operation.ts';
import { campaignField } from './campaign-field.ts';
import { viewStep } from './show-campaign.ts';
import type { Campaign } from '../../../domain/campaign.ts';
import { peopleWords } from './campaign-words.ts';

export const remindCampaign = defineOperation({
  name: 'remind-campaign',
  command: '/quiz-campaign remind <campaign>',
  synonyms: ['nudge', 'chase'],
  summary: 'Remind everyone who hasn’t completed the quiz, as soon as their working hours allow',
  isCommon: true,
  buttons: {
    campaign: [
      {
        label: 'Remind now',
        in: ['list', 'page'],
        position: 2,
        when: ({ endedAt }) => endedAt === null,
        input: ({ id }) => ({ campaign: [id] }),
      },
    ],
  },
  access: 'write',
  right: 'edit_quizzes',
  needsPress: () => true,
  submit: 'Remind',
  uses: ['campaigns'],
  fields: { campaign: campaignField },
  action: ({ campaign }) => `remind everyone who hasn’t completed ${named(campaign.quiz.name)}`,
  effect: () => 'Everyone who still has to take the quiz would get a reminder.',
  async run({ campaigns, now }, { campaign }) {
    const reached = openMembers(campaign, now()).filter(({ personId }) => personId !== null);
    const next = [viewStep(campaign.id)];
    if (reached.length === 0)
      return {
        kind: 'done',
        isNoChange: true,
        message: `Nobody in the campaign for ${named(campaign.quiz.name)} is left to remind.`,
        next,
      };
    await campaigns.put(campaign.id, { kind: 'remind-now', at: now() });
    return { kind: 'done', message: remindedMessage(campaign, reached.length), next };
  },
});

/** @param count how many people get a reminder */
export function remindedMessage({ quiz }: Pick<Campaign, 'quiz'>, count: number): string {
  return `Scheduled ${count === 1 ? 'a reminder' : 'reminders'} about ${named(quiz.name)} for ${peopleWords(count)}. ${count === 1 ? 'It goes out in their working hours' : 'Each goes out in the person’s working hours'}, at most one message a day.`;
}

import { openMembers } from '../../../domain/campaign-members.ts';
import { named } from '../../../domain/sentence.ts';
import { defineOperation } from '../../../operations/operation.ts';
import { campaignField } from './campaign-field.ts';
import { viewStep } from './show-campaign.ts';
import type { Campaign } from '../../../domain/campaign.ts';
import { runStep } from '../../../operations/next-step.ts';
import { reportCampaign } from './report-campaign.ts';

export const endCampaign = defineOperation({
  name: 'end-campaign',
  command: '/quiz-campaign end <campaign>',
  summary: 'End a campaign before its time, with its report',
  buttons: {
    campaign: [
      {
        label: 'End',
        in: ['page'],
        position: 7,
        when: ({ endedAt }) => endedAt === null,
        input: ({ id }) => ({ campaign: [id] }),
      },
    ],
  },
  access: 'write',
  right: 'edit_quizzes',
  needsPress: () => true,
  submit: 'End',
  uses: ['campaigns'],
  fields: { campaign: campaignField },
  warn(_, { campaign }) {
    const { length } = openMembers(campaign);
    return length === 0
      ? undefined
      : `${length === 1 ? '1 person hasn’t' : `${length.toLocaleString('en')} people haven’t`} completed ${named(campaign.quiz.name)} yet, and would get no more reminders.`;
  },
  action: ({ campaign }) => `end the campaign for ${named(campaign.quiz.name)}`,
  effect: () => 'Nobody would get any more reminders.',
  async run({ campaigns, now }, { campaign }) {
    await campaigns.put(campaign.id, { kind: 'end', at: now() });
    const input = { campaign: [campaign.id] };
    return {
      kind: 'done',
      message: endedMessage(campaign),
      next: [runStep('Get report', reportCampaign, input), viewStep(campaign.id)],
    };
  },
});

export function endedMessage({ quiz }: Pick<Campaign, 'quiz'>): string {
  return `Ended the campaign for ${named(quiz.name)}. Nobody gets any more reminders.`;
}

import { openPeople } from '../../../obligations/people.ts';
import { named } from '../../../domain/sentence.ts';
import { defineOperation } from '../../../operations/operation.ts';
import { campaignField } from './campaign-field.ts';
import { peopleWords } from './campaign-words.ts';
import { viewStep } from './list-and-show.ts';
import type { Campaign } from '../../../domain/campaign.ts';
import { say } from '../../../domain/said.ts';
import { runStep } from '../../../operations/next-step.ts';
import { reportCampaign } from './report-campaign.ts';

export const endCampaign = defineOperation({
  name: 'end-campaign',
  command: '/quiz-campaign end <campaign>',
  synonyms: ['stop', 'cancel', 'finish', 'close'],
  summary: 'End a campaign before its time, with its report',
  title: say`End campaign`,
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
  rules: [{ name: 'every other change of a campaign' }],
  needsPress: () => true,
  submit: 'End',
  fields: { campaign: campaignField },
  warn({ now }, { campaign }) {
    const { length } = openPeople(campaign, now());
    return length === 0
      ? undefined
      : say`${peopleWords(length)} ${length === 1 ? 'hasn’t' : 'haven’t'} completed ${named(campaign.quiz.name)} yet, and would get no more reminders.`;
  },
  action: ({ campaign }) => say`end the campaign for ${named(campaign.quiz.name)}`,
  effect: () => say`Nobody would get any more reminders.`,
  async run({ campaigns, actor, now }, { campaign }) {
    await campaigns.put(campaign.id, { kind: 'end', at: now(), by: actor.personId });
    const input = { campaign: [campaign.id] };
    return {
      kind: 'done',
      message: endedMessage(campaign),
      next: [runStep(say`Get report`, reportCampaign, input), viewStep(campaign.id)],
    };
  },
});

export function endedMessage({ quiz }: Pick<Campaign, 'quiz'>): string {
  return say`Ended the campaign for ${named(quiz.name)}. Nobody gets any more reminders.`;
}

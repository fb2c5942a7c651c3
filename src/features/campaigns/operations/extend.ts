import { named } from '../../../domain/sentence.ts';
import { zoneOf } from '../../../operations/dates/person-zone.ts';
import { timeInWords } from '../../../operations/dates/typed-time.ts';
import { InvalidInputError } from '../../../operations/errors.ts';
import { defineOperation } from '../../../operations/operation.ts';
import { endOf, readDue } from './schedule-input.ts';
import { campaignField } from './campaign-field.ts';
import { viewStep } from './show-campaign.ts';
import type { Campaign } from '../../../domain/campaign.ts';

export const extendCampaign = defineOperation({
  name: 'extend-campaign',
  command: '/quiz-campaign extend <campaign> to <time>',
  summary: 'Give people more time: 20 dec 17:00, friday, in 2 weeks',
  isCommon: true,
  buttons: {
    campaign: [
      {
        label: 'Extend…',
        in: ['list', 'page'],
        position: 3,
        opensForm: true,
        when: ({ endedAt }) => endedAt === null,
        input: ({ id }) => ({ campaign: [id] }),
      },
    ],
  },
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Extend',
  uses: ['campaigns'],
  fields: {
    campaign: campaignField,
    time: {
      kind: 'text',
      label: 'New due time',
      hint: 'For example 20 dec 17:00, or friday. A day alone is due at 17:00',
      maxLength: 60,
    },
  },
  action: ({ campaign }) => `extend the campaign for ${named(campaign.quiz.name)}`,
  effect: (_, { time }) => `It would be due ${named(time)}.`,
  async run(context, { campaign, time }) {
    const setting = { nowMs: context.now(), timeZone: zoneOf(context) };
    const dueAt = readDue(time, 'time', setting);
    const { schedule } = campaign;
    if (schedule.dueAt !== undefined && dueAt <= schedule.dueAt) {
      throw new InvalidInputError(
        'time',
        `The campaign is due ${timeInWords(schedule.dueAt, setting)}. Choose a later time.`,
      );
    }
    await context.campaigns.put(campaign.id, { kind: 'extend', dueAt, endsAt: endOf(dueAt, schedule.escalateAfterMs) });
    return {
      kind: 'done',
      message: extendedMessage(campaign, timeInWords(dueAt, setting)),
      next: [viewStep(campaign.id)],
    };
  },
});

/** @param due in words, such as “Tue 15 Dec, 17:00” */
export function extendedMessage({ quiz }: Pick<Campaign, 'quiz'>, due: string): string {
  return `Extended the campaign for ${named(quiz.name)}. It’s now due ${due}.`;
}

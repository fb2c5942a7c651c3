import { publicName } from '../../../directory/names.ts';
import type { Campaign } from '../../../domain/campaign.ts';
import { named } from '../../../domain/sentence.ts';
import { say } from '../../../domain/said.ts';
import { zoneOf } from '../../../operations/dates/person-zone.ts';
import { InvalidInputError } from '../../../operations/errors.ts';
import { defineOperation } from '../../../operations/operation.ts';
import { canLead } from './can-lead.ts';
import { campaignField } from './campaign-field.ts';
import { viewStep } from './show-campaign.ts';

/** Makes another person answer for a campaign: they own it, and hear who is missing. */
export const handOverCampaign = defineOperation({
  name: 'hand-over-campaign',
  command: '/quiz-campaign hand-over <campaign> to <to>',
  synonyms: ['transfer'],
  summary: 'Make someone else answer for a campaign; you, if you name nobody',
  title: say`Hand a campaign over`,
  buttons: {
    campaign: [
      {
        label: 'Hand over…',
        in: ['page'],
        position: 9,
        opensForm: true,
        when: ({ endedAt }) => endedAt === null,
        input: ({ id }) => ({ campaign: [id] }),
      },
    ],
  },
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Hand over',
  forPeopleOnly: true,
  uses: ['campaigns', 'reach'],
  fields: {
    campaign: campaignField,
    to: { kind: 'user', label: 'To', hint: 'Leave empty if it’s you', byName: true, optional: true },
  },
  action: ({ campaign, to }) =>
    to === undefined
      ? say`take the campaign for ${named(campaign.quiz.name)} over`
      : say`hand the campaign for ${named(campaign.quiz.name)} over to ${named(publicName(to))}`,
  effect: () => say`They would get its questions, and the names of the people who are missing.`,
  async run(context, { campaign, to: chosen }) {
    const { actor, campaigns, call } = context;
    const next = [viewStep(campaign.id)];
    if (chosen === undefined || chosen.user_id === actor.user?.user_id) {
      const lead = { userId: actor.user?.user_id ?? '', timeZone: zoneOf(context) };
      if (campaign.ownerId === actor.personId && campaign.lead.userId === lead.userId)
        return {
          kind: 'done',
          isNoChange: true,
          message: say`You answer for the campaign for ${named(campaign.quiz.name)} already. Nothing changed.`,
          next,
        };
      await campaigns.put(campaign.id, { kind: 'hand-over', ownerId: actor.personId, lead });
      return { kind: 'done', message: takenOverMessage(campaign), next };
    }
    if (!canLead(chosen))
      throw new InvalidInputError(
        'to',
        say`${named(publicName(chosen))} can’t see results. Choose a trainer or administrator who can edit quizzes.`,
      );
    const person = (await context.reach([chosen], { call })).get(chosen.user_id);
    if (person === undefined)
      throw new InvalidInputError(
        'to',
        say`Nobody in ${context.platform.name} has the address of ${named(publicName(chosen))}, so they’d get no messages about it.`,
      );
    await campaigns.put(campaign.id, {
      kind: 'hand-over',
      ownerId: person.personId,
      lead: { userId: chosen.user_id, timeZone: person.timeZone ?? context.timeZone },
    });
    return { kind: 'done', message: handedOverMessage(campaign, publicName(chosen)), next };
  },
});

export function takenOverMessage({ quiz }: Pick<Campaign, 'quiz'>): string {
  return say`Handed the campaign for ${named(quiz.name)} over to you. You’ll get its questions, and the names of the people who are missing.`;
}

export function handedOverMessage({ quiz }: Pick<Campaign, 'quiz'>, name: string): string {
  return say`Handed the campaign for ${named(quiz.name)} over to ${named(name)}, who gets its questions and the names of the people who are missing.`;
}

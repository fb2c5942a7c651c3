import { named, namedList } from '../../../domain/sentence.ts';
import { publicName } from '../../../directory/names.ts';
import type { User } from '../../../quiz-api/users.ts';
import { InvalidInputError } from '../../../operations/errors.ts';
import { defineOperation } from '../../../operations/operation.ts';
import { parseExcuseLine } from './excuse-line.ts';
import { campaignField } from './campaign-field.ts';
import { viewStep } from './show-campaign.ts';
import type { Campaign } from '../../../domain/campaign.ts';

export const excuseFromCampaign = defineOperation({
  name: 'excuse-campaign',
  command: '/quiz-campaign excuse <campaign> <people> because <reason>',
  summary: 'Excuse people from a campaign, for a reason',
  title: 'Excuse from a campaign',
  buttons: {
    campaign: [
      {
        label: 'Excuse…',
        in: ['list', 'page'],
        position: 4,
        opensForm: true,
        when: ({ endedAt }) => endedAt === null,
        input: ({ id }) => ({ campaign: [id] }),
      },
    ],
  },
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Excuse',
  uses: ['campaigns'],
  fields: {
    campaign: campaignField,
    people: { kind: 'users', label: 'People', byName: true },
    because: { kind: 'text', label: 'Reason', hint: 'The report and the list of members show it', maxLength: 500 },
  },
  parse: parseExcuseLine,
  action: ({ campaign, people }) => `excuse ${namesOf(people)} from ${named(campaign.quiz.name)}`,
  effect: () => 'They would get no more reminders, and count as excused.',
  async run({ campaigns, actor, now }, { campaign, people, because }) {
    const members = new Map(campaign.members.map((member) => [member.userId, member]));
    const strangers = people.filter(({ user_id }) => !members.has(user_id));
    if (strangers.length > 0)
      throw new InvalidInputError(
        'people',
        `${namesOf(strangers)} ${strangers.length === 1 ? 'isn’t' : 'aren’t'} in the campaign for ${named(campaign.quiz.name)}.`,
      );
    const left = people.filter(({ user_id }) => members.get(user_id)?.excused === null);
    const next = [viewStep(campaign.id)];
    if (left.length === 0)
      return {
        kind: 'done',
        isNoChange: true,
        message: `${namesOf(people)} ${people.length === 1 ? 'was' : 'were'} excused already. Nothing changed.`,
        next,
      };
    await campaigns.put(campaign.id, {
      kind: 'excuse',
      userIds: left.map(({ user_id }) => user_id),
      by: actor.personId,
      reason: because,
      at: now(),
    });
    return { kind: 'done', message: excusedMessage(campaign, left), next };
  },
});

export function excusedMessage({ quiz }: Pick<Campaign, 'quiz'>, people: readonly User[]): string {
  return `Excused ${namesOf(people)} from ${named(quiz.name)}. They get no more reminders.`;
}

function namesOf(users: readonly User[]): string {
  return namedList(users.map(publicName));
}

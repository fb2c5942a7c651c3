import { openMembers } from '../../../obligations/members.ts';
import { named, namedList } from '../../../domain/sentence.ts';
import { defineOperation } from '../../../operations/operation.ts';
import { partName } from '../../../operations/fields/audience.ts';
import { campaignField } from './campaign-field.ts';
import { viewStep } from './show-campaign.ts';
import type { Campaign, CampaignMember } from '../../../domain/campaign.ts';
import { say } from '../../../domain/said.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { peopleWords } from './campaign-words.ts';

export const remindCampaign = defineOperation({
  name: 'remind-campaign',
  command: '/quiz-campaign remind <campaign> for [people]',
  synonyms: ['nudge', 'chase'],
  summary: 'Remind everyone who hasn’t completed the quiz, as soon as their working hours allow',
  title: say`Remind campaign`,
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
  fields: {
    campaign: campaignField,
    people: {
      kind: 'audience',
      from: 'account',
      label: 'Users and groups',
      hint: 'Only these people. Leave empty for everyone.',
      optional: true,
    },
  },
  action: ({ campaign, people }) =>
    people
      ? say`remind those of ${namedList(people.map(partName))} who haven’t completed ${named(campaign.quiz.name)}`
      : say`remind everyone who hasn’t completed ${named(campaign.quiz.name)}`,
  effect: (_, { people }) =>
    people ? say`They would get a reminder each.` : say`Everyone who still has to take the quiz would get a reminder.`,
  async run(context, { campaign, people }) {
    const ids = people && new Set(people.flatMap((part) => part.people.map(({ userId }) => userId)));
    const reached = await remindIn(context, campaign, ids);
    const next = [viewStep(campaign.id)];
    if (reached.length === 0)
      return {
        kind: 'done',
        isNoChange: true,
        message: people
          ? say`Nobody of ${namedList(people.map(partName))} is left to remind about ${named(campaign.quiz.name)}.`
          : say`Nobody in the campaign for ${named(campaign.quiz.name)} is left to remind.`,
        next,
      };
    return { kind: 'done', message: remindedMessage(campaign, reached.length), next };
  },
});

/**
 * Has a campaign remind people who still have to take the quiz, as far as messages reach them.
 *
 * @param userIds undefined for everyone
 * @returns who gets a reminder
 */
export async function remindIn(
  { campaigns, now }: Pick<OperationContext<'campaigns'>, 'campaigns' | 'now'>,
  campaign: Campaign,
  userIds: ReadonlySet<string> | undefined,
): Promise<CampaignMember[]> {
  const reached = openMembers(campaign, now()).filter(
    ({ personId, userId }) => personId !== null && (userIds?.has(userId) ?? true),
  );
  if (reached.length > 0)
    await campaigns.put(campaign.id, {
      kind: 'remind-now',
      at: now(),
      ...(userIds && { userIds: reached.map(({ userId }) => userId) }),
    });
  return reached;
}

/** @param count how many people get a reminder */
export function remindedMessage({ quiz }: Pick<Campaign, 'quiz'>, count: number): string {
  return scheduledMessage(named(quiz.name), count);
}

/** @param about what they are reminded of, in words */
export function scheduledMessage(about: string, count: number): string {
  const who = peopleWords(count);
  return count === 1
    ? say`Scheduled a reminder about ${about} for ${who}. It goes out in their working hours, at most one message a day.`
    : say`Scheduled reminders about ${about} for ${who}. Each goes out in the person’s working hours, at most one message a day.`;
}

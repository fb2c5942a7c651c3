import { openMembers } from '../../../obligations/members.ts';
import { visibleCampaigns } from '../../../operations/fields/campaign.ts';
import { defineOperation } from '../../../operations/operation.ts';

export const listOverdue = defineOperation({
  name: 'list-overdue',
  command: '/quiz-campaign overdue',
  synonyms: ['late'],
  summary: 'List who is overdue, in all campaigns',
  hintForAgents: 'For one quiz, whether it has a campaign or not, there is show-missing.',
  title: 'Who is overdue',
  isCommon: true,
  access: 'read',
  right: 'edit_quizzes',
  submit: 'List',
  uses: ['campaigns'],
  fields: {},
  async run(context) {
    const now = context.now();
    const running = (await visibleCampaigns(context)).filter(({ endedAt }) => endedAt === null);
    const campaigns = await Promise.all(running.map(({ id }) => context.campaigns.byId(id)));
    const late = campaigns.flatMap((campaign) => {
      if (campaign === undefined || (campaign.schedule.dueAt ?? Infinity) > now) return [];
      const people = openMembers(campaign, now);
      return people.length === 0 ? [] : [{ campaign, people }];
    });
    return {
      kind: 'overdue',
      campaigns: late.toSorted((a, b) => a.campaign.schedule.dueAt! - b.campaign.schedule.dueAt!),
    };
  },
});

import type { Campaign, CampaignMember } from '../../../domain/campaign.ts';
import { say } from '../../../domain/said.ts';
import { memberDueAt, openMembers } from '../../../obligations/members.ts';
import { visibleRunning } from '../../../operations/fields/campaign.ts';
import { defineOperation } from '../../../operations/operation.ts';

export const listOverdue = defineOperation({
  name: 'list-overdue',
  command: '/quiz-campaign overdue',
  synonyms: ['late'],
  summary: 'List who is overdue, in all campaigns',
  hintForAgents: 'For one quiz, whether it has a campaign or not, there is show-missing.',
  title: say`Who is overdue`,
  isCommon: true,
  access: 'read',
  right: 'edit_quizzes',
  submit: 'List',
  uses: ['campaigns'],
  fields: {},
  async run(context) {
    const now = context.now();
    const late = (await visibleRunning(context)).flatMap((campaign) => {
      const overdue = overdueMembers(campaign, now);
      const [first] = overdue;
      if (first === undefined) return [];
      return [{ campaign, since: first.dueAt, people: overdue.map(({ member }) => member) }];
    });
    return { kind: 'overdue', campaigns: late.toSorted((a, b) => a.since - b.since) };
  },
});

/** Those who have waited longest come first. */
function overdueMembers(campaign: Campaign, now: number): { member: CampaignMember; dueAt: number }[] {
  return openMembers(campaign, now)
    .flatMap((member) => {
      const dueAt = memberDueAt(member, campaign, now);
      return dueAt === undefined || dueAt > now ? [] : [{ member, dueAt }];
    })
    .toSorted((a, b) => a.dueAt - b.dueAt);
}

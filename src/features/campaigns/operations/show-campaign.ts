import { say } from '../../../domain/said.ts';
import { defineOperation } from '../../../operations/operation.ts';
import { readPage } from '../../../operations/page-number.ts';
import { anyCampaign } from './campaign-field.ts';
import { runStep } from '../../../operations/next-step.ts';
import { campaignPage } from '../pages/show.ts';
import { joinersOf } from './joiners.ts';
import type { Step } from '../../../operations/page.ts';

export const showCampaign = defineOperation({
  name: 'show-campaign',
  command: '/quiz-campaign show <campaign>',
  synonyms: ['status', 'info', 'view', 'progress'],
  summary: 'Show a campaign with everyone in it and how far they are',
  title: say`Show campaign`,
  isCommon: true,
  buttons: {
    campaign: [{ label: 'View', in: ['list'], position: 1, input: ({ id }) => ({ campaign: [id] }) }],
  },
  access: 'read',
  right: 'edit_quizzes',
  submit: 'Show',
  fields: {
    campaign: anyCampaign,
    page: { kind: 'text', label: 'Page', maxLength: 10, optional: true, typedOnly: true },
  },
  async run({ directory, visibility, call, now, timeZone, platform }, { campaign, page }) {
    // A campaign that stands takes in by itself who joins it.
    const hasJoiners = campaign.endedAt === null && campaign.standing === undefined;
    const users = hasJoiners ? await directory.users.get(call) : [];
    const joined = joinersOf(campaign, users.filter(visibility.userByName));
    const reading = { now: now(), timeZone, platform: platform.name };
    return { kind: 'page', ...campaignPage(campaign, { joined, page: readPage(page), ...reading }) };
  },
});

/** A button that shows a campaign. */
export function viewStep(campaignId: string): Step {
  return runStep(say`View campaign`, showCampaign, { campaign: [campaignId] });
}

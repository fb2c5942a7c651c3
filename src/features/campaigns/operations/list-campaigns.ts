import { visibleCampaigns } from '../../../operations/fields/campaign.ts';
import { defineOperation } from '../../../operations/operation.ts';

/** Each is read from the store. */
const listedAtMost = 40;

export const listCampaigns = defineOperation({
  name: 'list-campaigns',
  command: '/quiz-campaign list',
  synonyms: ['ls', 'campaigns'],
  summary: 'List the campaigns that run, and those of the last year',
  title: 'Campaigns',
  isCommon: true,
  access: 'read',
  right: 'edit_quizzes',
  submit: 'List',
  uses: ['campaigns'],
  fields: {},
  async run(context) {
    const visible = (await visibleCampaigns(context)).toSorted(
      (a, b) => Number(a.endedAt !== null) - Number(b.endedAt !== null),
    );
    const campaigns = await Promise.all(visible.slice(0, listedAtMost).map(({ id }) => context.campaigns.byId(id)));
    return {
      kind: 'campaigns',
      campaigns: campaigns.filter((campaign) => campaign !== undefined),
      left: Math.max(0, visible.length - listedAtMost),
      now: context.now(),
    };
  },
});

import { say } from '../../../domain/said.ts';
import { campaignsLike, visibleCampaigns } from '../../../operations/fields/campaign.ts';
import { defineOperation } from '../../../operations/operation.ts';
import { campaignsPage } from '../pages/show.ts';

/** Each is read from the store. */
const listedAtMost = 40;
/** Those that ended before are listed by name. */
const recentMs = 366 * 24 * 60 * 60_000;

export const listCampaigns = defineOperation({
  name: 'list-campaigns',
  command: '/quiz-campaign list [filter]',
  synonyms: ['ls', 'campaigns'],
  summary: 'List the campaigns that run, and those of the last year; with the name of a quiz, all of them',
  title: say`Campaigns`,
  isCommon: true,
  access: 'read',
  right: 'edit_quizzes',
  submit: 'List',
  uses: ['campaigns'],
  fields: { filter: { kind: 'text', label: 'Part of a quiz’s name', maxLength: 250, optional: true } },
  async run(context, { filter = '' }) {
    const now = context.now();
    const all = await visibleCampaigns(context);
    const wanted =
      filter === '' ? all.filter(({ endedAt }) => (endedAt ?? now) > now - recentMs) : campaignsLike(all, filter);
    const visible = wanted.toSorted((a, b) => Number(a.endedAt !== null) - Number(b.endedAt !== null));
    const campaigns = await Promise.all(visible.slice(0, listedAtMost).map(({ id }) => context.campaigns.byId(id)));
    return {
      kind: 'page',
      ...campaignsPage(
        campaigns.filter((campaign) => campaign !== undefined),
        {
          filter,
          left: Math.max(0, visible.length - listedAtMost),
          earlier: filter === '' ? all.length - visible.length : 0,
          now,
          timeZone: context.timeZone,
        },
      ),
    };
  },
});

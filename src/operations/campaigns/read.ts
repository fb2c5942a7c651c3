import type { Campaign } from '../../domain/campaign.ts';
import { named } from '../../domain/sentence.ts';
import { publicName } from '../../directory/names.ts';
import type { OperationContext } from '../context.ts';
import { formatCsv } from '../csv.ts';
import { InvalidInputError } from '../errors.ts';
import { visibleCampaigns, type CampaignField } from '../fields/campaign.ts';
import { fileName } from '../file-name.ts';
import { defineOperation } from '../operation.ts';
import { readPage } from '../page-number.ts';
import { reportTable } from './report.ts';

/** Each is read from the store. */
const listedAtMost = 40;

const anyCampaign = {
  kind: 'campaign',
  label: 'Campaign',
  hint: 'By the name of its quiz',
} as const satisfies CampaignField;

export const listCampaigns = defineOperation({
  name: 'list-campaigns',
  command: '/quiz-campaign list',
  summary: 'List the campaigns that run, and those of the last year',
  access: 'read',
  right: 'edit_quizzes',
  submit: 'List',
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

export const showCampaign = defineOperation({
  name: 'show-campaign',
  command: '/quiz-campaign show <campaign>',
  summary: 'Show a campaign with everyone in it and how far they are',
  access: 'read',
  right: 'edit_quizzes',
  submit: 'Show',
  fields: {
    campaign: anyCampaign,
    page: { kind: 'text', label: 'Page', maxLength: 10, optional: true, typedOnly: true },
  },
  async run({ now }, { campaign, page }) {
    return { kind: 'campaign', campaign, page: readPage(page), now: now() };
  },
});

export const reportCampaign = defineOperation({
  name: 'report-campaign',
  command: '/quiz-campaign report <campaign>',
  summary: 'Get everyone in a campaign as a CSV file, in a direct message',
  access: 'read',
  right: 'edit_quizzes',
  submit: 'Send',
  fields: { campaign: anyCampaign },
  async run(context, { campaign }) {
    const { members, quiz } = campaign;
    if (members.length === 0)
      throw new InvalidInputError('campaign', `Nobody is in the campaign for ${named(quiz.name)}.`);
    const people = `${members.length.toLocaleString('en')} ${members.length === 1 ? 'person' : 'people'}`;
    await context.sendFile({
      name: `${fileName(quiz.name)} campaign.csv`,
      comment: `The campaign for ${quiz.name}: ${people}`,
      content: Buffer.from(formatCsv(reportTable(campaign, await excusers(context, campaign)))),
    });
    return {
      kind: 'done',
      message: `Sent you the report on ${named(quiz.name)}: ${people}. The CSV file is in your direct messages.`,
    };
  },
});

/** The names of the people who excused members, by their IDs on the platform. */
async function excusers(
  { identity, call }: OperationContext,
  { members }: Campaign,
): Promise<ReadonlyMap<string, string>> {
  const ids = new Set(members.flatMap(({ excused }) => (excused === null ? [] : [excused.by])));
  const names = [...ids].map(async (id) => {
    const { user, name } = await identity.actorOf(id, { fresh: false, call });
    return [id, user ? publicName(user) : (name ?? 'Unnamed person')] as const;
  });
  return new Map(await Promise.all(names));
}

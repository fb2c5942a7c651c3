import { say } from '../../../domain/said.ts';
import { campaignsLike, visibleCampaigns, anyCampaign } from '../../../operations/fields/campaign.ts';
import { defineOperation } from '../../../operations/operation.ts';
import { campaignPage, campaignsPage, type Joiner } from '../pages/show.ts';
import { readPage } from '../../../operations/text-input.ts';
import { runStep } from '../../../operations/next-step.ts';
import type { Step } from '../../../operations/page.ts';
import type { Campaign } from '../../../domain/campaign.ts';
import { publicName } from '../../../directory/names.ts';
import type { User } from '../../../quiz-api/users.ts';
import { yearPage } from '../pages/year.ts';
import { matrixPeople, namesIn, pageField, seenMatrix } from './matrix.ts';

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
        },
      ),
    };
  },
});

export const showCampaign = defineOperation({
  name: 'show-campaign',
  command: '/quiz-campaign show <campaign>',
  synonyms: ['status', 'info', 'view', 'progress'],
  summary: 'Show a campaign with everyone in it and how far they are',
  title: say`Show campaign`,
  isCommon: true,
  buttons: { campaign: [{ label: 'View', in: ['list'], position: 1 }] },
  access: 'read',
  right: 'edit_quizzes',
  submit: 'Show',
  fields: {
    campaign: anyCampaign,
    page: { kind: 'text', label: 'Page', maxLength: 10, optional: true, typedOnly: true },
  },
  async run({ directory, visibility, call, now, timeZone, platform }, { campaign, page }) {
    // A campaign that stands takes in by itself who joins it.
    const hasJoiners = campaign.endedAt === null && campaign.rule.standing === null;
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

/**
 * Who has joined the groups that were named at the start, in the order of the account.
 *
 * @param users all users of the account
 */
function joinersOf(campaign: Pick<Campaign, 'audience' | 'members' | 'leftOut'>, users: readonly User[]): Joiner[] {
  const groups = groupsNamed(campaign);
  if (groups.size === 0) return [];
  const known = new Set([...campaign.members.map(({ userId }) => userId), ...campaign.leftOut]);
  return users
    .filter((user) => !user.suspended && !known.has(user.user_id) && isInOne(user, groups))
    .map((user) => ({ userId: user.user_id, name: publicName(user) }));
}

/** IDs of the groups of the account that were named. */
function groupsNamed({ audience }: Pick<Campaign, 'audience'>): ReadonlySet<string> {
  return new Set(audience.flatMap((part) => (part.startsWith('group:') ? [part.slice('group:'.length)] : [])));
}

function isInOne({ groups }: User, wanted: ReadonlySet<string>): boolean {
  return groups.some(({ group_id }) => wanted.has(group_id));
}

/** What comes in the next twelve months, in all campaigns that run and that the person sees. */
export const showYear = defineOperation({
  name: 'show-year',
  command: '/quiz-campaign year [for people]',
  synonyms: ['calendar', 'gaps', 'expiring'],
  summary: 'Show what is due and what expires in the next twelve months, and from when on nobody has a pass',
  hintForAgents:
    'Costs the quiz service nothing. Counts people month by month and quiz by quiz; show-matrix says who they are.',
  title: say`The next twelve months`,
  isCommon: true,
  access: 'read',
  right: 'edit_quizzes',
  submit: 'Show',
  fields: { people: matrixPeople, columns: { ...pageField, label: 'Page of quizzes' } },
  parse: namesIn,
  async run(context, { people, columns }) {
    const seen = await seenMatrix(context, people);
    const shown = { people, columns: readPage(columns), now: context.now(), timeZone: context.timeZone };
    return { kind: 'page', ...yearPage({ ...seen, ...shown }) };
  },
});

import { matrixPage, yearPage } from '../../../src/features/campaigns/pages/matrix.ts';
import { campaignPage, campaignsPage, type Joiner } from '../../../src/features/campaigns/pages/show.ts';
import { drawn } from '../../support/as-sent.ts';
import { named, say } from '../../../src/domain/said.ts';
import type { Campaign, Obligation } from '../../../src/domain/campaign.ts';
import type { PlannedMember } from '../../../src/domain/campaign-plan.ts';
import { people } from '../../../src/sandbox/workspace/people.ts';
import { campaignPlanPage } from '../../../src/features/campaigns/pages/plan.ts';
import { wholePlanPage } from '../../../src/operations/define-plan.ts';
import { closedReason } from '../../../src/slack/errors.ts';
import { lateOnly, matrixOf } from '../../../src/obligations/matrix.ts';
import {
  campaignMember,
  campaignOf,
  campaignResult,
  dayMs,
  monday,
  openEnd,
  plannedCampaign,
  standingCampaign,
  standingRule,
} from '../../support/builders/campaigns.ts';
import type { Sample } from '../sample.ts';

const zone = 'Europe/Berlin';
const noManagers = ['missing_scope', 'no_field', 'editable', 'unknown_field', 'not_people'] as const;
const entered = { quiz: ['q-1'], to: ['group:g-1'], channels: ['channel:C1|kitchen'] };
const leftOut = {
  passed: ['Ada Okafor'],
  suspended: ['Sam Petrov'],
  guests: ['Gus'],
  excepted: ['Erin Castellanos', 'Uma Devi'],
  withoutUser: [
    { personId: 'UZOE', name: 'Zoe Marsh' },
    { personId: 'ULEO', name: 'Leo' },
  ],
};

/** A campaign that stands, with people in each state. */
const plannedStanding = {
  ...standingRule,
  members: plannedCampaign().members.map((member, index): PlannedMember => {
    const who = { ...member, ...(index === 4 && { personId: null }) };
    const is = (state: Obligation['state'], dueIn?: number, validFor?: number): PlannedMember => ({
      ...who,
      obligation: {
        state,
        ...(dueIn !== undefined && { dueAt: monday + dueIn * dayMs }),
        ...(validFor !== undefined && { validUntil: monday + validFor * dayMs }),
      },
    });
    if (index === 0) return is('done', 200, 200);
    if (index === 1) return is('expiring', 20, 20);
    if (index === 2) return is('marking', 14);
    return index === 3 ? is('done') : is('due', 14);
  }),
};

const allDone = plannedCampaign().members.map((member) => ({ ...member, obligation: { state: 'done' as const } }));

const preview = (
  more: Parameters<typeof plannedCampaign>[0] = {},
  shown: Partial<Parameters<typeof campaignPlanPage>[1]> = {},
) =>
  drawn(
    campaignPlanPage(plannedCampaign(more), {
      id: 'p-1',
      canStart: true,
      entered: { operation: 'start-campaign', input: entered },
      warning: undefined,
      timeZone: zone,
      platform: 'Slack',
      ...shown,
    }),
  );

const members = [
  campaignMember('u1', {
    name: 'Rosa Almeida',
    notifiedAt: monday,
    remindedAt: [monday + dayMs, monday + 2 * dayMs],
    deliveries: [monday, monday + dayMs, monday + 2 * dayMs].map((handedAt) => ({ handedAt, at: handedAt })),
    result: { ...campaignResult('failed'), percentage: 40 },
  }),
  campaignMember('u2', {
    name: 'Kim Doe',
    notifiedAt: monday,
    snoozedUntil: monday + 4 * dayMs,
    deliveries: [{ handedAt: monday, at: monday }],
  }),
  campaignMember('u3', { name: 'Sam Petrov', personId: null }),
  campaignMember('u4', { name: 'Ada Okafor', result: { ...campaignResult('passed'), percentage: 90 } }),
  campaignMember('u5', { name: 'Erin Castellanos', result: campaignResult('unmarked') }),
  campaignMember('u6', { name: 'Uma Devi', saidNotMeAt: monday }),
  campaignMember('u7', { name: 'Gus Hartmann', excused: { by: 'UTOM', reason: 'On leave', at: monday } }),
  campaignMember('u8', { name: 'Nora Fields' }),
  campaignMember('u9', {
    name: 'Zoe Marsh',
    notifiedAt: monday,
    deliveries: [{ handedAt: monday, at: monday + dayMs, failure: 'turned_off' }],
  }),
  campaignMember('u10', { name: 'Ivo Lang', notifiedAt: monday }),
];
const running = campaignOf({
  ownerId: people.tom.id,
  members,
  board: { channelId: 'C0TRAINING', showsNames: true },
});
const ended = campaignOf({
  ownerId: people.ada.id,
  id: 'c-2',
  quiz: { id: 'q-2', name: 'Food hygiene' },
  members: members.slice(3, 4),
  endedAt: monday + 20 * dayMs,
});
const withoutDue = campaignOf({
  ownerId: people.tom.id,
  id: 'c-3',
  quiz: { id: 'q-3', name: 'First aid' },
  ...openEnd,
  completeWhen: 'submitted',
});
const standing = campaignOf({
  ...standingRule,
  ownerId: people.tom.id,
  id: 'c-5',
  quiz: { id: 'q-5', name: 'Food hygiene' },
  members: [...members, campaignMember('u11', { name: 'Leo Marsh', stays: [{ from: monday, to: monday + dayMs }] })],
});
const listed = (campaigns: readonly Campaign[], more: Partial<Parameters<typeof campaignsPage>[1]> = {}) =>
  drawn(campaignsPage(campaigns, { filter: '', left: 0, earlier: 0, now: monday, ...more }));
const shown = (campaign: Campaign, now = monday + 3 * dayMs, page = 1, joined: readonly Joiner[] = []) =>
  drawn(campaignPage(campaign, { joined, page, now, platform: 'Slack' }));
const kitchen = [{ kind: 'group' as const, group: { group_id: 'g-1', group_name: 'Kitchen' }, people: [] }];
const matrix = (campaigns: readonly Campaign[], now: number, more: Partial<Parameters<typeof matrixPage>[0]> = {}) =>
  drawn(
    matrixPage({
      matrix: more.only === undefined ? matrixOf(campaigns, now) : lateOnly(matrixOf(campaigns, now)),
      absent: 0,
      people: undefined,
      only: undefined,
      page: 1,
      columns: 1,
      now,
      timeZone: zone,
      ...more,
    }),
  );

const year = (campaigns: readonly Campaign[], now: number, of?: typeof kitchen) =>
  drawn(yearPage({ matrix: matrixOf(campaigns, now), absent: 0, people: of, columns: 1, now, timeZone: zone }));

/** The words of changes are in changes.ts, the forms in forms.ts. */
export const samples: readonly Sample[] = [
  { when: 'The preview of a campaign', shown: preview() },
  ...[
    { managed: 9, unmanaged: 3, unknown: 0 },
    { managed: 12, unmanaged: 0, unknown: 0 },
    { managed: 0, unmanaged: 12, unknown: 0 },
    { managed: 1, unmanaged: 5, unknown: 6 },
    { managed: 0, unmanaged: 0, unknown: 12 },
    ...noManagers.map((problem) => ({ managed: 0, unmanaged: 12, unknown: 0, problem })),
  ].map((managers) => ({
    when: `The preview of a campaign that escalates to managers: ${JSON.stringify(managers)}`,
    shown: preview({ toManagers: true, managers, ...(managers.unmanaged > 0 && { leadNames: ['Ada Okafor'] }) }),
  })),
  {
    when: 'The preview of a campaign with people left out, one of whom isn’t reached',
    shown: preview({
      leftOut,
      members: plannedCampaign().members.map((member, index) => ({
        ...member,
        ...(index === 0 && { personId: null }),
      })),
    }),
  },
  {
    when: 'The preview of a campaign with a message of the reader’s, for a quiz that others took',
    shown: preview({ words: 'Please <!channel> take it before the audit & the visit', takesMinutes: 6 }),
  },
  {
    when: 'The preview of a campaign in which a pass counts for a time',
    shown: preview({
      validity: { months: 12 },
      leftOut: { ...leftOut, passed: ['Ada Okafor', 'Kim Doe'] },
      valid: [
        { name: 'Ada Okafor', until: monday + 100 * dayMs },
        { name: 'Kim Doe', until: monday + 200 * dayMs },
      ],
      members: plannedCampaign().members.map((member, index) => ({
        ...member,
        ...(index === 0 && { obligation: { state: 'due' as const, validUntil: monday + dayMs } }),
      })),
    }),
  },
  {
    when: 'The preview of a campaign that stands',
    shown: preview({
      ...plannedStanding,
      collectives: { names: ['Kitchen'], people: 12, of: 12, passed: 0 },
      takesMinutes: 12,
    }),
  },
  {
    when: 'The preview of a campaign that stands, for people with passes',
    shown: preview({
      ...plannedStanding,
    }),
  },
  {
    when: 'Everyone in the preview of a campaign that stands',
    shown: drawn(wholePlanPage('p-1', plannedCampaign(plannedStanding), 1)),
  },
  {
    when: 'The preview of a campaign in which everybody’s pass counts until the same day',
    shown: preview({ validity: { until: { month: 1, day: 31 } } }),
  },
  {
    when: 'The preview of a campaign for a group, whose messages come over days',
    shown: preview({
      collectives: { names: ['Kitchen'], people: 12, of: 12, passed: 0 },
      firstMessagesUntil: monday + dayMs,
      laterNames: ['Kim Doe', 'Person 1', 'Rosa Almeida'],
    }),
  },
  {
    when: 'The preview of a campaign for people in several time zones',
    shown: preview({ clocksDiffer: true, firstMessagesLocal: '2026-11-24T09:00', firstMessagesUntil: monday + dayMs }),
  },
  {
    when: 'The preview of a campaign for people in several time zones, some of whom are at work',
    shown: preview({
      leadNames: ['Ada Okafor', 'Tom'],
      clocksDiffer: true,
      firstMessagesNow: true,
      firstMessagesUntil: monday + dayMs,
    }),
  },
  {
    when: 'The preview of a campaign for a group and a channel, which is due too soon',
    shown: preview({
      collectives: { names: ['Kitchen', '#training'], people: 11, of: 15, passed: 3 },
      lateNames: ['Kim Doe', 'Person 1', 'Person 2', 'Rosa Almeida'],
    }),
  },
  {
    when: 'The preview of a campaign for people in other campaigns for the quiz',
    shown: preview({
      overlaps: [
        { campaignId: 'c-2', ownerId: people.ada.id, dueAt: monday + 3 * dayMs, people: 12 },
        { campaignId: 'c-3', ownerId: people.tom.id, dueAt: null, people: 1 },
        { campaignId: 'c-4', ownerId: people.tom.id, dueAt: monday + dayMs, isFirst: true, people: 2 },
        { campaignId: 'c-5', ownerId: people.tom.id, dueAt: monday + dayMs, people: 2 },
      ],
    }),
  },
  {
    when: 'The preview of a campaign for more than 100 people, with a channel without names',
    shown: preview({
      approval: 'many people',
      board: { channelId: 'C0TRAINING', showsNames: false },
    }),
  },
  {
    when: 'The preview of a campaign for people whom the person doesn’t train',
    shown: preview({
      approval: 'other people',
      board: null,
      ...openEnd,
      assign: { groups: [], users: [] },
    }),
  },
  {
    when: 'The preview of a campaign for a closed quiz',
    shown: preview({}, { warning: say`${named('Fire safety')} is closed, so nobody can take it until it’s open.` }),
  },
  {
    when: 'The preview of a campaign whose channel the bot isn’t in',
    shown: preview({}, { boardClosed: closedReason('not_in_channel') }),
  },
  {
    when: 'The preview of a campaign whose channel is archived',
    shown: preview({}, { boardClosed: closedReason('is_archived') }),
  },
  {
    when: 'The preview of a campaign in which everyone has passed',
    shown: preview({ members: [], leftOut: { ...leftOut, passed: ['Ada Okafor', 'Kim Doe'] } }, { canStart: false }),
  },
  {
    when: 'Everyone in a preview',
    shown: drawn(wholePlanPage('p-1', plannedCampaign({ leftOut }), 1)),
  },
  {
    when: 'The second page of a preview',
    shown: drawn(
      wholePlanPage(
        'p-1',
        plannedCampaign({ members: Array.from({ length: 90 }, () => plannedCampaign().members[0]!) }),
        2,
      ),
    ),
  },
  { when: 'A campaign that stands', shown: shown(standing) },
  {
    when: 'A campaign that stands, with people who wait to be taken in and a channel that the bot can’t see',
    shown: shown({
      ...standing,
      members: [campaignMember('u12', { name: 'Mia Holm', stays: [{ from: monday + dayMs }] })],
      unreadable: ['channel:C0KITCHEN|kitchen'],
      candidates: {
        people: ['Kim Doe', 'Leo Marsh'].map((name) => ({ userId: name, name, since: monday, why: 'other people' })),
        askedAt: monday,
      },
    }),
  },
  {
    when: 'The preview of those who wait to be taken into a campaign that stands',
    shown: preview(
      { ...standingRule, into: 'c-5', board: null, approval: 'other people', members: allDone },
      { entered: undefined },
    ),
  },

  {
    when: 'The list of campaigns',
    shown: listed([running, standing, withoutDue, ended], { left: 2, earlier: 31 }),
  },
  {
    when: 'There are no campaigns',
    shown: listed([]),
  },
  {
    when: 'All campaigns ended more than a year ago',
    shown: listed([], { earlier: 1 }),
  },
  {
    when: 'There are no campaigns for quizzes with this name',
    shown: listed([], { filter: 'forklift' }),
  },
  {
    when: 'Training matrix, in all campaigns',
    shown: matrix([running, standing, withoutDue], monday + 20 * dayMs),
  },
  {
    when: 'Training matrix, for a group in which nobody is late',
    shown: matrix([running], monday, {
      people: [{ kind: 'group', group: { group_id: 'g-1', group_name: 'Kitchen' }, people: [] }],
      absent: 2,
    }),
  },
  {
    when: 'Training matrix, with more people and quizzes than a table holds, page 2',
    shown: matrix(
      Array.from({ length: 25 }, (_, index) =>
        campaignOf({
          id: `c-${index}`,
          quiz: { id: `q-${index}`, name: `Quiz ${index}` },
          members: Array.from({ length: 30 }, (__, person) =>
            campaignMember(`u${person}`, { name: `Person ${person + 1}` }),
          ),
        }),
      ),
      monday + 20 * dayMs,
      { page: 2, columns: 2 },
    ),
  },
  {
    when: 'Who is overdue, in all campaigns',
    shown: matrix([running, standing, withoutDue], monday + 20 * dayMs, { only: 'overdue' }),
  },
  {
    when: 'Who of a group is overdue',
    shown: matrix([running], monday + 20 * dayMs, { only: 'overdue', people: kitchen }),
  },
  { when: 'Nobody is overdue', shown: matrix([], monday, { only: 'overdue' }) },
  { when: 'Nobody of a group is overdue', shown: matrix([], monday, { only: 'overdue', people: kitchen }) },
  { when: 'Nobody has to take anything', shown: matrix([], monday) },
  {
    when: 'Nobody of a group has to take anything',
    shown: matrix([], monday, { people: kitchen }),
  },
  {
    when: 'The next twelve months',
    shown: year([running, standingCampaign(), withoutDue], monday + 16 * dayMs),
  },
  {
    when: 'The next twelve months of a group, with gaps',
    shown: year(
      [
        standingCampaign({
          members: [
            campaignMember('u1', { groups: ['Kitchen'], result: campaignResult('passed', monday - 300 * dayMs) }),
            campaignMember('u2', { groups: ['Bar'], result: campaignResult('passed', monday - 200 * dayMs) }),
            campaignMember('u3', { groups: ['Night shift'], result: campaignResult('passed', monday - 400 * dayMs) }),
          ],
        }),
        standingCampaign({
          id: 'c-9',
          quiz: { id: 'q-9', name: 'First aid' },
          members: [campaignMember('u1', { result: campaignResult('passed', monday - 380 * dayMs) })],
        }),
      ],
      monday,
      kitchen,
    ),
  },
  { when: 'Nothing comes in the next twelve months', shown: year([], monday) },
  { when: 'A campaign that runs', shown: shown(running) },
  {
    when: 'A campaign that is overdue, page 2',
    shown: shown(campaignOf({ members: Array.from({ length: 100 }, () => members[7]!) }), monday + 15 * dayMs, 2),
  },
  { when: 'A campaign without a due time', shown: shown(withoutDue) },
  {
    when: 'A campaign whose groups people have joined',
    shown: shown(running, monday + 3 * dayMs, 1, [
      { userId: 'u-20', name: 'Ana Costa' },
      { userId: 'u-21', name: 'Bo Lind' },
    ]),
  },
  { when: 'A campaign that is over', shown: shown(ended, monday + 21 * dayMs) },
];

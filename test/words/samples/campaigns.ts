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
  plannedRuleChange,
} from '../../support/builders/campaigns.ts';
import type { Samples } from '../collect.ts';
import { ruleChangePage } from '../../../src/features/campaigns/operations/run-change.ts';
import { extendCampaign, movedMessage } from '../../../src/features/campaigns/operations/change-campaign.ts';
import { confirmationMessage } from '../../../src/slack/views/outcome.ts';
import { takenBackToo } from '../../../src/features/campaigns/operations/excuse-and-include.ts';
import { missedReminderWords } from '../../../src/features/campaigns/pages/words.ts';

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

const ruleChange = (overrides: Parameters<typeof plannedRuleChange>[0] = {}) =>
  drawn(
    ruleChangePage(plannedRuleChange(overrides), {
      id: 'p-1',
      canStart: true,
      entered: { operation: 'change-campaign', input: { campaign: ['c-1'] } },
      timeZone: 'Europe/London',
      platform: 'Slack',
    }),
  );

const rosa = campaignMember('rosa', { name: 'Rosa Almeida' });
const kim = campaignMember('kim', { name: 'Kim Doe' });
const excuse = { by: 'UTOM', reason: 'On leave', at: 1, until: null };

/** What an Undo asks that somebody else has made stale. */
const asked = (dueAt: number | null) => {
  const { rule, ...campaign } = campaignOf({ quiz: { id: 'q-food', name: 'Food hygiene' } });
  return confirmationMessage(extendCampaign, {
    question: movedMessage({ ...campaign, rule: { ...rule, dueAt } }),
    label: extendCampaign.submit,
    input: {},
  });
};

/** Changes of campaigns, and previews of other rules for them. */
const changes: Samples = {
  'The preview of a change of a campaign’s rule': ruleChange(),
  'The preview of a change for more than 100 people, with a channel': ruleChange({
    approval: 'many people',
    after: { ...plannedRuleChange().after, board: { channelId: 'C0TRAINING', showsNames: true } },
  }),
  'The preview of a change for people whom the person doesn’t train': ruleChange({ approval: 'other people' }),
  'The preview of a change that nobody notices': ruleChange({ members: [], sooner: 0, firstMessagesAt: null }),
  'A trainer takes a due time back that was moved again since': asked(Date.UTC(2026, 11, 15, 17)),
  'A trainer takes a due time back that was removed since': asked(null),
  'A trainer takes an excuse back, and somebody has given another one since': takenBackToo(
    [{ ...rosa, excused: excuse }],
    'none',
  )!,
  'A trainer takes excuses back, and others have given other ones since': takenBackToo(
    [
      { ...rosa, excused: excuse },
      { ...kim, excused: { ...excuse, reason: 'Ill' } },
    ],
    'none',
  )!,
  'A trainer takes an excuse back, and the person has said “Not me” since': takenBackToo(
    [{ ...rosa, saidNotMeAt: 1 }],
    '1',
  )!,
  ...Object.fromEntries(
    (
      [
        ['in a round', { standing: null, dueAt: monday + dayMs }],
        ['where each person has two weeks', { validity: null }],
        ['for a person whose pass ends soon', {}],
      ] as const
    ).map(([where, rule]) => [
      `A change asks for a reminder that comes too late ${where}`,
      missedReminderWords({ ...plannedRuleChange().before, remindBeforeMs: [28 * dayMs], ...rule }, monday, [
        monday + dayMs,
      ])!,
    ]),
  ),
  'Everyone whom a change is about': drawn(wholePlanPage('p-1', plannedRuleChange(), 1)),
};

/** The words of changes are in changes.ts, the forms in forms.ts. */
export const samples: Samples = {
  'The preview of a campaign': preview(),
  ...Object.fromEntries(
    [
      { managed: 9, unmanaged: 3, unknown: 0 },
      { managed: 12, unmanaged: 0, unknown: 0 },
      { managed: 0, unmanaged: 12, unknown: 0 },
      { managed: 1, unmanaged: 5, unknown: 6 },
      { managed: 0, unmanaged: 0, unknown: 12 },
      ...noManagers.map((problem) => ({ managed: 0, unmanaged: 12, unknown: 0, problem })),
    ].map((managers) => [
      `The preview of a campaign that escalates to managers: ${JSON.stringify(managers)}`,
      preview({ toManagers: true, managers, ...(managers.unmanaged > 0 && { leadNames: ['Ada Okafor'] }) }),
    ]),
  ),
  'The preview of a campaign with people left out, one of whom isn’t reached': preview({
    leftOut,
    members: plannedCampaign().members.map((member, index) => ({
      ...member,
      ...(index === 0 && { personId: null }),
    })),
  }),
  'The preview of a campaign with a message of the reader’s, for a quiz that others took': preview({
    words: 'Please <!channel> take it before the audit & the visit',
    takesMinutes: 6,
  }),
  'The preview of a campaign in which a pass counts for a time': preview({
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
  'The preview of a campaign that stands': preview({
    ...plannedStanding,
    collectives: { names: ['Kitchen'], people: 12, of: 12, passed: 0 },
    takesMinutes: 12,
  }),
  'Everyone in the preview of a campaign that stands': drawn(wholePlanPage('p-1', plannedCampaign(plannedStanding), 1)),
  'The preview of a campaign in which everybody’s pass counts until the same day': preview({
    validity: { until: { month: 1, day: 31 } },
  }),
  'The preview of a campaign for a group, whose messages come over days': preview({
    collectives: { names: ['Kitchen'], people: 12, of: 12, passed: 0 },
    firstMessagesUntil: monday + dayMs,
    laterNames: ['Kim Doe', 'Person 1', 'Rosa Almeida'],
  }),
  'The preview of a campaign for people in several time zones': preview({
    clocksDiffer: true,
    firstMessagesLocal: '2026-11-24T09:00',
    firstMessagesUntil: monday + dayMs,
  }),
  'The preview of a campaign for people in several time zones, some of whom are at work': preview({
    leadNames: ['Ada Okafor', 'Tom'],
    clocksDiffer: true,
    firstMessagesNow: true,
    firstMessagesUntil: monday + dayMs,
  }),
  'The preview of a campaign for a group and a channel, which is due too soon': preview({
    collectives: { names: ['Kitchen', '#training'], people: 11, of: 15, passed: 3 },
    lateNames: ['Kim Doe', 'Person 1', 'Person 2', 'Rosa Almeida'],
  }),
  'The preview of a campaign for people in other campaigns for the quiz': preview({
    overlaps: [
      { campaignId: 'c-2', ownerId: people.ada.id, dueAt: monday + 3 * dayMs, people: 12 },
      { campaignId: 'c-3', ownerId: people.tom.id, dueAt: null, people: 1 },
      { campaignId: 'c-4', ownerId: people.tom.id, dueAt: monday + dayMs, isFirst: true, people: 2 },
      { campaignId: 'c-5', ownerId: people.tom.id, dueAt: monday + dayMs, people: 2 },
    ],
  }),
  'The preview of a campaign for more than 100 people, with a channel without names': preview({
    approval: 'many people',
    board: { channelId: 'C0TRAINING', showsNames: false },
  }),
  'The preview of a campaign for people whom the person doesn’t train': preview({
    approval: 'other people',
    board: null,
    ...openEnd,
    assign: { groups: [], users: [] },
  }),
  'The preview of a campaign for a closed quiz': preview(
    {},
    { warning: say`${named('Fire safety')} is closed, so nobody can take it until it’s open.` },
  ),
  'The preview of a campaign whose channel the bot isn’t in': preview(
    {},
    { boardClosed: closedReason('not_in_channel') },
  ),
  'The preview of a campaign in which everyone has passed': preview(
    { members: [], leftOut: { ...leftOut, passed: ['Ada Okafor', 'Kim Doe'] } },
    { canStart: false },
  ),
  'Everyone in a preview': drawn(wholePlanPage('p-1', plannedCampaign({ leftOut }), 1)),
  'A campaign that stands': shown(standing),
  'A campaign that stands, with people who wait to be taken in and a channel that the bot can’t see': shown({
    ...standing,
    members: [campaignMember('u12', { name: 'Mia Holm', stays: [{ from: monday + dayMs }] })],
    unreadable: ['channel:C0KITCHEN|kitchen'],
    candidates: {
      people: ['Kim Doe', 'Leo Marsh'].map((name) => ({ userId: name, name, since: monday, why: 'other people' })),
      askedAt: monday,
    },
  }),
  'The preview of those who wait to be taken into a campaign that stands': preview(
    { ...standingRule, into: 'c-5', board: null, approval: 'other people', members: allDone },
    { entered: undefined },
  ),

  'The list of campaigns': listed([running, standing, withoutDue, ended], { left: 2, earlier: 31 }),
  'There are no campaigns': listed([]),
  'All campaigns ended more than a year ago': listed([], { earlier: 1 }),
  'There are no campaigns for quizzes with this name': listed([], { filter: 'forklift' }),
  'Training matrix, in all campaigns': matrix([running, standing, withoutDue], monday + 20 * dayMs),
  'Training matrix, for a group in which nobody is late': matrix([running], monday, {
    people: [{ kind: 'group', group: { group_id: 'g-1', group_name: 'Kitchen' }, people: [] }],
    absent: 2,
  }),
  'Training matrix, with more people and quizzes than a table holds, page 2': matrix(
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
  'Who is overdue, in all campaigns': matrix([running, standing, withoutDue], monday + 20 * dayMs, { only: 'overdue' }),
  'Who of a group is overdue': matrix([running], monday + 20 * dayMs, { only: 'overdue', people: kitchen }),
  'Nobody is overdue': matrix([], monday, { only: 'overdue' }),
  'Nobody of a group is overdue': matrix([], monday, { only: 'overdue', people: kitchen }),
  'Nobody has to take anything': matrix([], monday),
  'Nobody of a group has to take anything': matrix([], monday, { people: kitchen }),
  'The next twelve months': year([running, standingCampaign(), withoutDue], monday + 16 * dayMs),
  'The next twelve months of a group, with gaps': year(
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
  'Nothing comes in the next twelve months': year([], monday),
  'A campaign that runs': shown(running),
  'A campaign that is overdue, page 2': shown(
    campaignOf({ members: Array.from({ length: 100 }, () => members[7]!) }),
    monday + 15 * dayMs,
    2,
  ),
  'A campaign without a due time': shown(withoutDue),
  'A campaign whose groups people have joined': shown(running, monday + 3 * dayMs, 1, [
    { userId: 'u-20', name: 'Ana Costa' },
    { userId: 'u-21', name: 'Bo Lind' },
  ]),
  'A campaign that is over': shown(ended, monday + 21 * dayMs),
  ...changes,
};

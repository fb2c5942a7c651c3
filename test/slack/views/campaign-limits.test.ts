import fc from 'fast-check';
import { channelMention, inEnglish, mention } from '../../../src/domain/said.ts';
import { expect, test } from 'vitest';
import type { Announcement } from '../../../src/domain/announcement.ts';
import type { CampaignMember } from '../../../src/domain/campaign.ts';
import { announcementMessage } from '../../../src/slack/views/announcement.ts';
import { campaignPlanPage } from '../../../src/features/campaigns/pages/plan.ts';
import type { Message } from '../../../src/slack/views/blocks/message.ts';
import {
  campaignMember,
  campaignOf,
  campaignResult,
  dayMs,
  monday,
  plannedCampaign,
  standingRule,
} from '../../support/builders/campaigns.ts';
import { drawn } from '../../support/draw.ts';
import { problemsOfMessage, problemsOfSize } from '../../support/slack-limits.ts';

const outside = fc.oneof(
  fc.constantFrom(
    '',
    'x',
    'x'.repeat(1_000),
    '&'.repeat(1_000),
    '<!channel> & <https://x|y>',
    'اختبار السلامة '.repeat(20),
    '👩‍🚒'.repeat(150),
    '\u202Egnp.exe',
    '`*_~`\n> x',
    '\u0000',
    ' ',
  ),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
);
const moments = fc.integer({ min: monday, max: monday + 500 * dayMs });

const members = fc
  .record({
    name: outside,
    result: fc.option(
      fc
        .tuple(fc.constantFrom('passed', 'failed', 'not graded', 'unmarked'), fc.option(moments))
        .map(([outcome, at]) => campaignResult(outcome, at)),
    ),
    saidNotMeAt: fc.option(moments),
    excused: fc.option(fc.constant({ by: 'UTOM', reason: '', at: monday })),
  })
  .map((some) => campaignMember('', some));

/** Up to 2,000 members, of a few kinds. */
const crowds = fc
  .tuple(fc.array(members, { maxLength: 8 }), fc.integer({ min: 0, max: 2_000 }))
  .map(([some, count]): CampaignMember[] =>
    some.length === 0
      ? []
      : Array.from({ length: count }, (_, index) => ({ ...some[index % some.length]!, userId: `u-${index}` })),
  );

const campaigns = fc
  .record({
    members: crowds,
    name: outside,
    completeWhen: fc.constantFrom('passed', 'submitted'),
    dueAt: fc.option(moments),
    endedAt: fc.option(moments),
    board: fc.option(fc.boolean()),
    isStanding: fc.boolean(),
  })
  .map(({ name, dueAt, board, isStanding, ...campaign }) =>
    campaignOf({
      ...campaign,
      quiz: { id: 'q'.repeat(40), name },
      dueAt,
      ...(isStanding && standingRule),
      board: board === null ? null : { channelId: 'C1', showsNames: board },
    }),
  );

const notices = fc.array(
  fc.record({
    campaignId: fc.uuid(),
    quizId: fc.uuid(),
    quizName: outside,
    by: fc.constant('UTOM'),
    dueAt: fc.option(moments),
    isReminder: fc.boolean(),
    validUntil: fc.option(moments, { nil: undefined }),
    takeUrl: fc.option(fc.webUrl(), { nil: undefined }),
    words: fc.oneof(
      fc.constant('&'.repeat(300)),
      outside.map((text) => text.slice(0, 300)),
    ),
    takesMinutes: fc.integer({ min: 1, max: 600 }),
  }),
  { minLength: 1, maxLength: 100, size: 'max' },
);
const escalations = fc.record({
  campaignId: fc.uuid(),
  quizName: outside,
  dueAt: fc.option(moments),
  names: fc.array(outside, { maxLength: 50, size: 'max' }),
  missing: fc.integer({ min: 1, max: 2_000 }),
  ownQuizId: fc.option(fc.uuid(), { nil: undefined }),
  takeUrl: fc.option(fc.webUrl(), { nil: undefined }),
});
const progress = fc.option(
  fc.record({
    batch: fc.record({
      id: fc.uuid(),
      action: outside,
      ownerId: fc.constant('UTOM'),
      state: fc.constantFrom('running', 'paused', 'stopped', 'cancelled', 'finished'),
      startedAt: moments,
      endedAt: fc.option(moments),
    }),
    total: fc.nat(),
    done: fc.nat(),
    same: fc.nat(),
    failed: fc.nat(),
    skipped: fc.nat(),
    readyAt: fc.option(moments, { nil: undefined }),
    problem: outside,
  }),
  { nil: undefined },
);

const announcements: fc.Arbitrary<Announcement> = fc.oneof(
  fc.record({ kind: fc.constant('campaign-board'), campaign: campaigns, assigning: progress, now: moments }),
  fc.record({ kind: fc.constant('campaign-end'), campaign: campaigns, now: moments }),
  fc.record({
    kind: fc.constant('campaign-notices'),
    notices,
    timeZone: fc.constantFrom('UTC', 'Asia/Kolkata'),
    now: moments,
  }),
  fc.record({
    kind: fc.constant('campaign-escalations'),
    escalations: fc.array(escalations, { minLength: 1, maxLength: 60, size: 'max' }),
    timeZone: fc.constant('UTC'),
  }),
  fc.record({
    kind: fc.constant('campaign-not-me'),
    campaignId: fc.uuid(),
    quizName: outside,
    userId: outside,
    name: outside,
  }),
  fc.record({
    kind: fc.constant('campaign-channel-closed'),
    campaignId: fc.uuid(),
    quizName: outside,
    channelId: fc.constant('C1'),
    code: fc.constantFrom('not_in_channel', 'is_archived', 'x'.repeat(60)),
  }),
);

/** Without the mentions that the bot writes itself. */
const withoutOwnMentions = (message: Message) =>
  JSON.parse(
    JSON.stringify(message).replaceAll(mention('UTOM'), '@Tom').replaceAll(channelMention('C1'), '#training'),
  ) as Message;

test('Slack takes every message of a campaign, with up to 2,000 members and whatever they are called', () => {
  fc.assert(
    fc.property(announcements, (announcement) => {
      const message = announcementMessage(announcement);
      expect([...problemsOfMessage(withoutOwnMentions(message)), ...problemsOfSize(message)]).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

test.each([
  [2, 40],
  [11, 50],
  [16, 12],
])('a lead of %i campaigns with %i missing people each finds every quiz and its buttons', (count, missing) => {
  const names = Array.from({ length: missing }, (_, index) => `Alexandra Fischer-Müller ${index}`);
  const message = announcementMessage({
    kind: 'campaign-escalations',
    escalations: Array.from({ length: count }, (_, index) => ({
      campaignId: crypto.randomUUID(),
      quizName: `Workplace safety ${index}`,
      dueAt: monday,
      names,
      missing,
      takeUrl: undefined,
    })),
  });
  const text = inEnglish(JSON.stringify(message.blocks));
  expect([text.match(/"text":"Excuse…"/g)?.length, text.includes('more: `/quiz-campaign')]).toEqual([count, false]);
});

test('the preview of a campaign can be changed, however many people were named one by one', () => {
  const input = { quiz: ['q-1'], to: Array.from({ length: 100 }, () => crypto.randomUUID()) };
  const { blocks } = drawn(
    campaignPlanPage(plannedCampaign(), {
      id: 'p-1',
      canStart: true,
      entered: { operation: 'start-campaign', input },
      warning: undefined,
      timeZone: 'UTC',
      platform: 'Slack',
    }),
  );
  expect(JSON.stringify(blocks)).toContain('"text":"Change…"');
});

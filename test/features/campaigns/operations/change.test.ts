import { expect, test, describe } from 'vitest';
import { everything } from '../../../../src/governance/rights/rights.ts';
import { addToCampaign, approvalToAdd } from '../../../../src/features/campaigns/operations/add.ts';
import type { Campaign, RuleChange } from '../../../../src/domain/campaign.ts';
import type { OperationContext, Right } from '../../../../src/operations/context.ts';
import type { AudiencePart } from '../../../../src/operations/fields/people.ts';
import type { DoneResult } from '../../../../src/operations/page.ts';
import type { QuizResponse } from '../../../../src/quiz-api/responses.ts';
import { plainSentence } from '../../../../src/domain/said.ts';
import {
  campaignMember,
  campaignOf,
  dayMs,
  monday,
  openEnd,
  standingRule,
  type MemberOverrides,
} from '../../../support/builders/campaigns.ts';
import { quizResponse } from '../../../support/builders/responses.ts';
import { quizUser } from '../../../support/builders/users.ts';
import { policyDecision } from '../../../../src/governance/rights/policy.ts';
import { approvalFor } from '../../../../src/features/campaigns/operations/who-takes-part.ts';
import { applyEvents } from '../../../../src/features/campaigns/events.ts';
import { nextMessages } from '../../../../src/features/campaigns/next-step.ts';
import {
  inputOfRule,
  readChange,
  type ChangeInput,
} from '../../../../src/features/campaigns/operations/change-campaign.ts';
import { handOverCampaign } from '../../../../src/features/campaigns/operations/hand-over.ts';
import { readDue } from '../../../../src/features/campaigns/operations/schedule-input.ts';
import { resultOf } from '../../../../src/obligations/people.ts';

const lea = quizUser({ user_id: 'u-lea' });

/** Adds Lea, who is not suspended, by a decision on these people. `changes` are the requests that changed something. */
async function addLea(
  people: AudiencePart['people'],
  ofLea: readonly QuizResponse[] = [],
  members = [campaignMember('u-1')],
) {
  const changes: string[] = [];
  const read: unknown[] = [];
  /** What the campaign gets. */
  const order: string[] = [];
  const responses = [quizResponse({ user_id: 'u-1' }), ...ofLea];
  const context = {
    api: {
      quizzes: { groups: async () => [] },
      responses: { list: async () => responses },
      users: { assignQuiz: async (userId: string) => void changes.push(`assign to ${userId}`) },
    },
    directory: { users: { fresh: async () => [lea], edit: () => {} }, quizGroups: { put: () => {} } },
    campaigns: {
      async takeIn({ id }: Campaign, taken: { members: readonly { userId: string }[] }) {
        order.push('add');
        changes.push(`${taken.members.map(({ userId }) => userId).join()} into ${id}`);
      },
      async putRead({ id }: Campaign, results: unknown) {
        order.push('read');
        read.push([id, results]);
      },
    },
    reach: async () => new Map(),
    visibility: everything,
    actor: {},
    requester: {},
    platform: { name: 'Slack' },
    timeZone: 'Etc/UTC',
    call: {},
    now: () => 7,
  } as unknown as OperationContext;
  const campaign = campaignOf({ members });
  const { message } = (await addToCampaign.run(context, {
    people: [{ kind: 'user', user: lea, people }],
    campaign,
  })) as DoneResult;
  return {
    changes,
    order,
    message: plainSentence(message),
    read,
    known: [[campaign.id, { users: [lea], responses, since: 7 }]],
  };
}

test('adds people before the campaign gets to know that everybody else has passed, which would end it', async () => {
  const { order, read: reported, known } = await addLea([{ userId: 'u-lea', isTrained: true }]);
  expect([order, reported]).toEqual([['add', 'read'], known]);
});

test('adds the people whom the decision was about, and not one who was suspended then', async () => {
  expect((await addLea([{ userId: 'u-lea', isTrained: true }])).changes).toEqual(['assign to u-lea', 'u-lea into c-1']);
  expect((await addLea([])).changes).toEqual([]);
});

test('a campaign is answered for by who asked to take it over, and not by who approved that', async () => {
  const owners: unknown[] = [];
  const context = {
    actor: { personId: 'UADA', user: quizUser({ user_id: 'u-ada' }) },
    requester: { personId: 'UERIN', user: quizUser({ user_id: 'u-erin' }), timeZone: 'Europe/Warsaw' },
    campaigns: { handOver: async (_: Campaign, to: object) => owners.push(to) },
  } as unknown as OperationContext;
  await handOverCampaign.run(context, { campaign: campaignOf() });
  expect(owners).toEqual([{ ownerId: 'UERIN', leads: ['u-erin'], timeZone: 'Europe/Warsaw' }]);
});

test('says when the person who isn’t added passed', async () => {
  const attempts = [8, 13].map((day) =>
    quizResponse({ user_id: 'u-lea', user_name: lea.user_name, date_submitted: new Date(Date.UTC(2026, 10, day, 9)) }),
  );
  expect(await addLea([{ userId: 'u-lea', isTrained: true }], attempts)).toMatchObject({
    changes: [],
    message: '“Rosa Almeida” passed “Fire safety” on Fri 13 Nov 2026. Nobody was added.',
  });
});

test('a member who could not get the quiz gets it, and the messages', async () => {
  const members = [campaignMember('u-lea', { name: 'Rosa Almeida', assignment: 'failed' })];
  expect(await addLea([], [], members)).toMatchObject({
    changes: ['assign to u-lea', 'u-lea into c-1'],
    message: 'Assigned “Fire safety” to “Rosa Almeida”. They get the messages of its campaign now.',
  });
});

const administrator: ReadonlySet<Right> = new Set(['known', 'staff', 'edit_quizzes', 'administrator']);
const trainer: ReadonlySet<Right> = new Set(['known', 'staff', 'edit_quizzes']);

const idsOf = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `u-${from + index}`);
const campaignWith = (count: number) => campaignOf({ members: idsOf(count).map((userId) => campaignMember(userId)) });
const groupOf = (userIds: readonly string[], isTrained = true): AudiencePart => ({
  kind: 'group',
  group: { group_id: 'g-1', group_name: 'Kitchen' },
  people: userIds.map((userId) => ({ userId, isTrained })),
});

describe('a campaign is started or gets more people', () => {
  test.each([
    [100, true, null],
    [100, false, 'other people'],
    [101, true, 'many people'],
    [101, false, 'many people'],
  ])('with %s people, whom the person trains: %s', (count, isTrained, approval) => {
    expect(approvalFor(idsOf(count).map(() => ({ isTrained })))).toBe(approval);
    for (const already of [1, 99])
      expect(approvalToAdd([groupOf(idsOf(count - already, already), isTrained)], campaignWith(already))).toBe(
        approval,
      );
  });

  test('and people who are in it already, or come twice, count once', () => {
    expect(approvalToAdd([groupOf(idsOf(60, 40)), groupOf(idsOf(50, 50))], campaignWith(50))).toBe(null);
    expect(approvalToAdd([groupOf(idsOf(1, 3), false)], campaignWith(100))).toBe(null);
  });

  test.each([
    ['trained people', groupOf(idsOf(5, 10)), 10, 'at once', 'at once'],
    ['other people', groupOf(idsOf(5, 10), false), 10, 'at once', 'approval'],
    ['more than 100 people', groupOf(idsOf(5, 98)), 98, 'approval', 'approval'],
  ] as const)('an administrator and a trainer who add %s', (_, part, already, ofAdministrator, ofTrainer) => {
    const input = { people: [part], campaign: campaignWith(already) };
    expect(policyDecision(addToCampaign, input, administrator)).toBe(ofAdministrator);
    expect(policyDecision(addToCampaign, input, trainer)).toBe(ofTrainer);
  });
});

const standing = campaignOf(standingRule);
const round = campaignOf();
const nothing: ChangeInput = {
  within: undefined,
  renew: undefined,
  remind: undefined,
  overdue: undefined,
  escalate: undefined,
  complete: undefined,
  valid: undefined,
  countsForGood: false,
};
const read = (campaign: Campaign, input: Partial<ChangeInput>) =>
  readChange(campaign, { ...nothing, ...input }, monday);

describe('what is typed for another rule', () => {
  test('is read as the difference alone', () => {
    expect(read(standing, { within: [7 * dayMs] })).toEqual({ standing: { withinDays: 7 } });
    expect(read(standing, { within: [14 * dayMs], remind: [] })).toEqual({ remindBeforeMs: [] });
    expect(read(standing, { overdue: [], escalate: [2 * dayMs] })).toEqual({
      overdueEveryMs: null,
      escalateAfterMs: 2 * dayMs,
    });
    expect(read(round, { valid: { months: 6 } })).toEqual({ validity: { months: 6 } });
    expect(read(standing, { countsForGood: true })).toEqual({ validity: null });
  });

  test('has a pass renewed as usual where it counts for less time than it was renewed before', () => {
    expect(read(standing, { valid: { months: 1 } })).toEqual({ validity: { months: 1 }, standing: { renewDays: 13 } });
    expect(read(standing, { valid: { months: 1 }, renew: [7 * dayMs] })).toEqual({
      validity: { months: 1 },
      standing: { renewDays: 7 },
    });
  });

  test.each<[string, Campaign, Partial<ChangeInput>, string]>([
    ['a round has no time for each person', round, { within: [7 * dayMs] }, 'is one round'],
    ['a round is not renewed', round, { renew: [7 * dayMs] }, 'is one round'],
    [
      'what counts for good is not renewed',
      standing,
      { countsForGood: true, renew: [dayMs] },
      'Nothing is to be renewed',
    ],
    ['half days', standing, { within: [dayMs / 2] }, 'whole days'],
    ['a pass that is renewed before it is made', standing, { renew: [400 * dayMs] }, 'less than a pass counts'],
    ['several messages a day', round, { overdue: [dayMs / 2] }, 'at most one message a day'],
    ['both for good and for a time', standing, { countsForGood: true, valid: { months: 6 } }, 'Leave one out'],
    ['reminders without a due time', campaignOf({ ...openEnd }), { remind: [dayMs] }, 'need a due time'],
    ['an escalation to nobody', campaignOf({ leads: [] }), { escalate: [dayMs] }, 'Hand it over first'],
  ])('is refused: %s', (_, campaign, input, words) => {
    expect(() => read(campaign, input)).toThrow(words);
  });
});

describe('another rule', () => {
  const rule = (campaign: Campaign, change: RuleChange, at = monday + dayMs) =>
    applyEvents(campaign, [{ kind: 'rule', change, at }]);
  const asked = (campaign: Campaign, now: number) =>
    nextMessages(campaign, now, new Set()).map(({ member, message }) => [member.userId, message.kind, message.at]);
  const passed = (userId: string, at: number, more: MemberOverrides = {}) =>
    campaignMember(userId, { ...more, result: { submittedAt: at, outcome: 'passed', percentage: 90 } });

  test('is applied to what it names alone, and a round ends as its escalation says', () => {
    const changed = rule(round, { escalateAfterMs: dayMs, remindBeforeMs: [] });
    expect(changed.rule).toEqual({
      ...round.rule,
      escalateAfterMs: dayMs,
      remindBeforeMs: [],
      endsAt: round.rule.dueAt! + 29 * dayMs,
    });
    expect(rule(standing, { validity: null }).rule.validity).toBeNull();
    expect(rule(standing, { standing: { withinDays: 7 } }).rule).toMatchObject({
      standing: { withinDays: 7, renewDays: 30 },
    });
    expect(rule({ ...round, endedAt: monday }, { remindBeforeMs: [] })).toEqual({ ...round, endedAt: monday });
  });

  test('reminds who has to take a round again, and gives back a result where it is taken back', () => {
    const members = [passed('rosa', monday - 200 * dayMs, { notifiedAt: monday })];
    const campaign = { ...round, members };
    const at = monday + dayMs;
    const changed = rule(campaign, { validity: { months: 6 } });
    expect(resultOf(changed.members[0]!, changed)).toBeNull();
    expect(changed.members[0]).toMatchObject({ remindNowAt: at });
    expect(asked(changed, at)).toEqual([['rosa', 'reminder', at]]);
    const undone = rule(changed, { validity: null }, at + dayMs);
    expect(resultOf(undone.members[0]!, undone)).toMatchObject({ outcome: 'passed' });
  });

  test('is shown in the form as it is typed', () => {
    expect(inputOfRule(standing.rule)).toEqual({
      within: ['14d'],
      complete: ['passed'],
      valid: ['12 months'],
      renew: ['30d'],
      remind: ['7d', '1d'],
      overdue: ['1d'],
      escalate: ['3d'],
    });
  });
});

test('a due time that counts from now is a whole minute, so that the same one is no other', () => {
  const dueIn = (text: string, seconds: number) =>
    readDue(text, 'time', { nowMs: monday + seconds * 1_000, timeZone: 'Asia/Kolkata' });
  expect([dueIn('in 10m', 5), dueIn('in 10m', 59), dueIn('in 1m', 59)]).toEqual([
    monday + 600_000,
    monday + 600_000,
    monday + 60_000,
  ]);
});

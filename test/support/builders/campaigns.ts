import { changedTerms, termsOf } from '../../../src/features/campaigns/operations/rule-change.ts';
import type { Campaign, CampaignMember, CampaignResult, Schedule } from '../../../src/domain/campaign.ts';
import type { CampaignChangePlan, CampaignPlan, PlannedMember } from '../../../src/domain/campaign-plan.ts';

const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;
/** The default of `RETENTION_YEARS`. */
export const retentionMs = 3 * 366 * dayMs;
export const monday = Date.parse('2026-11-23T10:00:00Z');

export function campaignMember(userId: string, overrides: Partial<CampaignMember> = {}): CampaignMember {
  return {
    userId,
    name: userId,
    groups: [],
    personId: `U${userId.toUpperCase()}`,
    timeZone: 'UTC',
    addedAt: monday,
    notifiedAt: null,
    remindedAt: [],
    snoozedUntil: null,
    result: null,
    responseIds: [],
    attempts: overrides.result ? [{ ...overrides.result, responseId: 'r-1', knownAt: 0 }] : [],
    excused: null,
    saidNotMeAt: null,
    ...overrides,
  };
}

/** Due in two weeks, with reminders a week and a day before, daily after it, and an escalation after three days. */
export function campaignOf(overrides: Partial<Campaign> = {}): Campaign {
  return {
    id: 'c-1',
    teamId: 'T1',
    quiz: { id: 'q-1', name: 'Fire safety' },
    ownerId: 'UTOM',
    startedAt: monday,
    completeWhen: 'passed',
    schedule: {
      dueAt: monday + 14 * dayMs,
      remindBeforeMs: [7 * dayMs, dayMs],
      overdueEveryMs: dayMs,
      escalateAfterMs: 3 * dayMs,
      endsAt: monday + 28 * dayMs,
    },
    lead: { userId: 'tom', timeZone: 'UTC' },
    board: null,
    endedAt: null,
    remindNowAt: null,
    escalatedUpTo: 0,
    members: [campaignMember('rosa'), campaignMember('kim')],
    batchId: null,
    ...overrides,
  };
}

export function campaignResult(
  outcome: CampaignResult['outcome'],
  submittedAt: number | null = monday,
): CampaignResult {
  return { outcome, percentage: null, submittedAt };
}

/** What a person starts: the campaign of `campaignOf`, of which everybody has the quiz. */
export function campaignPlan(overrides: Partial<CampaignPlan> = {}): CampaignPlan {
  const { quiz, completeWhen, schedule, lead, board, members } = campaignOf();
  return {
    kind: 'campaign',
    quiz,
    completeWhen,
    schedule,
    lead,
    board,
    members: members.map(({ userId, name, groups, personId, timeZone }) => ({
      userId,
      name,
      groups,
      personId,
      timeZone,
    })),
    assign: { groups: [], users: [] },
    leftOut: { passed: [], suspended: [], guests: [], excepted: [], withoutUser: [] },
    approval: null,
    assigning: { requests: 0 },
    firstMessagesAt: monday,
    ...overrides,
  };
}

export function plannedMember(userId: string, overrides: Partial<PlannedMember> = {}): PlannedMember {
  return { userId, name: userId, groups: [], personId: `U${userId.toUpperCase()}`, timeZone: 'UTC', ...overrides };
}

/** What makes the campaign of `campaignOf` stand: within 14 days, valid 12 months, renewed 30 days before. */
export const standingRule = {
  validity: { months: 12 },
  standing: { withinDays: 14, renewDays: 30, holidays: [] },
  schedule: { ...campaignOf().schedule, dueAt: undefined, endsAt: undefined },
} as const satisfies Partial<Campaign>;

/** A campaign that stands, with somebody in most of its states: three valid, one of them to be renewed, two overdue, one due. */
export function standingCampaign(overrides: Partial<Campaign> = {}): Campaign {
  const daysAgo = (days: number) => ({ addedAt: monday - days * dayMs });
  const passed = (days: number) => ({
    addedAt: monday - 400 * dayMs,
    result: campaignResult('passed', monday - days * dayMs),
  });
  return campaignOf({
    id: 'c-standing',
    quiz: { id: 'q-hygiene', name: 'Food hygiene' },
    ...standingRule,
    members: [
      campaignMember('rosa', passed(100)),
      campaignMember('kim', passed(200)),
      campaignMember('lea', passed(345)),
      campaignMember('sven', daysAgo(30)),
      campaignMember('nora', { ...passed(400), addedAt: monday - 500 * dayMs }),
      campaignMember('gus', daysAgo(5)),
    ],
    ...overrides,
  });
}

/** A campaign that stands, whose pass is to count for half as long, and which is to be due sooner. */
export function plannedRuleChange(overrides: Partial<CampaignChangePlan> = {}): CampaignChangePlan {
  const before = termsOf(campaignOf(standingRule));
  const change = { withinDays: 7, validity: { months: 6 }, overdueEveryMs: null };
  return {
    kind: 'campaign-change',
    campaignId: 'c-1',
    quiz: { id: 'q-1', name: 'Fire safety' },
    lead: { userId: 'tom', timeZone: 'Europe/Berlin' },
    change,
    before,
    after: changedTerms(before, change),
    states: [
      { state: 'overdue', before: 0, after: 1 },
      { state: 'due', before: 3, after: 4 },
      { state: 'not asked', before: 1, after: 1 },
      { state: 'valid', before: 8, after: 6 },
    ],
    members: [
      {
        userId: 'u-1',
        name: 'Kim Doe',
        was: 'due',
        is: 'overdue',
        dueWas: monday + 4 * dayMs,
        dueAt: monday - 3 * dayMs,
      },
      {
        userId: 'u-0',
        name: 'Rosa Almeida',
        was: 'valid',
        is: 'due',
        dueAt: monday + 7 * dayMs,
        validUntil: monday - dayMs,
      },
      { userId: 'u-2', name: 'Person 1', was: 'valid', is: 'due', dueAt: monday + 7 * dayMs },
      { userId: 'u-3', name: 'Person 2', was: 'due', is: 'valid', validUntil: monday + 30 * dayMs },
    ],
    sooner: 3,
    firstMessagesAt: monday + 23 * hourMs,
    approval: null,
    ...overrides,
  };
}

/** The schedule of a campaign without a due time. */
export const openEnd: Schedule = {
  dueAt: undefined,
  remindBeforeMs: [],
  overdueEveryMs: undefined,
  escalateAfterMs: undefined,
  endsAt: undefined,
};

/** The campaign of `campaignOf` before it starts, for twelve people, of whom eight lack the quiz. */
export function plannedCampaign(overrides: Partial<CampaignPlan> = {}): CampaignPlan {
  const { quiz, completeWhen, schedule } = campaignOf();
  const members = ['Rosa Almeida', 'Kim Doe', ...Array.from({ length: 10 }, (_, index) => `Person ${index + 1}`)].map(
    (name, index) => plannedMember(`u${index}`, { name, groups: index < 2 ? ['Kitchen'] : [] }),
  );
  return {
    kind: 'campaign',
    quiz,
    completeWhen,
    schedule,
    lead: { userId: 'tom', timeZone: 'Europe/Berlin' },
    board: { channelId: 'C0TRAINING', showsNames: true },
    members,
    assign: {
      groups: [{ id: 'g-1', name: 'Kitchen' }],
      users: members.slice(0, 7).map(({ userId, name }) => ({ id: userId, name })),
    },
    leftOut: { passed: [], suspended: [], guests: [], excepted: [], withoutUser: [] },
    approval: null,
    assigning: { requests: 8 },
    firstMessagesAt: monday,
    ...overrides,
  };
}

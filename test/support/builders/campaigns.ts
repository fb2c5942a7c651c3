import {
  changedRule,
  type Campaign,
  type CampaignMember,
  type CampaignResult,
  type Excuse,
  type Obligation,
  type Rule,
} from '../../../src/domain/campaign.ts';
import type {
  CampaignChangePlan,
  CampaignDraft,
  CampaignPlan,
  PlannedMember,
} from '../../../src/domain/campaign-plan.ts';

const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;
/** The default of `RETENTION_YEARS`. */
export const retentionMs = 3 * 366 * dayMs;
export const monday = Date.parse('2026-11-23T10:00:00Z');

/** What tests say of a member in short. */
interface InShort {
  addedAt: number;
  /** When the first message was handed over, and the reminders, what became of them, and the due time in them. */
  notifiedAt: number | null;
  remindedAt: readonly number[];
  deliveries: readonly { handedAt: number; at: number; failure?: string }[];
  toldDueAt: number | null;
  /** Of the only attempt. */
  result: CampaignResult | null;
  excused: (Omit<Excuse, 'until'> & Partial<Pick<Excuse, 'until'>>) | null;
}

export type MemberOverrides = Partial<Omit<CampaignMember, 'excused'> & InShort>;

export function campaignMember(
  userId: string,
  {
    addedAt = monday,
    notifiedAt = null,
    remindedAt = [],
    deliveries = [],
    toldDueAt = usualRule.dueAt,
    result,
    excused = null,
    ...overrides
  }: MemberOverrides = {},
): CampaignMember {
  return {
    userId,
    name: userId,
    groups: [],
    personId: `U${userId.toUpperCase()}`,
    away: null,
    timeZone: 'UTC',
    stays: [{ from: addedAt }],
    messages: [...(notifiedAt === null ? [] : [notifiedAt]), ...remindedAt].map((handedAt) => {
      const delivery = deliveries.find((one) => one.handedAt === handedAt);
      return { handedAt, at: delivery?.at ?? null, failure: delivery?.failure ?? null, dueAt: toldDueAt };
    }),
    snoozedUntil: null,
    remindNowAt: null,
    attempts: result ? [{ ...result, responseId: 'r-1', knownAt: 0 }] : [],
    excused: excused && { until: null, ...excused },
    saidNotMeAt: null,
    askAgainAt: null,
    managerId: null,
    notReportOf: [],
    assignment: 'has',
    ...overrides,
  };
}

/** Due in two weeks, with reminders a week and a day before, daily after it, and an escalation after three days. */
const usualRule: Rule = {
  completeWhen: 'passed',
  validity: null,
  standing: null,
  dueAt: monday + 14 * dayMs,
  remindBeforeMs: [7 * dayMs, dayMs],
  overdueEveryMs: dayMs,
  escalateAfterMs: 3 * dayMs,
  endsAt: monday + 28 * dayMs,
  toManagers: false,
  board: null,
};

/** With the parts of the rule among its other fields. */
type Flat<Value extends { rule: Rule }> = Partial<Omit<Value, 'rule'> & Rule>;

function withRule<Value extends { rule: Rule }>(base: Value, overrides: Flat<Value>): Value {
  const rule = { ...base.rule };
  const others: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(overrides)) Object.assign(name in rule ? rule : others, { [name]: value });
  return { ...others, rule } as Value;
}

function ruleOf(overrides: Partial<Rule> = {}): Rule {
  return { ...usualRule, ...overrides };
}

const usualDraft: CampaignDraft = {
  quiz: { id: 'q-1', name: 'Fire safety' },
  rule: usualRule,
  leads: ['tom'],
  timeZone: 'UTC',
  audience: [],
  leftOut: [],
  except: [],
  words: null,
  takesMinutes: null,
};

/** @param overrides with the parts of its rule among the other fields */
export function campaignOf(overrides: Flat<Campaign> = {}): Campaign {
  const campaign: Campaign = {
    ...usualDraft,
    id: 'c-1',
    teamId: 'T1',
    obstacle: null,
    quizKnownAt: 0,
    startedBy: overrides.ownerId ?? 'UTOM',
    ownerId: 'UTOM',
    approvedBy: null,
    startedAt: monday,
    dueChangedAt: null,
    unable: [],
    endedAt: null,
    remindNowAt: null,
    escalatedUpTo: 0,
    members: [campaignMember('rosa'), campaignMember('kim')],
    assigning: null,
    candidates: null,
    unreadable: [],
  };
  return withRule(campaign, overrides);
}

export function campaignResult(
  outcome: CampaignResult['outcome'],
  submittedAt: number | null = monday,
): CampaignResult {
  return { outcome, percentage: null, submittedAt };
}

/** With the parts of its draft and of the rule among its other fields. */
export type PlanOverrides = Partial<Omit<CampaignPlan, 'draft'> & Omit<CampaignDraft, 'rule' | 'leftOut'> & Rule>;

/** What a person starts: the campaign of `campaignOf`, of which everybody has the quiz. */
export function campaignPlan(overrides: PlanOverrides = {}): CampaignPlan {
  const isOfDraft = ([name]: [string, unknown]) => (name in usualDraft || name in usualRule) && name !== 'leftOut';
  const given = Object.groupBy(Object.entries(overrides), (one) => (isOfDraft(one) ? 'draft' : 'plan'));
  const draft = withRule(usualDraft, Object.fromEntries(given.draft ?? []));
  const plan: CampaignPlan = {
    kind: 'campaign',
    draft,
    into: null,
    isOnlyOne: false,
    managers: null,
    members: [plannedMember('rosa'), plannedMember('kim')],
    assign: { groups: [], users: [] },
    leftOut: { passed: [], suspended: [], guests: [], excepted: [], withoutUser: [] },
    valid: [],
    approval: null,
    firstMessagesAt: monday,
    laterNames: [],
    lateNames: [],
    overlaps: [],
    leadNames: [],
    collectives: null,
    ...Object.fromEntries(given.plan ?? []),
  };
  const { standing, dueAt } = draft.rule;
  const isDue = standing === null && dueAt !== null;
  const members = plan.members.map((member) =>
    isDue ? { ...member, obligation: { dueAt, ...member.obligation } } : member,
  );
  return { ...plan, members };
}

/** @param overrides with the parts of the obligation */
export function plannedMember(
  userId: string,
  { state = 'due', dueAt, validUntil, ...overrides }: Partial<PlannedMember & Obligation> = {},
): PlannedMember {
  const obligation: Obligation = {
    state,
    ...(dueAt !== undefined && { dueAt }),
    ...(validUntil !== undefined && { validUntil }),
  };
  const personId = `U${userId.toUpperCase()}`;
  return { userId, name: userId, groups: [], personId, timeZone: 'UTC', obligation, ...overrides };
}

/** What makes the campaign of `campaignOf` stand: within 14 days, valid 12 months, renewed 30 days before. */
export const standingRule = {
  validity: { months: 12 },
  standing: { withinDays: 14, renewDays: 30, holidays: [] },
  dueAt: null,
  endsAt: null,
} as const satisfies Partial<Rule>;

/** A campaign that stands, with somebody in most of its states: three valid, one of them to be renewed, two overdue, one due. */
export function standingCampaign(overrides: Flat<Campaign> = {}): Campaign {
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
  const before = ruleOf(standingRule);
  const change = { standing: { withinDays: 7 }, validity: { months: 6 }, overdueEveryMs: null };
  return {
    kind: 'campaign-change',
    campaignId: 'c-1',
    quiz: { id: 'q-1', name: 'Fire safety' },
    timeZone: 'Europe/Berlin',
    change,
    before,
    after: changedRule(before, change),
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

/** What makes the campaign of `campaignOf` one without a due time. */
export const openEnd = {
  dueAt: null,
  remindBeforeMs: [],
  overdueEveryMs: null,
  escalateAfterMs: null,
  endsAt: null,
} as const satisfies Partial<Rule>;

/** The campaign of `campaignOf` before it starts, for twelve people, of whom eight lack the quiz. */
export function plannedCampaign(overrides: PlanOverrides = {}): CampaignPlan {
  const members = ['Rosa Almeida', 'Kim Doe', ...Array.from({ length: 10 }, (_, index) => `Person ${index + 1}`)].map(
    (name, index) => plannedMember(`u${index}`, { name, groups: index < 2 ? ['Kitchen'] : [] }),
  );
  return campaignPlan({
    timeZone: 'Europe/Berlin',
    board: { channelId: 'C0TRAINING', showsNames: true },
    members,
    assign: {
      groups: [{ id: 'g-1', name: 'Kitchen' }],
      users: members.slice(0, 7).map(({ userId, name }) => ({ id: userId, name })),
    },
    ...overrides,
  });
}

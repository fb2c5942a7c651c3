import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyEvents } from '../../../src/features/campaigns/events.ts';
import { nextStep } from '../../../src/features/campaigns/next-step.ts';
import type { Campaign, Schedule } from '../../../src/domain/campaign.ts';
import { campaignMember, campaignOf, campaignResult, dayMs, monday } from '../../support/builders/campaigns.ts';
import { judgeCampaign, type CampaignPerson, type CampaignRun } from '../../support/campaign-oracle.ts';

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Asia/Tokyo', 'Pacific/Auckland'];
const hourMs = 3_600_000;
const minuteMs = 60_000;
const leadZone = 'UTC';
const endsAt = monday + 30 * dayMs;

/** What happens to one person, decided before the campaign runs. */
interface Fate {
  timeZone: string;
  /** When they pass; undefined: never. */
  submittedAt: number | undefined;
  isWebhookLost: boolean;
}

interface Plan {
  startHour: number;
  dueAfterHours: number;
  /** Reminders before the due time, in days before it. */
  before: readonly number[];
  overdueDays: number | undefined;
  escalateDays: number;
}

const fates: fc.Arbitrary<Fate[]> = fc.array(
  fc.record({
    timeZone: fc.constantFrom(...zones),
    submittedAt: fc.option(
      fc.integer({ min: 0, max: 30 * 24 * 60 }).map((minutes) => monday + minutes * minuteMs),
      { nil: undefined },
    ),
    isWebhookLost: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
  }),
  { minLength: 1, maxLength: 12 },
);
const plans: fc.Arbitrary<Plan> = fc.record({
  startHour: fc.integer({ min: 0, max: 167 }),
  dueAfterHours: fc.integer({ min: 24, max: 20 * 24 }),
  before: fc.uniqueArray(fc.integer({ min: 1, max: 10 }), { maxLength: 3 }),
  overdueDays: fc.option(fc.integer({ min: 1, max: 7 }), { nil: undefined }),
  escalateDays: fc.integer({ min: 1, max: 5 }),
});

/** A reminder due on Sunday comes on Monday morning, and another is due on Monday afternoon. */
const overSunday: Plan = {
  startHour: -2,
  dueAfterHours: 15 * 24 + 6,
  before: [7, 2, 1],
  overdueDays: 2,
  escalateDays: 3,
};
const missing = zones.map((timeZone) => ({ timeZone, submittedAt: undefined, isWebhookLost: false }));

test('the rules send what is due over 30 days, once and in the hours of each person, and nothing after a result', () => {
  fc.assert(
    fc.property(plans, fates, (plan, people) => {
      expect(judgeCampaign(send(plan, people))).toEqual([]);
    }),
    { numRuns: 30, examples: [[overSunday, missing]] },
  );
});

/** Sends what the rules of a campaign say. The time of a message is the one at which the rules hand it over. */
function send(
  { startHour, dueAfterHours, before, overdueDays, escalateDays }: Plan,
  people: readonly Fate[],
): CampaignRun {
  const startedAt = monday + startHour * hourMs;
  const dueAt = startedAt + dueAfterHours * hourMs;
  const remindBeforeMs = before.map((days) => days * dayMs).filter((ms) => dueAt - ms > startedAt);
  const overdueEveryMs = overdueDays === undefined ? null : overdueDays * dayMs;
  const schedule: Schedule = { dueAt, remindBeforeMs, overdueEveryMs, escalateAfterMs: escalateDays * dayMs, endsAt };
  const sent = people.map((): CampaignPerson['messages'][number][] => []);
  const named: number[] = [];
  const members = people.map(({ timeZone }, index) => campaignMember(String(index), { timeZone, addedAt: startedAt }));
  let running: Campaign = campaignOf({ startedAt, members, ...schedule, leads: ['tom'], timeZone: leadZone });
  let askedAt = 0;
  const known = new Set<number>();
  const take = (index: number, now: number) => {
    const { submittedAt } = people[index]!;
    if (submittedAt === undefined || submittedAt > now || known.has(index)) return;
    known.add(index);
    running = applyEvents(running, [
      {
        kind: 'result',
        userId: String(index),
        responseId: `r-${index}`,
        result: campaignResult('passed', submittedAt),
      },
    ]);
  };
  for (let now = startedAt; running.endedAt === null && now <= endsAt + dayMs;) {
    for (const [index, { isWebhookLost }] of people.entries()) if (!isWebhookLost) take(index, now);
    const step = nextStep(running, {
      now,
      askedAt,
      askAgainAt: 0,
      assignmentsReadAt: 0,
      refreshedAt: 0,
      endedByItself: false,
      isClosed: false,
      holidays: new Set(),
    });
    if (step.kind === 'ask') {
      askedAt = now;
      for (const index of people.keys()) take(index, now);
    } else if (step.kind === 'notify' || step.kind === 'remind') {
      const userIds = step.members.map(({ userId }) => userId);
      for (const userId of userIds)
        sent[Number(userId)]!.push({ kind: step.kind === 'notify' ? 'first' : 'reminder', at: now });
      running = applyEvents(running, [{ kind: 'handed', userIds, at: now }]);
    } else if (step.kind === 'escalate') {
      named.push(now);
      running = applyEvents(running, [{ kind: 'escalated', at: now }]);
    } else if (step.kind === 'end') {
      running = applyEvents(running, [{ kind: 'end', at: now }]);
    } else if (step.kind === 'wait') {
      const submissions = people.flatMap(({ submittedAt }) =>
        submittedAt !== undefined && submittedAt > now ? [submittedAt] : [],
      );
      now = Math.min(step.until ?? Infinity, ...submissions, endsAt + 2 * dayMs);
    }
  }
  const lastAt = running.endedAt ?? endsAt;
  const overdue =
    overdueEveryMs === null ? [] : Array.from({ length: 30 }, (_, index) => dueAt + (index + 1) * overdueEveryMs);
  const weekly = Array.from({ length: 5 }, (_, week) => dueAt + (escalateDays + week * 7) * dayMs);
  return {
    startedAt,
    dueAt,
    reminders: [...remindBeforeMs.map((ms) => dueAt - ms), ...overdue].filter((at) => at < lastAt),
    endsAt: lastAt,
    people: people.map((person, index) => ({ id: String(index), ...person, messages: sent[index]! })),
    lead: { timeZone: leadZone, due: weekly.filter((at) => at < lastAt), messages: named },
  };
}

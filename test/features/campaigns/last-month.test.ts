import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Campaign } from '../../../src/domain/campaign.ts';
import type { LastMonth } from '../../../src/domain/campaign-plan.ts';
import { applyEvents } from '../../../src/features/campaigns/events.ts';
import { messagesOf } from '../../../src/features/campaigns/messages.ts';
import { nextStep } from '../../../src/features/campaigns/next-step.ts';
import type { CampaignProgress } from '../../../src/features/campaigns/campaign-progress.ts';
import { replayLastMonth } from '../../../src/features/campaigns/last-month.ts';
import { memberState } from '../../../src/obligations/members.ts';
import type { ObligationFacts } from '../../../src/obligations/obligation.ts';
import {
  campaignMember,
  campaignOf,
  dayMs,
  monday,
  plannedMember,
  standingRule,
} from '../../support/builders/campaigns.ts';

const hourMs = 60 * 60_000;
const holidays = new Set(['2026-11-11']);
const since = monday - 30 * dayMs;
type Attempts = ObligationFacts['attempts'];

function lastMonth(rule: Partial<Campaign>, attempts: Readonly<Record<string, Attempts>>, members = ['rosa', 'kim']) {
  return replayLastMonth(
    campaignOf({ ...standingRule, ...rule }),
    members.map((userId) => plannedMember(userId)),
    new Map(Object.entries(attempts)),
    { nowMs: monday, holidays },
  );
}

describe('what a rule would have cost last month', () => {
  test('is a message to everyone without a pass, their reminders, and the names of those who are late', () => {
    const rule = { schedule: { ...standingRule.schedule, overdueEveryMs: undefined } };
    // Both came in on Saturday 24 October, and had it due on 7 November; the lead reads it after three days, and a week later.
    expect(lastMonth(rule, {})).toEqual({ asks: 2, reminders: 4, written: 2, escalations: 2, toTake: 2 });
  });

  test('is nothing for those whose pass is valid, and a renewal where it ends', () => {
    const passed = (at: number): Attempts => [{ at, outcome: 'passed' }];
    expect(lastMonth({}, { rosa: passed(since - 30 * dayMs), kim: passed(since - 60 * dayMs) })).toEqual({
      asks: 0,
      reminders: 0,
      written: 0,
      escalations: 0,
      toTake: 0,
    });
    const almostOver = passed(since - 330 * dayMs);
    expect(lastMonth({}, { rosa: almostOver, kim: passed(since) })).toMatchObject({ asks: 1, written: 1, toTake: 1 });
  });

  test('counts those whom no message reaches among those who would have had to take it', () => {
    const month = replayLastMonth(
      campaignOf(standingRule),
      [plannedMember('rosa', { personId: null }), plannedMember('kim', { isTurnedOff: true })],
      new Map(),
      { nowMs: monday, holidays },
    );
    expect(month).toMatchObject({ asks: 0, reminders: 0, written: 0, toTake: 2 });
  });

  test('is what the campaign itself would have done, from step to step', () => {
    const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata');
    const person = fc.record({
      timeZone: zone,
      attempts: fc.array(
        fc.record({
          at: fc.integer({ min: -400 * 24 * 4, max: 30 * 24 * 4 }).map((quarters) => since + (quarters * hourMs) / 4),
          outcome: fc.constantFrom('passed' as const, 'passed' as const, 'failed' as const, 'unmarked' as const),
        }),
        { maxLength: 3 },
      ),
    });
    const days = (min: number, max: number) => fc.integer({ min, max }).map((count) => count * dayMs);
    const rule = fc.record({
      validity: fc.constantFrom({ months: 1 }, { months: 12 }, { until: { month: 11, day: 20 } }, undefined),
      standing: fc.record({
        withinDays: fc.integer({ min: 1, max: 20 }),
        renewDays: fc.integer({ min: 1, max: 27 }),
        holidays: fc.constant([...holidays]),
      }),
      schedule: fc.record({
        dueAt: fc.constant(undefined),
        endsAt: fc.constant(undefined),
        remindBeforeMs: fc.array(days(1, 9), { maxLength: 2 }),
        overdueEveryMs: fc.option(days(1, 5), { nil: undefined }),
        escalateAfterMs: fc.option(days(1, 5), { nil: undefined }),
      }),
      lead: fc.record({ userId: fc.constant('tom'), timeZone: zone }),
    });
    fc.assert(
      fc.property(rule, fc.array(person, { minLength: 1, maxLength: 4 }), ({ validity, ...others }, people) => {
        const { validity: _, ...usual } = campaignOf(standingRule);
        const campaign = { ...usual, ...others, ...(validity && { validity }) };
        const attempts = new Map(people.map((one, index) => [`u-${index}`, one.attempts]));
        const zones = people.map(({ timeZone }, index) => plannedMember(`u-${index}`, { timeZone }));
        expect(replayLastMonth(campaign, zones, attempts, { nowMs: monday, holidays })).toEqual(
          liveMonth(campaign, people),
        );
      }),
      { numRuns: 50 },
    );
  });
});

/** Carries a campaign on that started 30 days ago, and counts what it does. Looks at everyone every three hours at least. */
function liveMonth(rule: Campaign, people: readonly { timeZone: string; attempts: Attempts }[]): LastMonth {
  const month = { asks: 0, reminders: 0, escalations: 0 };
  const [written, toTake] = [new Set<string>(), new Set<string>()];
  const progress: CampaignProgress = {
    askedAt: 0,
    askAgainAt: 0,
    assignmentsReadAt: 0,
    refreshedAt: 0,
    endedByItself: false,
    isClosed: false,
    isRepeated: false,
  };
  let campaign: Campaign = {
    ...rule,
    startedAt: since,
    members: people.map(({ timeZone }, index) => campaignMember(`u-${index}`, { timeZone, addedAt: since })),
  };
  for (let now = since; now < monday;) {
    campaign = {
      ...campaign,
      members: campaign.members.map((member, index) => ({
        ...member,
        attempts: people[index]!.attempts.filter(({ at }) => at <= now).map(({ at, outcome }) => ({
          responseId: String(at),
          outcome,
          percentage: null,
          submittedAt: at,
          knownAt: at,
        })),
      })),
    };
    for (const member of campaign.members) if (memberState(member, campaign, now) === 'open') toTake.add(member.userId);
    for (;;) {
      const step = nextStep(campaign, { ...progress, now, holidays });
      if (step.kind === 'wait') {
        const coming = people.flatMap(({ attempts }) => attempts.map(({ at }) => at)).filter((at) => at > now);
        now = Math.min(step.until ?? Infinity, now + 3 * hourMs, ...coming);
        break;
      }
      if (step.kind === 'ask') progress.askedAt = now;
      else if (step.kind === 'escalate') {
        month.escalations += 1;
        campaign = applyEvents(campaign, [{ kind: 'escalated', at: now }]);
      } else if (step.kind === 'notify' || step.kind === 'remind') {
        const userIds = step.members.map(({ userId }) => userId);
        for (const userId of userIds) written.add(userId);
        for (const { content } of messagesOf(step, campaign, now))
          month['isReminder' in content && content.isReminder ? 'reminders' : 'asks'] += 1;
        campaign = applyEvents(campaign, [
          { kind: step.kind === 'notify' ? 'notified' : 'reminded', userIds, at: now },
        ]);
      } else throw new Error(`no such step here: ${step.kind}`);
    }
  }
  return { ...month, written: written.size, toTake: toTake.size };
}

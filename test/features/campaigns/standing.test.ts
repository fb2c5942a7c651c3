import { describe, expect, test } from 'vitest';
import type { Campaign, CampaignEvent, CampaignMember } from '../../../src/domain/campaign.ts';
import { applyEvents, withoutOld } from '../../../src/features/campaigns/events.ts';
import { nextStep } from '../../../src/features/campaigns/next-step.ts';
import type { CampaignProgress } from '../../../src/features/campaigns/stored-campaign.ts';
import { personOf, memberAsOf } from '../../../src/obligations/people.ts';
import {
  campaignMember,
  campaignOf,
  campaignResult,
  dayMs,
  monday,
  standingRule,
} from '../../support/builders/campaigns.ts';
import fc from 'fast-check';
import { runs } from '../../support/drawn.ts';

const at = (time: string) => Date.parse(`${time}Z`);

/** Within 14 days, valid 12 months, renewed 30 days before; reminders 3 days before, an escalation 2 days after. */
const standing = campaignOf({
  validity: { months: 12 },
  standing: { withinDays: 14, renewDays: 30, holidays: ['2026-12-25'] },
  dueAt: null,
  remindBeforeMs: [3 * dayMs],
  overdueEveryMs: null,
  escalateAfterMs: 2 * dayMs,
  endsAt: null,
  members: [campaignMember('rosa')],
});

const passed = (userId: string, time: string): [string, CampaignEvent] => [
  time,
  { kind: 'result', userId, responseId: `${userId} ${time}`, result: campaignResult('passed', at(time)), at: at(time) },
];

/** Carries a campaign on from step to step. @returns what it writes, and when */
function live(start: Campaign, happening: readonly [time: string, CampaignEvent][], until: string) {
  let campaign = start;
  let now = monday;
  const written: string[] = [];
  const progress: CampaignProgress = {
    askedAt: 0,
    askAgainAt: 0,
    assignmentsReadAt: 0,
    refreshedAt: 0,
    endedByItself: false,
    isClosed: false,
  };
  const waiting = happening.map(([time, event]) => ({ at: at(time), event })).toSorted((a, b) => a.at - b.at);
  const note = (what: string, who: readonly { userId: string }[]) =>
    written.push(`${new Date(now).toISOString().slice(0, 16)} ${what} ${who.map(({ userId }) => userId).join()}`);
  while (now < at(until)) {
    const step = nextStep(campaign, { ...progress, now, holidays: new Set(['2026-12-25']) });
    switch (step.kind) {
      case 'ask':
        progress.askedAt = now;
        break;
      case 'notify':
      case 'remind': {
        note(step.kind, step.members);
        const userIds = step.members.map(({ userId }) => userId);
        campaign = applyEvents(campaign, [{ kind: 'handed', userIds, at: now }]);
        break;
      }
      case 'escalate':
        note(step.kind, step.missing);
        campaign = applyEvents(campaign, [{ kind: 'escalated', at: now }]);
        break;
      case 'wait': {
        const next = Math.min(step.until ?? Infinity, waiting[0]?.at ?? Infinity, at(until));
        if (next <= now) throw new Error('a campaign waits for the past');
        now = next;
        while (waiting[0] && waiting[0].at <= now) campaign = applyEvents(campaign, [waiting.shift()!.event]);
        break;
      }
      default:
        throw new Error(`no such step here: ${step.kind}`);
    }
  }
  return {
    campaign,
    written,
    stateOf: (userId: string) => {
      const member = campaign.members.find((one) => one.userId === userId)!;
      return personOf(member, campaign, now).obligation;
    },
  };
}

describe('a campaign that stands', () => {
  test('asks each person, reminds them before their own due time, and tells the lead of those who are late, once a week', () => {
    const { written, stateOf } = live(standing, [], '2026-12-26T00:00');
    expect(written).toEqual([
      '2026-11-23T10:00 notify rosa',
      '2026-12-04T17:00 remind rosa',
      '2026-12-09T17:00 escalate rosa',
      '2026-12-16T17:00 escalate rosa',
      '2026-12-23T17:00 escalate rosa',
    ]);
    expect(stateOf('rosa')).toMatchObject({ state: 'overdue', dueAt: at('2026-12-07T17:00') });
  });

  test('asks again before a pass ends, on a working day, and not after an early retake', () => {
    const { written, stateOf } = live(standing, [passed('rosa', '2026-11-25T09:00')], '2027-11-27T00:00');
    expect(written).toEqual([
      '2026-11-23T10:00 notify rosa',
      // The pass is valid until the end of 25 November 2027, so it is to be renewed from 27 October on.
      '2027-10-27T09:00 remind rosa',
      '2027-11-23T09:00 remind rosa',
    ]);
    expect(stateOf('rosa')).toMatchObject({ state: 'expired', validUntil: at('2027-11-26T00:00') });
    const early = live(
      standing,
      [passed('rosa', '2026-11-25T09:00'), passed('rosa', '2027-10-28T09:00')],
      '2028-08-01T00:00',
    );
    expect(early.written).toHaveLength(2);
    expect(early.stateOf('rosa')).toMatchObject({ state: 'done', validUntil: at('2028-10-29T00:00') });
  });
});

const yearMs = 366 * dayMs;
const threeYearsOn = monday + 3 * yearMs;

function attempt(number: number, submittedAt: number | null, outcome: 'passed' | 'failed' | 'unmarked' = 'passed') {
  return { ...campaignResult(outcome, submittedAt), responseId: `r-${number}`, knownAt: submittedAt ?? monday };
}

const standingOf = (members: readonly CampaignMember[], more: Parameters<typeof campaignOf>[0] = {}) =>
  campaignOf({ ...standingRule, members, ...more });

describe('a campaign that has stood for years', () => {
  test('keeps the last reminder and whether it arrived, however old they are', () => {
    const reminded = { remindedAt: [monday, monday + dayMs], notifiedAt: monday - dayMs };
    const deliveries = [{ handedAt: monday + dayMs, at: monday + dayMs }];
    const [rosa] = withoutOld(standingOf([campaignMember('rosa', { ...reminded, deliveries })]), threeYearsOn).members;
    expect(rosa?.messages).toMatchObject([{ handedAt: monday - dayMs, at: null }, ...deliveries]);
  });

  test('a round is kept whole', () => {
    const round = campaignOf({ members: [campaignMember('rosa', { remindedAt: [monday, monday + dayMs] })] });
    expect(withoutOld(round, threeYearsOn)).toBe(round);
  });

  test('says of every later moment what it said with all that is old', () => {
    const outcome = fc.constantFrom('passed' as const, 'failed' as const, 'unmarked' as const);
    const day = fc.integer({ min: 0, max: 8 * 366 });
    const attempts = fc
      .array(fc.tuple(fc.option(day), outcome), { maxLength: 12 })
      .map((some) =>
        some.map(([days, how], index) => attempt(index, days === null ? null : monday + days * dayMs, how)),
      );
    const stays = fc.uniqueArray(day, { minLength: 1, maxLength: 7 }).map((days) => {
      const sorted = days.toSorted((a, b) => a - b).map((one) => monday + one * dayMs);
      return sorted.flatMap((from, place) =>
        place % 2 === 1 ? [] : [{ from, ...(sorted[place + 1] && { to: sorted[place + 1]! }) }],
      );
    });
    const rule = fc.record({
      completeWhen: fc.constantFrom('passed' as const, 'submitted' as const),
      validity: fc.constantFrom({ months: 6 }, { months: 24 }, { until: { month: 1, day: 31 } }),
    });
    fc.assert(
      fc.property(attempts, stays, rule, fc.boolean(), day, day, (some, stayed, how, isForGood, before, later) => {
        const member = campaignMember('rosa', { attempts: some, stays: stayed });
        const campaign = standingOf([member], { ...how, ...(isForGood && { validity: null }) });
        const keptSince = monday + before * dayMs;
        const [kept] = withoutOld(campaign, keptSince).members;
        for (const moment of [keptSince, keptSince + later * dayMs]) {
          const was = personOf(memberAsOf(member, moment), campaign, moment).obligation;
          const is = kept && personOf(memberAsOf(kept, moment), campaign, moment).obligation;
          expect(is ?? { state: 'not required' }).toEqual(was);
        }
      }),
      { numRuns: runs(2_000) },
    );
  });

  test('keeps its size while people come, go, pass and are reminded for thirty years', () => {
    const sizes: number[] = [];
    let campaign = standingOf([]);
    for (let quarter = 0; quarter < 30 * 4; quarter += 1) {
      const now = monday + quarter * 91.5 * dayMs;
      const joined = Array.from({ length: 5 }, (_, index) =>
        campaignMember(`u-${quarter * 5 + index}`, { addedAt: now }),
      );
      const leaving = campaign.members
        .filter(({ stays }) => stays[0]!.from < now - 2 * yearMs)
        .map(({ userId }) => userId);
      const inside = campaign.members.map(({ userId }) => userId);
      campaign = applyEvents(campaign, [
        { kind: 'join', members: joined, at: now, areNamed: false },
        { kind: 'leave', userIds: leaving, at: now },
        { kind: 'handed', userIds: inside, at: now },
        ...inside.map((userId) => ({ kind: 'delivery', userId, handedAt: now, at: now + 1, failure: null }) as const),
        ...inside.map((userId) => {
          const result = campaignResult('passed', now);
          return { kind: 'result', userId, responseId: `${userId}-${quarter}`, result, at: now } as const;
        }),
      ]);
      campaign = withoutOld(campaign, now - 3 * yearMs);
      if (quarter % 4 === 3) sizes.push(JSON.stringify(campaign).length);
    }
    const settled = sizes.slice(6);
    expect(Math.max(...settled) / Math.min(...settled)).toBeLessThan(1.05);
    expect(campaign.members.length).toBeLessThan(5 * 4 * 6);
  });
});

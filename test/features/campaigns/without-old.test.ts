import { describe, expect, test } from 'vitest';
import type { CampaignMember } from '../../../src/domain/campaign.ts';
import { applyEvents, withoutOld } from '../../../src/features/campaigns/events.ts';
import { memberAsOf, personOf } from '../../../src/obligations/people.ts';
import {
  campaignMember,
  campaignOf,
  campaignResult,
  dayMs,
  monday,
  standingRule,
} from '../../support/builders/campaigns.ts';
import fc from 'fast-check';

const yearMs = 366 * dayMs;
const threeYearsOn = monday + 3 * yearMs;

function attempt(number: number, submittedAt: number | null, outcome: 'passed' | 'failed' | 'unmarked' = 'passed') {
  return { ...campaignResult(outcome, submittedAt), responseId: `r-${number}`, knownAt: submittedAt ?? monday };
}

const standing = (members: readonly CampaignMember[], more: Parameters<typeof campaignOf>[0] = {}) =>
  campaignOf({ ...standingRule, members, ...more });

describe('a campaign that has stood for years', () => {
  test('keeps the last reminder and whether it arrived, however old they are', () => {
    const reminded = { remindedAt: [monday, monday + dayMs], notifiedAt: monday - dayMs };
    const deliveries = [{ handedAt: monday + dayMs, at: monday + dayMs }];
    const [rosa] = withoutOld(standing([campaignMember('rosa', { ...reminded, deliveries })]), threeYearsOn).members;
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
        const campaign = standing([member], { ...how, ...(isForGood && { validity: null }) });
        const keptSince = monday + before * dayMs;
        const [kept] = withoutOld(campaign, keptSince).members;
        for (const at of [keptSince, keptSince + later * dayMs]) {
          const was = personOf(memberAsOf(member, at), campaign, at).obligation;
          const is = kept && personOf(memberAsOf(kept, at), campaign, at).obligation;
          expect(is ?? { state: 'not required' }).toEqual(was);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('keeps its size while people come, go, pass and are reminded for thirty years', () => {
    const sizes: number[] = [];
    let campaign = standing([]);
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

import { expect, test } from 'vitest';
import type { CampaignMember } from '../../src/domain/campaign.ts';
import { forecastOf } from '../../src/obligations/forecast.ts';
import {
  campaignMember,
  campaignOf,
  campaignResult,
  dayMs,
  monday,
  openEnd,
  standingRule,
  type MemberOverrides,
} from '../support/builders/campaigns.ts';
import { createSeededRandom } from '../../src/sandbox/quiz-service/sample/seeded-random.ts';

/** A round of two weeks, of people who passed on these days of it, and of others. */
function round(days: readonly number[], others: readonly MemberOverrides[]): CampaignMember[] {
  const passed = days.map((day) => ({ result: campaignResult('passed', monday + day * dayMs) }));
  return [...passed, ...others].map((member, index) => campaignMember(`u-${index}`, member));
}
const open = (count: number): MemberOverrides[] => Array.from({ length: count }, () => ({}));
const excused = { by: 'UTOM', reason: 'On leave', at: monday };

/** 4 passes in 1 + 2 + 3 + 4 + 6 · 7 days, and 7 days are left: 6 · (1 − e^(−7 · 4 / 52)) = 2.498 more. */
test('who has to take it still does so at the pace of until now', () => {
  const campaign = campaignOf({ members: round([1, 2, 3, 4], open(6)) });
  expect(forecastOf(campaign, monday + 7 * dayMs)).toMatchObject({ expected: 6, of: 10 });
});

test('people who are excused or left don’t count, and those who wait to be marked are not expected to pass', () => {
  const others = [
    ...open(6),
    { excused },
    { stays: [{ from: monday, to: monday + dayMs }] },
    { result: campaignResult('unmarked', monday + dayMs) },
  ];
  const campaign = campaignOf({ members: round([1, 2, 3, 4], others) });
  expect(forecastOf(campaign, monday + 7 * dayMs)).toMatchObject({ expected: 6, of: 11 });
});

const members = round([1], open(4));
const day3 = monday + 3 * dayMs;
test.each<[string, Parameters<typeof campaignOf>[0], number]>([
  ['before the second day is over', { members }, monday + 2 * dayMs - 1],
  ['for fewer than five people', { members: round([1], open(3)) }, day3],
  ['while nobody has passed since the start', { members: round([-1], open(6)) }, day3],
  ['where nobody is left', { members: round([1, 1, 1, 2, 2], []) }, day3],
  ['after the due time', { members }, monday + 14 * dayMs],
  ['without a due time', { members, ...openEnd }, day3],
  ['where the campaign stands', { members, ...standingRule }, day3],
  ['while the quiz is closed', { members, obstacle: { status: 'closed', since: monday, by: null } }, day3],
  ['after the end', { members, endedAt: day3 }, day3],
])('nothing is foretold %s', (_, overrides, now) => {
  expect(forecastOf(campaignOf({ members }), day3)).toBeDefined();
  expect(forecastOf(campaignOf(overrides), now)).toBeUndefined();
});

test('of a thousand rounds in which everybody has the same chance each day, four fifths end between the numbers', () => {
  const { number: random } = createSeededRandom(63);
  let [inside, tried] = [0, 0];
  while (tried < 1_000) {
    const chance = 0.02 + random() * 0.2;
    const size = 20 + Math.floor(random() * 60);
    const days = Array.from({ length: size }, () => -Math.log(1 - random()) / chance);
    const now = 3 + random() * 6;
    const campaign = campaignOf({
      members: round(
        days.filter((day) => day < now),
        open(days.filter((day) => day >= now).length),
      ),
    });
    const forecast = forecastOf(campaign, monday + now * dayMs);
    if (forecast === undefined) continue;
    tried += 1;
    const came = days.filter((day) => day < 14).length;
    if (came >= forecast.low && came <= forecast.high) inside += 1;
    expect(forecast.low).toBeLessThanOrEqual(forecast.expected);
    expect(forecast.high).toBeLessThanOrEqual(forecast.of);
  }
  expect(inside / tried).toBeGreaterThan(0.75);
  expect(inside / tried).toBeLessThan(0.9);
});

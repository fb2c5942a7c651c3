import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CampaignMember, Excuse } from '../../src/domain/campaign.ts';
import { matrixOf } from '../../src/obligations/matrix.ts';
import { yearOf } from '../../src/obligations/year.ts';
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
import { forecastOf } from '../../src/obligations/forecast.ts';
import { createSeededRandom } from '../../src/sandbox/quiz-service/sample/seeded-random.ts';

/** The campaigns of the builders begin on 23 November 2026. */
const zone = 'UTC';
const at = (day: string) => Date.parse(`${day}T09:00:00Z`);
const passed = (day: string) => ({ result: campaignResult('passed', at(day)) });
const excuse = (until: string | null): Excuse => ({
  by: 'UTOM',
  reason: 'On leave',
  at: at('2026-11-20'),
  until: until === null ? null : at(until),
});
const long = at('2024-01-01');

type Counts = Record<string, [due: number, expiring: number]>;

/** The months in which there is something, such as `2027-03`. */
function countsOf(campaigns: Parameters<typeof matrixOf>[0], now = monday): Record<string, Counts> {
  const { months, quizzes } = yearOf(matrixOf(campaigns, now), now, zone);
  const names = months.map((month) => new Date(month + dayMs).toISOString().slice(0, 7));
  return Object.fromEntries(
    quizzes.map(({ quiz, months: ofQuiz }) => [
      quiz.name,
      Object.fromEntries(
        ofQuiz.flatMap(({ due, expiring }, place) =>
          due + expiring > 0 ? [[names[place]!, [due, expiring] as [number, number]]] : [],
        ),
      ),
    ]),
  );
}

test.each<[string, Parameters<typeof campaignOf>[0], Partial<CampaignMember> | object, Counts]>([
  ['due this month', { dueAt: at('2026-11-30') }, {}, { '2026-11': [1, 0] }],
  ['due in the last of the months', { dueAt: at('2027-10-31') }, {}, { '2027-10': [1, 0] }],
  ['due after the twelve months', { dueAt: at('2027-11-01') }, {}, {}],
  ['late already', { dueAt: at('2026-11-22') }, {}, {}],
  ['without a due time', openEnd, {}, {}],
  ['passed for good', { dueAt: at('2026-12-07') }, passed('2026-11-23'), {}],
  [
    'passed, and expires on the last day of a month',
    standingRule,
    { addedAt: long, ...passed('2026-04-30') },
    { '2027-04': [0, 1] },
  ],
  ['to renew', standingRule, { addedAt: long, ...passed('2025-12-10') }, { '2026-12': [0, 1] }],
  ['expired', standingRule, { addedAt: long, ...passed('2025-11-10') }, {}],
  ['came in', standingRule, {}, { '2026-12': [1, 0] }],
  [
    'a pass that ends before the round is due',
    { dueAt: at('2027-03-10'), validity: { months: 12 } },
    { addedAt: long, ...passed('2026-02-10') },
    { '2027-02': [0, 1], '2027-03': [1, 0] },
  ],
  [
    'excused until after the due time',
    { dueAt: at('2026-12-07') },
    { excused: excuse('2027-02-01') },
    { '2027-02': [1, 0] },
  ],
  ['excused for good', { dueAt: at('2026-12-07') }, { excused: excuse(null) }, {}],
  ['waits to be marked', { dueAt: at('2026-12-07') }, { result: campaignResult('unmarked', monday) }, {}],
  ['says it is not for them', { dueAt: at('2026-12-07') }, { saidNotMeAt: monday }, {}],
  ['left', { dueAt: at('2026-12-07') }, { stays: [{ from: long, to: monday - 1 }] }, {}],
])('somebody who is %s counts in the right months', (_, rule, member, expected) => {
  const campaign = campaignOf({ ...rule, members: [campaignMember('rosa', member)] });
  expect(countsOf([campaign])).toEqual(Object.keys(expected).length === 0 ? {} : { 'Fire safety': expected });
});

test('the quiz with most in these months comes first', () => {
  const due = (name: string, people: string[], day: string) =>
    campaignOf({ id: name, quiz: { id: name, name }, members: people.map((id) => campaignMember(id)), dueAt: at(day) });
  const { quizzes } = yearOf(
    matrixOf([due('Alarms', ['rosa'], '2026-11-30'), due('Ladders', ['rosa', 'kim', 'tom'], '2027-05-01')], monday),
    monday,
    zone,
  );
  expect(quizzes.map(({ quiz }) => quiz.name)).toEqual(['Ladders', 'Alarms']);
});

test('a gap begins when the last pass ends, of all or of a group that is without one sooner', () => {
  const member = (id: string, groups: string[], day?: string) =>
    campaignMember(id, { addedAt: long, groups, ...(day !== undefined && passed(day)) });
  const stands = (name: string, members: CampaignMember[], rule = {}) =>
    campaignOf({ ...standingRule, id: name, quiz: { id: name, name }, members, ...rule });
  const { gaps } = yearOf(
    matrixOf(
      [
        stands('First aid', [
          member('rosa', ['Kitchen'], '2026-03-14'),
          member('kim', ['Kitchen', 'Bar'], '2026-02-20'),
          member('tom', ['Office']),
        ]),
        stands('Hygiene', [member('rosa', ['Kitchen'], '2025-10-31')]),
        stands('Nobody yet', [member('rosa', ['Kitchen'])]),
        stands('Alarms', [member('rosa', ['Kitchen'], '2026-03-14')], openEnd && { validity: null, standing: null }),
        stands('Later', [member('rosa', ['Kitchen'], '2026-11-20')]),
      ],
      monday,
    ),
    monday,
    zone,
  );
  const day = (moment: number) => new Date(moment).toISOString();
  expect(gaps.map(({ quiz, group, from }) => [quiz.name, group, day(from)])).toEqual([
    ['Hygiene', undefined, '2026-11-01T00:00:00.000Z'],
    ['First aid', 'Bar', '2027-02-21T00:00:00.000Z'],
    ['First aid', undefined, '2027-03-15T00:00:00.000Z'],
  ]);
});

test('every month begins at midnight of the zone, and no person and quiz counts twice for the same', () => {
  const anyMember = fc
    .record({
      came: fc.integer({ min: -800, max: 0 }),
      passedAt: fc.option(fc.integer({ min: -800, max: 0 })),
      excusedFor: fc.option(fc.integer({ min: 1, max: 500 }), { freq: 3 }),
    })
    .map(({ came, passedAt, excusedFor }) =>
      campaignMember('rosa', {
        addedAt: monday + came * dayMs,
        ...(passedAt !== null && { result: campaignResult('passed', monday + passedAt * dayMs) }),
        excused:
          excusedFor === null
            ? null
            : { by: 'UTOM', reason: '', at: monday - dayMs, until: monday + excusedFor * dayMs },
      }),
    );
  fc.assert(
    fc.property(
      anyMember,
      fc.boolean(),
      fc.constantFrom('UTC', 'Asia/Kolkata', 'America/St_Johns'),
      (member, stands, of) => {
        const campaign = campaignOf({ members: [member], ...(stands && standingRule) });
        const year = yearOf(matrixOf([campaign], monday), monday, of);
        expect(year.months).toHaveLength(12);
        const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: of, dateStyle: 'short', timeStyle: 'medium' });
        for (const month of year.months) expect(clock.format(month)).toMatch(/^\d{4}-\d\d-01 00:00:00$/);
        const sum = (what: 'due' | 'expiring') =>
          year.quizzes.flatMap(({ months }) => months).reduce((total, month) => total + month[what], 0);
        expect(sum('due')).toBeLessThanOrEqual(1);
        expect(sum('expiring')).toBeLessThanOrEqual(1);
      },
    ),
  );
});

/** A round of two weeks, of people who passed on these days of it, and of others. */
function round(days: readonly number[], others: readonly MemberOverrides[]): CampaignMember[] {
  const passing = days.map((day) => ({ result: campaignResult('passed', monday + day * dayMs) }));
  return [...passing, ...others].map((member, index) => campaignMember(`u-${index}`, member));
}
const open = (count: number): MemberOverrides[] => Array.from({ length: count }, () => ({}));
const excused = { by: 'UTOM', reason: 'On leave', at: monday };

/** 4 passes in 1 + 2 + 3 + 4 + 6 · 7 days, and 7 days are left: 6 · (1 − e^(−7 · 4 / 52)) = 2.498 more. */
test('who has to take it still does so at the pace of until now', () => {
  const campaign = campaignOf({ members: round([1, 2, 3, 4], open(6)) });
  expect(forecastOf(campaign, monday + 7 * dayMs)).toMatchObject({ expected: 6, of: 10 });
});

/** Six of them came on day 5, so all waited 1 + 2 + 3 + 4 + 6 · 2 days: 6 · (1 − e^(−7 · 4 / 22)) = 4.320 more. */
test('who came in later has had to take it since then', () => {
  const late = open(6).map(() => ({ addedAt: monday + 5 * dayMs }));
  const campaign = campaignOf({ members: round([1, 2, 3, 4], late) });
  expect(forecastOf(campaign, monday + 7 * dayMs)).toMatchObject({ expected: 8, of: 10 });
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
  ['while nobody has passed since the start', { members: round([0], open(6)) }, day3],
  ['where nobody is left', { members: round([1, 1, 1, 2, 2], []) }, day3],
  ['after the due time', { members }, monday + 14 * dayMs],
  ['without a due time', { members, ...openEnd }, day3],
  ['where the campaign stands', { members, ...standingRule }, day3],
  ['while the quiz is closed', { members, obstacle: { status: 'closed', since: monday, by: null } }, day3],
  ['after the end', { members, endedAt: day3 }, day3],
])('nothing is foretold %s', (_, overrides, now) => {
  expect(forecastOf(campaignOf({ members }), monday + 2 * dayMs)).toBeDefined();
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

import { expect, test } from 'vitest';
import type { ObligationState } from '../../src/domain/campaign.ts';
import { obligationOf, type ObligationFacts, type ObligationRule } from '../../src/obligations/obligation.ts';
import { dueWithin, validUntil } from '../../src/obligations/validity.ts';
import { seed } from '../support/seeded-random.ts';
import { compareLives } from './compare.ts';
import { drawCampaigns } from './same-people.ts';

test('on each day of people’s lives, the rule says what its page in the documents says', () => {
  const { differences, states } = compareLives(25, seed);
  expect(differences).toEqual([]);
  expect(Object.keys(states)).toHaveLength(10);
});

const at = (time: string) => Date.parse(`${time}Z`);
const calendar = { timeZone: 'UTC', holidays: new Set<string>() };
const came = at('2026-11-23T10:00');
const common = { startsAt: 0, completeWhen: 'passed', renewDays: 30 } as const;
const standing: ObligationRule = { ...common, kind: 'standing', withinDays: 14, validity: { months: 12 } };
const dueAt = at('2026-12-07T17:00');
const round: ObligationRule = { ...common, kind: 'round', dueAt, validity: { months: 1 } };

const since = (from: number, to?: number): Partial<ObligationFacts> => ({
  stays: [{ from, ...(to !== undefined && { to }) }],
});
const passed = (day: string, stay = since(came)): Partial<ObligationFacts> => ({
  ...stay,
  attempts: [{ at: at(`${day}T09:00`), outcome: 'passed' }],
});
const excused = (until: number): Partial<ObligationFacts> => ({ excuse: { at: came, until } });

/** The state right before a moment, and from it on: docs/campaigns.md#states. */
test.each<[when: string, ObligationRule, Partial<ObligationFacts>, number, ObligationState, ObligationState]>([
  ['they come in', standing, {}, came, 'not yet due', 'due'],
  ['the rule starts', { ...standing, startsAt: came + 5 }, {}, came + 5, 'not yet due', 'due'],
  ['it is due', standing, {}, dueAt, 'due', 'overdue'],
  ['a round is due', round, {}, dueAt, 'due', 'overdue'],
  ['they leave', standing, since(came, came + 5), came + 5, 'due', 'not required'],
  ['their excuse ends', standing, excused(came + 5), came + 5, 'excused', 'due'],
  ['their pass is to be renewed', standing, passed('2026-11-24'), at('2027-10-26T00:00'), 'done', 'expiring'],
  ['their pass ends', standing, passed('2026-11-24'), at('2027-11-25T00:00'), 'expiring', 'expired'],
  [
    'it is due, and a pass ended right when they came in',
    standing,
    passed('2025-11-22', since(at('2026-11-23T00:00'))),
    dueAt,
    'due',
    'overdue',
  ],
  [
    'a pass ends that was valid when they came in',
    standing,
    passed('2025-12-20'),
    at('2026-12-21T00:00'),
    'expiring',
    'expired',
  ],
  [
    'a round is due, and a pass ended before',
    round,
    passed('2026-11-02', since(at('2026-11-01T00:00'))),
    dueAt,
    'due',
    'overdue',
  ],
])('right when %s, the state changes', (_, rule, facts, moment, before, then) => {
  const known: ObligationFacts = { stays: [{ from: came }], attempts: [], excuse: null, saidNotMeAt: null, ...facts };
  // Of somebody who comes in later, the stay is known already.
  const states = [moment - 1, moment].map((now) => obligationOf(known, rule, now, calendar).state);
  expect(states).toEqual([before, then]);
});

test.each<[ObligationRule, saidAt: number, ObligationState]>([
  [standing, came - 1, 'due'],
  [standing, came, 'not me'],
  [round, came - 1, 'not me'],
])('under %j, “not me” of %i leads to %s', (rule, saidNotMeAt, state) => {
  const facts = { stays: [{ from: came }], attempts: [], excuse: null, saidNotMeAt };
  expect(obligationOf(facts, rule, came, calendar).state).toBe(state);
});

test('what was worked out by one rule, zone or calendar is not taken for that of another', () => {
  const day = (moment: number) => new Date(moment).toISOString().slice(0, 13);
  const validity = { until: { month: 1, day: 31 } };
  const ends = [30, 60, 30].map((days) => day(validUntil(at('2026-12-15T09:00'), validity, days, { timeZone: 'UTC' })));
  expect(ends).toEqual(['2027-02-01T00', '2028-02-01T00', '2027-02-01T00']);
  const zones = ['UTC', 'Asia/Tokyo', 'UTC'].map((timeZone) =>
    day(validUntil(at('2026-12-15T09:00'), validity, 30, { timeZone })),
  );
  expect(zones).toEqual(['2027-02-01T00', '2027-01-31T15', '2027-02-01T00']);
  const holidays = new Set(['2026-12-07']);
  const due = [2, 14, 2].map((days) => day(dueWithin(days, came, { timeZone: 'UTC', holidays })));
  expect(due).toEqual(['2026-11-25T17', '2026-12-07T17', '2026-11-25T17']);
  const afterHoliday = (...days: string[]) => day(dueWithin(1, came, { timeZone: 'UTC', holidays: new Set(days) }));
  expect([afterHoliday('2026-11-24'), afterHoliday(), afterHoliday('2026-11-24', '2026-11-25')]).toEqual([
    '2026-11-25T17',
    '2026-11-24T17',
    '2026-11-26T17',
  ]);
});

test('every screen, message and file names and counts the same people in each group, at any moment and in every language', async () => {
  const seen = await drawCampaigns(48, { seed, isInEach: false });
  expect(seen.size).toBeGreaterThan(6);
});

import { expect, test } from 'vitest';
import { obligationOf, type ObligationFacts, type ObligationRule } from '../../src/obligations/obligation.ts';

const calendar = { timeZone: 'Europe/London', holidays: new Set(['2027-05-03']) };
const at = (time: string) => Date.parse(`${time}Z`);
const startsAt = at('2026-01-05T09:00');
const rule: ObligationRule = {
  kind: 'standing',
  startsAt,
  completeWhen: 'passed',
  withinDays: 14,
  validity: { months: 12 },
  renewDays: 30,
};
const round: ObligationRule = { ...rule, kind: 'round', dueAt: at('2026-12-15T17:00') };
const passed = (time: string) => ({ at: at(time), outcome: 'passed' as const });
const inSince = (time: string) => ({ stays: [{ from: at(time) }] });

test.each<[string, Partial<ObligationFacts>, ObligationRule, string, object]>([
  [
    'came in yesterday',
    inSince('2026-05-04T08:00'),
    rule,
    '2026-05-05T08:00',
    { state: 'due', dueAt: at('2026-05-18T16:00') },
  ],
  ['came in before the rule', {}, rule, '2026-01-06T08:00', { state: 'due', dueAt: at('2026-01-19T17:00') }],
  ['came in three weeks ago', inSince('2026-05-04T08:00'), rule, '2026-05-25T08:00', { state: 'overdue' }],
  [
    'came in on a Friday before a holiday, for the next day',
    inSince('2027-04-30T08:00'),
    { ...rule, withinDays: 1 },
    '2027-05-01T08:00',
    { state: 'due', dueAt: at('2027-05-04T16:00') },
  ],
  [
    'passed half a year before they came in',
    { ...inSince('2026-05-04T08:00'), attempts: [passed('2025-11-03T12:00')] },
    rule,
    '2026-05-05T08:00',
    { state: 'done', validUntil: at('2026-11-04T00:00') },
  ],
  [
    'passed eleven and a half months ago',
    { attempts: [passed('2026-02-10T12:00')] },
    rule,
    '2027-01-25T12:00',
    { state: 'expiring', dueAt: at('2027-02-11T00:00') },
  ],
  [
    'took it again in between',
    {
      attempts: [
        passed('2026-02-10T12:00'),
        passed('2026-12-01T12:00'),
        { at: at('2027-01-04T12:00'), outcome: 'failed' },
      ],
    },
    rule,
    '2027-01-25T12:00',
    { state: 'done', validUntil: at('2027-12-02T00:00') },
  ],
  [
    'passed more than a year ago',
    { attempts: [passed('2026-02-10T12:00')] },
    rule,
    '2027-02-11T12:00',
    { state: 'expired' },
  ],
  [
    'passed on 29 February',
    { attempts: [passed('2028-02-29T12:00')] },
    rule,
    '2028-03-01T12:00',
    { state: 'done', validUntil: at('2029-03-01T00:00') },
  ],
  [
    'passed in January, with one date for all',
    { attempts: [passed('2027-01-10T12:00')] },
    { ...rule, validity: { until: { month: 1, day: 31 } } },
    '2027-02-11T12:00',
    { state: 'done', validUntil: at('2028-02-01T00:00') },
  ],
  [
    'is on leave',
    { excuse: { at: at('2026-01-07T08:00'), until: at('2026-03-02T00:00') } },
    rule,
    '2026-02-02T08:00',
    { state: 'excused', excusedUntil: at('2026-03-02T00:00') },
  ],
  [
    'is back from leave',
    { excuse: { at: at('2026-01-07T08:00'), until: at('2026-03-02T00:00') } },
    rule,
    '2026-03-03T08:00',
    { state: 'due', dueAt: at('2026-03-16T17:00') },
  ],
  [
    'was excused without an end, a year ago',
    { excuse: { at: at('2026-01-07T08:00'), until: null } },
    rule,
    '2027-01-08T08:00',
    { state: 'due', dueAt: at('2027-01-22T17:00') },
  ],
  [
    'has left',
    { stays: [{ from: startsAt, to: at('2026-05-04T08:00') }] },
    rule,
    '2026-05-05T08:00',
    { state: 'not required' },
  ],
  ['comes in next month', inSince('2026-06-01T08:00'), rule, '2026-05-05T08:00', { state: 'not yet due' }],
  [
    'passed, and the pass is not valid when the round is due',
    { attempts: [passed('2025-12-01T12:00')] },
    round,
    '2026-11-02T08:00',
    { state: 'due', dueAt: at('2026-12-15T17:00') },
  ],
  [
    'passed, and the pass is valid then',
    { attempts: [passed('2025-12-20T12:00')] },
    round,
    '2026-11-02T08:00',
    { state: 'done' },
  ],
])('who %s', (_who, facts, ofRule, now, expected) => {
  const known: ObligationFacts = {
    stays: [{ from: startsAt }],
    attempts: [],
    excuse: null,
    saidNotMeAt: null,
    ...facts,
  };
  expect(obligationOf(known, ofRule, at(now), calendar)).toMatchObject(expected);
});

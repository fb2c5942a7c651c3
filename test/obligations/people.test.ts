import { describe, expect, test } from 'vitest';
import type { Campaign, CampaignResult, Obligation, Rule } from '../../src/domain/campaign.ts';
import {
  groupsOf,
  hasFailed,
  isInside,
  memberAsOf,
  neededFrom,
  nextExcuseEnd,
  nextRenewalAt,
  obligationOfNewcomer,
  openPeople,
  ownObligation,
  ownObligations,
  resultOf,
  validOverWeeks,
  type PeopleGroup,
} from '../../src/obligations/people.ts';
import {
  campaignMember,
  campaignOf,
  campaignResult,
  dayMs,
  monday,
  openEnd,
  standingCampaign,
  standingRule,
  type MemberOverrides,
} from '../support/builders/campaigns.ts';

const at = (day: string) => Date.parse(`${day}T00:00:00Z`);
const standing = (...members: ReturnType<typeof campaignMember>[]) => standingCampaign({ members });
const came = { addedAt: at('2025-01-06') };
const passed = (day: string) => ({ ...came, result: campaignResult('passed', Date.parse(`${day}T10:00:00Z`)) });

describe('what a campaign asks of a person', () => {
  test('is nothing until a pass is to be renewed, and says until when it counts', () => {
    expect(ownObligation(standing(campaignMember('rosa', passed('2026-05-03'))), 'rosa', monday)).toEqual({
      quizId: 'q-hygiene',
      name: 'Food hygiene',
      isAsked: false,
      validUntil: at('2027-05-04'),
      renewFrom: at('2027-04-04'),
    });
  });

  test.each([
    ['a pass that ends soon', '2025-12-10', { isAsked: true, dueAt: at('2026-12-11'), validUntil: at('2026-12-11') }],
    ['a pass that has ended', '2025-11-10', { isAsked: true, dueAt: at('2026-11-11'), validUntil: at('2026-11-11') }],
  ])('is %s, to be renewed', (_what, day, expected) => {
    const mine = ownObligation(standing(campaignMember('rosa', passed(day))), 'rosa', monday);
    expect(mine).toMatchObject(expected);
    expect(mine).not.toHaveProperty('renewFrom');
  });

  test('is nothing for a pass that counts for good, and for somebody who left or is excused', () => {
    const forGood = campaignOf({
      ...standingRule,
      validity: null,
      members: [campaignMember('rosa', passed('2026-05-03'))],
    });
    const left = campaignMember('kim', { stays: [{ from: monday - 9 * dayMs, to: monday - dayMs }] });
    const excused = campaignMember('lea', { ...came, excused: { by: 'UTOM', reason: 'Leave', at: monday - dayMs } });
    expect(ownObligation(forGood, 'rosa', monday)).toBeUndefined();
    for (const userId of ['kim', 'lea']) expect(ownObligation(standing(left, excused), userId, monday)).toBeUndefined();
  });

  test('is not asked before they have the quiz, and while nobody can take it; a pass still counts', () => {
    const waiting = campaignMember('rosa', { addedAt: monday, assignment: 'waiting' });
    expect(ownObligation(standing(waiting), 'rosa', monday)).toBeUndefined();
    const closed = { obstacle: { status: 'closed', since: monday, by: null } } as const;
    const halted = {
      ...standing(campaignMember('rosa', came), campaignMember('kim', passed('2026-05-03'))),
      ...closed,
    };
    expect(ownObligation(halted, 'rosa', monday)).toBeUndefined();
    expect(ownObligation(halted, 'kim', monday)).toMatchObject({ isAsked: false, validUntil: at('2027-05-04') });
  });

  test('of several campaigns for a quiz, is what is asked, and of that what is due first', () => {
    const valid = standing(campaignMember('rosa', passed('2026-05-03')));
    const quiz = valid.quiz;
    const later = campaignOf({ id: 'later', quiz });
    const sooner = campaignOf({ id: 'sooner', quiz, dueAt: monday + dayMs });
    const atNoTime = campaignOf({ id: 'at no time', quiz, ...openEnd });
    const shown = (...campaigns: Campaign[]) =>
      [campaigns, campaigns.toReversed()].map((some) => ownObligations(some, 'rosa', monday));
    for (const one of shown(valid, later, sooner, atNoTime))
      expect(one).toMatchObject([{ isAsked: true, dueAt: monday + dayMs }]);
    for (const one of shown(valid, atNoTime)) expect(one).toMatchObject([{ isAsked: true }]);
  });
});

test('the next renewal is of the pass that ends first and is not to be renewed yet', () => {
  const campaign = standing(
    campaignMember('rosa', passed('2026-05-03')),
    campaignMember('kim', passed('2026-03-01')),
    campaignMember('lea', passed('2025-12-10')),
    campaignMember('gus', came),
  );
  expect(nextRenewalAt(campaign, monday)).toBe(at('2027-01-31'));
  expect(nextRenewalAt(standing(campaignMember('gus', came)), monday)).toBeUndefined();
  expect(nextRenewalAt({ ...campaign, rule: { ...campaign.rule, validity: null } }, monday)).toBeUndefined();
});

describe('a member of a round that is due in two weeks', () => {
  const dueAt = monday + 14 * dayMs;
  const attempt = (outcome: CampaignResult['outcome'], submittedAt: number | null = monday) => ({
    result: campaignResult(outcome, submittedAt),
  });
  const excused = { by: 'UTOM', reason: 'Leave', at: monday };

  test.each<[what: string, group: PeopleGroup, MemberOverrides, now?: number, rule?: Partial<Rule>]>([
    ['nothing yet', 'due', {}],
    ['nothing yet, at the due time', 'overdue', {}, dueAt],
    ['come in later', 'not yet due', { addedAt: monday + 1 }],
    ['a pass', 'done', attempt('passed')],
    ['an attempt that nobody grades', 'done', attempt('not graded')],
    ['an attempt to be marked', 'marking', attempt('unmarked')],
    ['a failed attempt', 'failed', attempt('failed')],
    ['a failed attempt, after the due time', 'overdue', attempt('failed'), dueAt],
    ['a failed attempt, where submitting is enough', 'done', attempt('failed'), monday, { completeWhen: 'submitted' }],
    ['an excuse', 'excused', { excused }],
    ['an excuse that has ended', 'due', { excused: { ...excused, until: monday } }],
    ['said that it is not for them', 'not me', { saidNotMeAt: monday }],
    ['left', 'not required', { stays: [{ from: 0, to: monday }] }],
    ['nobody of the platform', 'out of reach', { personId: null }],
    ['nobody of the platform, after the due time', 'out of reach', { personId: null }, dueAt],
    ['nobody of the platform, but a pass', 'done', { personId: null, ...attempt('passed') }],
  ])('with %s is counted as %s', (_, group, member, now = monday, rule = {}) => {
    const campaign = campaignOf({ ...rule, members: [campaignMember('rosa', member)] });
    const groups = groupsOf(campaign, now);
    expect(Object.entries(groups).filter(([, people]) => people.length > 0)).toEqual([
      [group, [expect.objectContaining({ group, member: campaign.members[0] })]],
    ]);
    const isOpenNow = ['due', 'overdue', 'failed', 'out of reach'].includes(group);
    expect(openPeople(campaign, now)).toHaveLength(isOpenNow ? 1 : 0);
  });

  test.each<[CampaignResult['outcome'], submittedAt: number | null, asksFrom: number | undefined, boolean]>([
    ['failed', monday, undefined, true],
    ['failed', monday, monday, true],
    ['failed', monday, monday + 1, false],
    ['failed', null, monday + 1, true],
    ['passed', monday, undefined, false],
    ['unmarked', monday, undefined, false],
  ])('has failed what is asked of them: %s at %j, asked from %j: %j', (outcome, takenAt, asksFrom, isSo) => {
    const member = campaignMember('rosa', attempt(outcome, takenAt));
    const asked = asksFrom === undefined ? {} : { asksFrom };
    expect(hasFailed(member, asked, campaignOf())).toBe(isSo);
    expect(hasFailed(member, asked, campaignOf({ completeWhen: 'submitted' }))).toBe(false);
    expect(hasFailed(campaignMember('rosa'), asked, campaignOf())).toBe(false);
  });

  test.each<[what: string, results: CampaignResult[], ofRound: number | null, ofStanding: number | null]>([
    ['nothing', [], null, null],
    ['the pass, not a later failure', [campaignResult('passed', 1), campaignResult('failed', 2)], 0, 1],
    ['the first pass, whatever came first', [campaignResult('passed', 2), campaignResult('passed', 1)], 1, 0],
    ['the first of two passes', [campaignResult('passed', 1), campaignResult('passed', 2)], 0, 1],
    ['the pass before one of no known time', [campaignResult('passed', null), campaignResult('passed', 2)], 1, 1],
    ['the latest failure', [campaignResult('failed', 2), campaignResult('unmarked', 1)], 0, 0],
    ['the later of the same time', [campaignResult('failed', 2), campaignResult('unmarked', 2)], 1, 1],
    [
      'one of no known time, which is the latest',
      [campaignResult('failed', 2), campaignResult('unmarked', null)],
      1,
      1,
    ],
  ])('has as their result %s', (_, results, ofRound, ofStanding) => {
    const attempts = results.map((result, n) => ({ ...result, responseId: `r-${n}`, knownAt: 0 }));
    const member = campaignMember('rosa', { attempts });
    expect(resultOf(member, campaignOf())).toEqual(ofRound === null ? null : attempts[ofRound]);
    expect(resultOf(member, campaignOf(standingRule))).toEqual(ofStanding === null ? null : attempts[ofStanding]);
  });

  test('has no result of years ago, where passes count for a time', () => {
    const yearly = (rule: Partial<Rule> = {}) => campaignOf({ validity: { months: 12 }, ...rule });
    const on = (day: string) => campaignMember('rosa', passed(day));
    // Due on 7 December 2026: a pass of the day a year before counts until that day is over.
    expect(resultOf(on('2025-12-07'), yearly())).not.toBeNull();
    expect(resultOf(on('2025-12-06'), yearly())).toBeNull();
    const failed = campaignMember('rosa', { result: campaignResult('failed', at('2025-12-06')) });
    expect([hasFailed(failed, {}, yearly()), hasFailed(failed, {}, campaignOf())]).toEqual([false, true]);
    expect(resultOf(on('2025-12-07'), yearly({ dueAt: at('2026-12-08') }))).toBeNull();
    expect(resultOf(on('2025-11-23'), yearly({ dueAt: null }))).not.toBeNull();
    expect(resultOf(on('2025-11-22'), yearly({ dueAt: null }))).toBeNull();
    expect(resultOf(on('2025-11-22'), campaignOf())).not.toBeNull();
    expect(resultOf(on('2020-11-22'), yearly(standingRule))).not.toBeNull();
    expect(resultOf(campaignMember('rosa', attempt('passed', null)), yearly())).not.toBeNull();
  });
});

test('of the weeks since the start, it is known how many had to have a pass at the end of each, and how many had one', () => {
  const day = (count: number) => monday + count * dayMs;
  const campaign = standing(
    campaignMember('rosa', { ...came, result: campaignResult('passed', day(1)) }),
    campaignMember('is to renew it', passed('2025-12-10')),
    campaignMember('excused from day 3', { ...came, excused: { by: 'UTOM', reason: 'Leave', at: day(3) } }),
    campaignMember('left on day 10', { stays: [{ from: came.addedAt, to: day(10) }] }),
    campaignMember('came on day 8', { addedAt: day(8) }),
  );
  expect(validOverWeeks(campaign, 5, day(14))).toEqual([
    { at: monday, required: 4, valid: 1 },
    { at: day(7), required: 3, valid: 2 },
    { at: day(14), required: 3, valid: 2 },
  ]);
});

test('an excuse ends next where it ends first; those without an end never do', () => {
  const excuse = (until: number | null, userId: string) =>
    campaignMember(userId, { excused: { by: 'UTOM', reason: 'Leave', at: monday, until } });
  const endOf = (...untils: (number | null)[]) =>
    nextExcuseEnd(campaignOf({ members: untils.map((until, n) => excuse(until, `u-${n}`)) }), monday);
  expect([endOf(), endOf(null), endOf(monday), endOf(null, monday + 9, monday + 5)]).toEqual([
    undefined,
    undefined,
    undefined,
    monday + 5,
  ]);
});

test.each<[Obligation, from: number]>([
  [{ state: 'due', asksFrom: monday }, 0],
  [{ state: 'overdue' }, 0],
  [{ state: 'expiring', asksFrom: monday }, 0],
  [{ state: 'expired' }, 0],
  [{ state: 'done', asksFrom: monday }, monday - 2 * dayMs],
  [{ state: 'excused', asksFrom: monday }, monday - 2 * dayMs],
  [{ state: 'done' }, Infinity],
  [{ state: 'not required', asksFrom: monday }, Infinity],
  [{ state: 'not yet due', asksFrom: monday }, Infinity],
  [{ state: 'marking', asksFrom: monday }, Infinity],
])('whoever is %j needs the quiz from %j on', (obligation, from) => {
  expect(neededFrom(obligation)).toBe(from);
});

test('who would come into a campaign now stands as the attempts say that they made', () => {
  const stands = (rule: Partial<Rule>, ...attempts: { at: number; outcome: CampaignResult['outcome'] }[]) =>
    obligationOfNewcomer(attempts, campaignOf(rule), monday);
  const pass = { at: at('2026-05-03'), outcome: 'passed' } as const;
  expect(stands({})).toEqual({ state: 'due', dueAt: monday + 14 * dayMs });
  expect(stands({}, pass)).toMatchObject({ state: 'done' });
  expect(stands(standingRule, pass)).toEqual({
    state: 'done',
    dueAt: at('2027-05-04'),
    validUntil: at('2027-05-04'),
    asksFrom: at('2027-04-04'),
  });
  expect(stands(standingRule)).toMatchObject({ state: 'due', asksFrom: monday });
});

test('a member as of a moment has nothing that came later', () => {
  const member = campaignMember('rosa', {
    stays: [{ from: 1, to: 5 }, { from: 10 }],
    attempts: [
      { ...campaignResult('failed', 10), responseId: 'r-1', knownAt: 99 },
      { ...campaignResult('passed', null), responseId: 'r-2', knownAt: 11 },
    ],
    excused: { by: 'UTOM', reason: 'Leave', at: 10 },
    saidNotMeAt: 10,
  });
  const asOf = (moment: number) => {
    const { stays, attempts, excused, saidNotMeAt } = memberAsOf(member, moment);
    return [stays.length, attempts.map(({ responseId }) => responseId), excused?.at ?? null, saidNotMeAt];
  };
  expect([asOf(9), asOf(10), asOf(11)]).toEqual([
    [1, [], null, null],
    [2, ['r-1'], 10, 10],
    [2, ['r-1', 'r-2'], 10, 10],
  ]);
  const blank = campaignMember('kim', { stays: [] });
  expect(memberAsOf(blank, 9)).toEqual(blank);
  expect([isInside(blank), isInside(member), isInside({ stays: [{ from: 1, to: 5 }] })]).toEqual([true, true, false]);
});

import { describe, expect, test } from 'vitest';
import { nextRenewalAt, ownObligation, ownObligations } from '../../src/obligations/people.ts';
import {
  campaignMember,
  campaignOf,
  campaignResult,
  dayMs,
  monday,
  standingCampaign,
  standingRule,
} from '../support/builders/campaigns.ts';
import { seed } from '../support/seeded-random.ts';
import { compareLives } from './compare.ts';
import { drawCampaigns } from './same-people.ts';

test('on each day of people’s lives, the rule says what its page in the documents says', () => {
  const { differences, states } = compareLives(25, seed);
  expect(differences).toEqual([]);
  expect(Object.keys(states)).toHaveLength(10);
});

test('every screen, message and file names and counts the same people in each group, at any moment and in every language', async () => {
  const seen = await drawCampaigns(48, { seed, isInEach: false });
  expect(seen.size).toBeGreaterThan(6);
});

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
    for (const campaigns of [
      [valid, later, sooner],
      [sooner, later, valid],
    ])
      expect(ownObligations(campaigns, 'rosa', monday)).toMatchObject([{ isAsked: true, dueAt: monday + dayMs }]);
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
});

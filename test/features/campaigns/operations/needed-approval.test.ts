import { describe, expect, test } from 'vitest';
import { policyDecision } from '../../../../src/governance/rights/policy.ts';
import { addToCampaign, approvalToAdd } from '../../../../src/features/campaigns/operations/add.ts';
import { approvalFor } from '../../../../src/features/campaigns/operations/who-takes-part.ts';
import type { Right } from '../../../../src/operations/context.ts';
import type { AudiencePart } from '../../../../src/operations/fields/people.ts';
import { campaignMember, campaignOf } from '../../../support/builders/campaigns.ts';

const administrator: ReadonlySet<Right> = new Set(['known', 'staff', 'edit_quizzes', 'administrator']);
const trainer: ReadonlySet<Right> = new Set(['known', 'staff', 'edit_quizzes']);

const idsOf = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `u-${from + index}`);
const campaignWith = (count: number) => campaignOf({ members: idsOf(count).map((userId) => campaignMember(userId)) });
const groupOf = (userIds: readonly string[], isTrained = true): AudiencePart => ({
  kind: 'group',
  group: { group_id: 'g-1', group_name: 'Kitchen' },
  people: userIds.map((userId) => ({ userId, isTrained })),
});

describe('a campaign is started or gets more people', () => {
  test.each([
    [100, true, null],
    [100, false, 'other people'],
    [101, true, 'many people'],
    [101, false, 'many people'],
  ])('with %s people, whom the person trains: %s', (count, isTrained, approval) => {
    expect(approvalFor(idsOf(count).map(() => ({ isTrained })))).toBe(approval);
    for (const already of [1, 99])
      expect(approvalToAdd([groupOf(idsOf(count - already, already), isTrained)], campaignWith(already))).toBe(
        approval,
      );
  });

  test('and people who are in it already, or come twice, count once', () => {
    expect(approvalToAdd([groupOf(idsOf(60, 40)), groupOf(idsOf(50, 50))], campaignWith(50))).toBe(null);
    expect(approvalToAdd([groupOf(idsOf(1, 3), false)], campaignWith(100))).toBe(null);
  });

  test.each([
    ['trained people', groupOf(idsOf(5, 10)), 10, 'at once', 'at once'],
    ['other people', groupOf(idsOf(5, 10), false), 10, 'at once', 'approval'],
    ['more than 100 people', groupOf(idsOf(5, 98)), 98, 'approval', 'approval'],
  ] as const)('an administrator and a trainer who add %s', (_, part, already, ofAdministrator, ofTrainer) => {
    const input = { people: [part], campaign: campaignWith(already) };
    expect(policyDecision(addToCampaign, input, administrator)).toBe(ofAdministrator);
    expect(policyDecision(addToCampaign, input, trainer)).toBe(ofTrainer);
  });
});

import { expect, test } from 'vitest';
import { applyEvents } from '../../../../src/features/campaigns/events.ts';
import { isNewlyAsked, planChange } from '../../../../src/features/campaigns/operations/plan-change.ts';
import { operationNamed } from '../../../../src/operations/catalog.ts';
import type { Campaign, RuleChange } from '../../../../src/domain/campaign.ts';
import type { Plan } from '../../../../src/domain/plan.ts';
import { policyDecision } from '../../../../src/governance/rights/policy.ts';
import type { OperationContext } from '../../../../src/operations/context.ts';
import { campaignMember, campaignOf, dayMs, monday, standingRule } from '../../../support/builders/campaigns.ts';
import { quizUser } from '../../../support/builders/users.ts';

/** What half the validity would change for so many people who passed 200 days ago, of whom the reader trains some. */
async function planFor(people: number, isTrained = true) {
  const wanted: RuleChange = { validity: { months: 6 } };
  const at = monday - 200 * dayMs;
  const passed = { submittedAt: at, outcome: 'passed', percentage: 90 } as const;
  const members = Array.from({ length: people }, (_, index) =>
    campaignMember(`u-${index}`, { attempts: [{ ...passed, responseId: `r-${index}`, knownAt: at }], result: passed }),
  );
  const context = {
    campaigns: {
      withRule: (campaign: Campaign, change: RuleChange) => ({
        campaign: applyEvents(campaign, [{ kind: 'rule', change, at: monday }]),
        sooner: [],
      }),
    },
    directory: { users: { names: async () => ({ byId: (user_id: string) => quizUser({ user_id }) }) } },
    visibility: { trains: () => isTrained },
    now: () => monday,
    call: {},
  } as unknown as OperationContext;
  const board = { channelId: 'C1', showsNames: true };
  const campaign = campaignOf({ ...standingRule, board, members: [...members, campaignMember('kim')] });
  return planChange(context, campaign, wanted);
}

const run = operationNamed('run-rule-change')!;
const decision = (content: Plan['content'], ...rights: ('administrator' | 'edit_quizzes')[]) =>
  policyDecision(
    run,
    { plan: { id: 'p-1', teamId: 'T1', personId: 'UADA', createdAt: monday, content } },
    new Set(['staff', ...rights]),
  );

test('another rule names who would have to take the quiz, and counts everyone as they are and as they would be', async () => {
  const plan = await planFor(2);
  expect(plan.states).toEqual([
    { state: 'due', before: 1, after: 3 },
    { state: 'valid', before: 2, after: 0 },
  ]);
  expect(plan.members.filter(isNewlyAsked).map(({ userId }) => userId)).toEqual(['u-0', 'u-1']);
  expect(plan.members.at(-1)).toMatchObject({ userId: 'kim', was: 'due', is: 'due' });
});

test('another rule needs approval where a start for those would who have to take the quiz by it', async () => {
  const [few, many, strangers] = [await planFor(100), await planFor(101), await planFor(2, false)];
  expect([few, many, strangers].map(({ approval }) => approval)).toEqual([null, 'many people', 'other people']);
  expect(decision(few, 'edit_quizzes')).toBe('at once');
  expect(decision(many, 'edit_quizzes', 'administrator')).toBe('approval');
  expect(decision(strangers, 'edit_quizzes')).toBe('approval');
  expect(decision(strangers, 'edit_quizzes', 'administrator')).toBe('at once');
  expect(decision(few)).toBe('refused');
});

import { Keyv } from 'keyv';
import { expect, test } from 'vitest';
import type { Plan } from '../../../src/domain/plan.ts';
import { createPlans } from '../../../src/governance/perform/plans.ts';
import { campaignPlan } from '../../support/builders/campaigns.ts';
import { heldLease } from '../../support/held-lease.ts';

const stored = { id: 'p-1', teamId: 'T1', personId: 'UADA', createdAt: 1 };

test('a plan can be started once', async () => {
  const store = new Keyv<Plan>();
  const plan = { ...stored, content: campaignPlan() };
  await store.set('T1:p-1', plan);
  const plans = createPlans({
    store,
    oneAtATime: {
      unlessBusy: async (_name, work) => ({ isBusy: false, value: await work(heldLease) }),
      inTurn: async () => ({ isBusy: true }),
    },
    requestTtlMs: 1,
    newId: () => 'p-2',
    now: () => 2,
  })('T1');

  expect(await plans.byId('p-1')).toEqual(plan);
  expect(await plans.take('p-1')).toBe(true);
  expect(await plans.byId('p-1')).toBe(undefined);
  expect(await plans.wasStarted('p-1', 'UADA')).toBe(true);
});

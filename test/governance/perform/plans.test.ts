import { Keyv } from 'keyv';
import { expect, test } from 'vitest';
import type { Plan } from '../../../src/domain/plan.ts';
import { createPlans } from '../../../src/governance/perform/plans.ts';
import { campaignPlan } from '../../support/builders/campaigns.ts';
import { heldLease } from '../../support/held-lease.ts';

const stored = { id: 'p-1', teamId: 'T1', personId: 'UADA', createdAt: 1 };

test.each([
  ['with what was entered', { quiz: ['q-fire'], to: ['everyone'] }, 'start-campaign'],
  ['without it', undefined, undefined],
])('a campaign’s plan of version 1.6 %s can be started and changed', async (_, entered, operation) => {
  const store = new Keyv<Plan>();
  const content = campaignPlan();
  await store.set('T1:p-1', { ...stored, content: { ...content, ...(entered && { entered }) } });
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

  expect(await plans.byId('p-1')).toEqual({
    ...stored,
    content,
    ...(operation && { entered: { operation, input: entered } }),
  });
  expect(await plans.take('p-1')).toBe(true);
  expect(await plans.byId('p-1')).toBe(undefined);
  expect(await plans.wasStarted('p-1', 'UADA')).toBe(true);
});

import { expect, test } from 'vitest';
import { managerQueue, readQueue } from '../../../src/domain/queues.ts';
import { openCampaign } from '../../support/campaign-bed.ts';
import { dayMs, monday } from '../../support/builders/campaigns.ts';

const hourMs = 3_600_000;
const escalatedAt = monday + 17 * dayMs;

async function openManaged(managers: Record<string, string | null>) {
  const campaign = await openCampaign({
    plan: { toManagers: true },
    managersOf: (personIds) => ({
      managers: new Map(personIds.map((personId) => [personId, managers[personId] ?? null])),
    }),
  });
  const waitingFor = async (personId: string) =>
    (await campaign.outbox.waiting(managerQueue('T1', personId), { limit: 100 })).map(({ content }) => content);
  return { ...campaign, waitingFor };
}

test('a lead whom no name is left for gets no message', async () => {
  const campaign = await openManaged({ UROSA: 'UZOE', UKIM: 'UZOE' });
  await campaign.until(escalatedAt + hourMs);
  expect(await campaign.contentsTo('tom')).toEqual([]);
});

test('while the platform does not say who is whose manager, the escalation waits', async () => {
  let isKnown = false;
  let asked = 0;
  const campaign = await openCampaign({
    plan: { toManagers: true },
    managersOf: (personIds) => {
      asked += 1;
      return isKnown
        ? { managers: new Map(personIds.map((personId) => [personId, 'UZOE'])) }
        : { managers: new Map(), askAgainAt: escalatedAt + 2 * hourMs };
    },
  });
  await campaign.until(escalatedAt + hourMs);
  expect(await campaign.contentsTo('tom')).toEqual([]);
  expect(asked).toBe(1);
  isKnown = true;
  await campaign.until(escalatedAt + 3 * hourMs);
  expect(await campaign.outbox.waiting(managerQueue('T1', 'UZOE'), { limit: 100 })).toHaveLength(1);
});

test('the lead gets the names of a manager whom nothing reaches any more', async () => {
  const campaign = await openManaged({ UROSA: 'UZOE', UKIM: 'UERIN' });
  await campaign.until(escalatedAt + hourMs);
  await campaign.put({ kind: 'manager-gone', managerId: 'UZOE', at: escalatedAt + hourMs });
  await campaign.until(escalatedAt + 2 * hourMs);
  expect(await campaign.contentsTo('tom')).toMatchObject([
    { kind: 'campaign-escalation', names: ['rosa'], missing: 1 },
  ]);
  expect(readQueue(managerQueue('T1', 'UZOE'))).toEqual({ kind: 'person', teamId: 'T1', id: '.UZOE' });
});

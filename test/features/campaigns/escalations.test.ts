import { expect, test } from 'vitest';
import { managerQueue, readQueue } from '../../../src/domain/queue-names.ts';
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

test('an escalation goes to the manager of each person, and to the lead about those without one', async () => {
  const campaign = await openManaged({ UROSA: 'UZOE' });
  await campaign.until(escalatedAt + hourMs);
  expect(await campaign.waitingFor('UZOE')).toEqual([
    { kind: 'campaign-reports', campaignId: 'c-1', quizName: 'Fire safety' },
  ]);
  expect(await campaign.contentsTo('tom')).toMatchObject([{ kind: 'campaign-escalation', names: ['kim'], missing: 1 }]);
  expect(await campaign.campaigns.lateReports('T1', 'UZOE', ['c-1'])).toEqual([
    { userId: 'rosa', name: 'rosa', quizzes: [{ campaignId: 'c-1', quizName: 'Fire safety' }] },
  ]);
  expect(await campaign.campaigns.lateReports('T1', 'UERIN', ['c-1'])).toEqual([]);
});

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

test('the lead reads once that somebody is not a manager’s report, and gets the name from then on', async () => {
  const campaign = await openManaged({ UROSA: 'UZOE', UKIM: 'UZOE' });
  await campaign.until(escalatedAt + hourMs);
  for (let twice = 0; twice < 2; twice += 1) await campaign.put({ kind: 'not-report', userId: 'rosa', by: 'UZOE' });
  await campaign.until(escalatedAt + 2 * hourMs);
  expect(await campaign.notesTo('tom')).toEqual([
    expect.stringContaining('@UZOE says that *rosa* doesn’t report to them.'),
  ]);
  await campaign.until(escalatedAt + 7 * dayMs + hourMs);
  expect((await campaign.contentsTo('tom')).at(-1)).toMatchObject({ kind: 'campaign-escalation', names: ['rosa'] });
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

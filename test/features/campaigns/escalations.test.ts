import { expect, test } from 'vitest';
import { managerQueue, readQueue } from '../../../src/domain/queues.ts';
import { openCampaign } from '../../support/campaign-bed.ts';
import {
  dayMs,
  monday,
  campaignMember,
  campaignOf,
  campaignResult,
  standingRule,
  type MemberOverrides,
} from '../../support/builders/campaigns.ts';
import { applyEvents } from '../../../src/features/campaigns/events.ts';
import { lateMembers } from '../../../src/features/campaigns/next-step.ts';
import { splitEscalation } from '../../../src/features/campaigns/messages.ts';
import type { CampaignWeek } from '../../../src/domain/announcement.ts';
import { weekOf } from '../../../src/features/campaigns/monday.ts';

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

const late = ['rosa', 'kim', 'ana', 'ben', 'tom'].map((userId) => campaignMember(userId));
const managers = new Map([
  ['UROSA', 'UZOE'],
  ['UKIM', 'UZOE'],
  ['UANA', 'UERIN'],
  ['UBEN', null],
  ['UTOM', 'UTOM'],
]);
const named = (members: Iterable<{ userId: string }>) => [...members].map(({ userId }) => userId);

test('the leads get everyone where a campaign has no managers, and who has no person on the platform', () => {
  expect(named(splitEscalation(late, undefined).toLeads)).toHaveLength(5);
  const { toLeads } = splitEscalation([campaignMember('rosa', { personId: null })], managers);
  expect(named(toLeads)).toEqual(['rosa']);
});

test('a manager who said that somebody is not theirs gets the name no more, and another manager does', () => {
  const rosa = campaignMember('rosa', { notReportOf: ['UZOE'] });
  expect(named(splitEscalation([rosa], managers).toLeads)).toEqual(['rosa']);
  expect([...splitEscalation([rosa], new Map([['UROSA', 'UERIN']])).byManager.keys()]).toEqual(['UERIN']);
});

test('who is late is who has not passed by the time of the escalation, after their own due time where a campaign stands', () => {
  const members = [campaignMember('rosa'), campaignMember('kim', { result: campaignResult('passed') })];
  const round = campaignOf({ members });
  expect(named(lateMembers(round, monday + 17 * dayMs - 1))).toEqual([]);
  expect(named(lateMembers(round, monday + 17 * dayMs))).toEqual(['rosa']);
  expect(lateMembers(campaignOf({ members: round.members, escalateAfterMs: null }), Infinity)).toEqual([]);
  const standing = campaignOf({
    ...standingRule,
    members: [campaignMember('rosa'), campaignMember('kim', { addedAt: monday + 10 * dayMs })],
  });
  expect(named(lateMembers(standing, monday + 20 * dayMs))).toEqual(['rosa']);
  expect(named(lateMembers(standing, monday + 40 * dayMs))).toEqual(['rosa', 'kim']);
});

test('a campaign knows to whom names went, until the manager says that they are not theirs or is gone', () => {
  const now = monday + 18 * dayMs;
  const given = applyEvents(campaignOf({ toManagers: true }), [
    { kind: 'managed', managerId: 'UZOE', userIds: ['rosa', 'kim'] },
  ]);
  const lateOf = (campaign: typeof given) =>
    [...Map.groupBy(lateMembers(campaign, now), ({ managerId }) => managerId)].flatMap(([managerId, own]) =>
      managerId === null ? [] : [[managerId, named(own)]],
    );
  expect(lateOf(given)).toEqual([['UZOE', ['rosa', 'kim']]]);
  const refused = applyEvents(given, [{ kind: 'not-report', userId: 'rosa', by: 'UZOE' }]);
  expect(lateOf(refused)).toEqual([['UZOE', ['kim']]]);
  expect(lateOf(applyEvents(refused, [{ kind: 'report-after-all', userId: 'rosa', by: 'UERIN' }]))).toEqual(
    lateOf(refused),
  );
  expect(lateOf(applyEvents(refused, [{ kind: 'report-after-all', userId: 'rosa', by: 'UZOE' }]))).toEqual(
    lateOf(given),
  );
  expect(lateOf(applyEvents(given, [{ kind: 'manager-gone', managerId: 'UZOE', at: now }]))).toEqual([]);
  expect(lateOf(applyEvents(given, [{ kind: 'managed', managerId: null, userIds: ['kim'] }]))).toEqual([
    ['UZOE', ['rosa']],
  ]);
});

const now = monday + 21 * dayMs;
const passed = (daysAgo: number, addedDaysAgo = 30) => ({
  addedAt: now - addedDaysAgo * dayMs,
  result: campaignResult('passed', now - daysAgo * dayMs),
});

test.each<[string, Parameters<typeof campaignOf>[0], MemberOverrides, Partial<CampaignWeek> | undefined]>([
  ['who passed in the last week', {}, passed(3), { done: 1, late: [], expiring: 0 }],
  ['who passed before', {}, passed(7), undefined],
  ['who failed in the last week', {}, { result: campaignResult('failed', now - dayMs) }, { done: 0, late: ['Kim'] }],
  ['who is late', {}, {}, { done: 0, late: ['Kim'], expiring: 0 }],
  ['who has time', { dueAt: now + dayMs }, {}, undefined],
  ['who waits to be marked', {}, { result: campaignResult('unmarked', now - dayMs) }, undefined],
  ['who is excused', {}, { excused: { by: 'UTOM', reason: '', at: now - dayMs } }, undefined],
  ['whose pass ends in 20 days', standingRule, passed(345, 400), { done: 0, late: [], expiring: 1 }],
  ['whose pass ends in 40 days', standingRule, passed(325, 400), undefined],
  ['whose pass has ended', standingRule, passed(380, 400), { late: ['Kim'], expiring: 0 }],
])('somebody %s', (_, overrides, member, expected) => {
  const campaign = campaignOf({ ...overrides, members: [campaignMember('kim', { name: 'Kim', ...member })] });
  const nothing = { campaignId: 'c-1', quizName: 'Fire safety', done: 0, late: [], expiring: 0 };
  expect(weekOf(campaign, now)).toEqual(expected && { ...nothing, ...expected });
});

test('what there is to say is of campaigns that run, to who answers for them and may see them', async () => {
  const { campaigns, until, lost, users, put } = await openCampaign();
  await until(monday + 20 * dayMs);
  expect(await campaigns.weeksOf('T1', 'tom')).toMatchObject([
    { campaignId: 'c-1', late: ['kim', 'rosa'], failed: { question: 'What burns?', wrong: 5 } },
  ]);
  expect(await campaigns.weeksOf('T1', 'rosa')).toEqual([]);
  lost.add('UTOM');
  users.set('tom', { ...users.get('tom')!, edit_quizzes: false });
  expect(await campaigns.weeksOf('T1', 'tom')).toEqual([]);
  lost.clear();
  expect(await campaigns.weeksOf('T1', 'tom')).toHaveLength(1);
  await put({ kind: 'end', at: monday + 20 * dayMs });
  await until(monday + 21 * dayMs);
  expect(await campaigns.weeksOf('T1', 'tom')).toEqual([]);
});

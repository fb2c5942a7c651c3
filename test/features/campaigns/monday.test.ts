import { expect, test } from 'vitest';
import type { CampaignWeek } from '../../../src/domain/announcement.ts';
import { weekOf } from '../../../src/features/campaigns/monday.ts';
import {
  campaignMember,
  campaignOf,
  campaignResult,
  dayMs,
  monday,
  standingRule,
  type MemberOverrides,
} from '../../support/builders/campaigns.ts';
import { openCampaign } from '../../support/campaign-bed.ts';

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

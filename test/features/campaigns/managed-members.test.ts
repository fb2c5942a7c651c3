import { expect, test } from 'vitest';
import { applyEvents } from '../../../src/features/campaigns/events.ts';
import { lateMembers } from '../../../src/features/campaigns/next-step.ts';
import { splitEscalation } from '../../../src/features/campaigns/messages.ts';
import {
  campaignMember,
  campaignOf,
  campaignResult,
  dayMs,
  monday,
  standingRule,
} from '../../support/builders/campaigns.ts';

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

import { describe, expect, test } from 'vitest';
import { type Campaign, type RuleChange } from '../../../src/domain/campaign.ts';
import { applyEvents } from '../../../src/features/campaigns/events.ts';
import { nextMessages } from '../../../src/features/campaigns/next-step.ts';
import {
  inputOfRule,
  readChange,
  type ChangeInput,
} from '../../../src/features/campaigns/operations/change-campaign.ts';
import { resultOf } from '../../../src/obligations/people.ts';
import {
  campaignMember,
  campaignOf,
  dayMs,
  monday,
  openEnd,
  standingRule,
  type MemberOverrides,
} from '../../support/builders/campaigns.ts';

const standing = campaignOf(standingRule);
const round = campaignOf();
const nothing: ChangeInput = {
  within: undefined,
  renew: undefined,
  remind: undefined,
  overdue: undefined,
  escalate: undefined,
  complete: undefined,
  valid: undefined,
  countsForGood: false,
};
const read = (campaign: Campaign, input: Partial<ChangeInput>) =>
  readChange(campaign, { ...nothing, ...input }, monday);

describe('what is typed for another rule', () => {
  test('is read as the difference alone', () => {
    expect(read(standing, { within: [7 * dayMs] })).toEqual({ standing: { withinDays: 7 } });
    expect(read(standing, { within: [14 * dayMs], remind: [] })).toEqual({ remindBeforeMs: [] });
    expect(read(standing, { overdue: [], escalate: [2 * dayMs] })).toEqual({
      overdueEveryMs: null,
      escalateAfterMs: 2 * dayMs,
    });
    expect(read(round, { valid: { months: 6 } })).toEqual({ validity: { months: 6 } });
    expect(read(standing, { countsForGood: true })).toEqual({ validity: null });
  });

  test('has a pass renewed as usual where it counts for less time than it was renewed before', () => {
    expect(read(standing, { valid: { months: 1 } })).toEqual({ validity: { months: 1 }, standing: { renewDays: 13 } });
    expect(read(standing, { valid: { months: 1 }, renew: [7 * dayMs] })).toEqual({
      validity: { months: 1 },
      standing: { renewDays: 7 },
    });
  });

  test.each<[string, Campaign, Partial<ChangeInput>, string]>([
    ['a round has no time for each person', round, { within: [7 * dayMs] }, 'is one round'],
    ['a round is not renewed', round, { renew: [7 * dayMs] }, 'is one round'],
    [
      'what counts for good is not renewed',
      standing,
      { countsForGood: true, renew: [dayMs] },
      'Nothing is to be renewed',
    ],
    ['half days', standing, { within: [dayMs / 2] }, 'whole days'],
    ['a pass that is renewed before it is made', standing, { renew: [400 * dayMs] }, 'less than a pass counts'],
    ['several messages a day', round, { overdue: [dayMs / 2] }, 'at most one message a day'],
    ['both for good and for a time', standing, { countsForGood: true, valid: { months: 6 } }, 'Leave one out'],
    ['reminders without a due time', campaignOf({ ...openEnd }), { remind: [dayMs] }, 'need a due time'],
    ['an escalation to nobody', campaignOf({ leads: [] }), { escalate: [dayMs] }, 'Hand it over first'],
  ])('is refused: %s', (_, campaign, input, words) => {
    expect(() => read(campaign, input)).toThrow(words);
  });
});

describe('another rule', () => {
  const rule = (campaign: Campaign, change: RuleChange, at = monday + dayMs) =>
    applyEvents(campaign, [{ kind: 'rule', change, at }]);
  const asked = (campaign: Campaign, now: number) =>
    nextMessages(campaign, now, new Set()).map(({ member, message }) => [member.userId, message.kind, message.at]);
  const passed = (userId: string, at: number, more: MemberOverrides = {}) =>
    campaignMember(userId, { ...more, result: { submittedAt: at, outcome: 'passed', percentage: 90 } });

  test('is applied to what it names alone, and a round ends as its escalation says', () => {
    const changed = rule(round, { escalateAfterMs: dayMs, remindBeforeMs: [] });
    expect(changed.rule).toEqual({
      ...round.rule,
      escalateAfterMs: dayMs,
      remindBeforeMs: [],
      endsAt: round.rule.dueAt! + 29 * dayMs,
    });
    expect(rule(standing, { validity: null }).rule.validity).toBeNull();
    expect(rule(standing, { standing: { withinDays: 7 } }).rule).toMatchObject({
      standing: { withinDays: 7, renewDays: 30 },
    });
    expect(rule({ ...round, endedAt: monday }, { remindBeforeMs: [] })).toEqual({ ...round, endedAt: monday });
  });

  test('reminds who has to take a round again, and gives back a result where it is taken back', () => {
    const members = [passed('rosa', monday - 200 * dayMs, { notifiedAt: monday })];
    const campaign = { ...round, members };
    const at = monday + dayMs;
    const changed = rule(campaign, { validity: { months: 6 } });
    expect(resultOf(changed.members[0]!, changed)).toBeNull();
    expect(changed.members[0]).toMatchObject({ remindNowAt: at });
    expect(asked(changed, at)).toEqual([['rosa', 'reminder', at]]);
    const undone = rule(changed, { validity: null }, at + dayMs);
    expect(resultOf(undone.members[0]!, undone)).toMatchObject({ outcome: 'passed' });
  });

  test('is shown in the form as it is typed', () => {
    expect(inputOfRule(standing.rule)).toEqual({
      within: ['14d'],
      complete: ['passed'],
      valid: ['12 months'],
      renew: ['30d'],
      remind: ['7d', '1d'],
      overdue: ['1d'],
      escalate: ['3d'],
    });
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyEvents } from '../../../src/features/campaigns/events.ts';
import { resultOf } from '../../../src/obligations/people.ts';
import { nextStep, type Circumstances } from '../../../src/features/campaigns/next-step.ts';
import type { Campaign, CampaignEvent, CampaignMember, CampaignResult } from '../../../src/domain/campaign.ts';
import {
  campaignMember as member,
  campaignOf as campaign,
  campaignResult as result,
  dayMs,
  monday,
  openEnd,
  standingRule,
} from '../../support/builders/campaigns.ts';

const at = (now: number, overrides: Partial<Circumstances> = {}): Circumstances => ({
  now,
  askedAt: monday,
  askAgainAt: 0,
  assignmentsReadAt: 0,
  refreshedAt: 0,
  endedByItself: false,
  isClosed: false,
  holidays: new Set(),
  ...overrides,
});
const hourMs = dayMs / 24;
const notified = [member('rosa', { notifiedAt: monday }), member('kim', { notifiedAt: monday })];

describe('the next step of a campaign', () => {
  test('reminds those at once whom a person named, and nobody else', () => {
    const asked = monday + dayMs;
    const named = applyEvents(campaign({ members: notified }), [{ kind: 'remind-now', at: asked, userIds: ['kim'] }]);
    const reminded = nextStep(named, at(asked, { askedAt: asked }));
    expect(reminded).toMatchObject({ kind: 'remind', members: [{ userId: 'kim' }] });
    expect(reminded.kind === 'remind' && reminded.members).toHaveLength(1);
  });

  const late = campaign({
    members: notified.map((one) => ({
      ...one,
      messages: [{ handedAt: monday + 17 * dayMs, at: null, failure: null, dueAt: one.messages[0]!.dueAt }],
    })),
  });
  const passed = ['rosa', 'kim'].map((id) => member(id, { notifiedAt: monday, result: result('passed') }));
  const by = { by: 'UTOM', reason: 'On leave', at: monday };
  const minuteMs = hourMs / 60;
  const later = monday + dayMs;

  // A webhook can be lost before any of these.
  test.each<[what: string, running: Campaign, dueAt: number, then: object]>([
    [
      'before the first messages of a zone, though it did before those of another',
      campaign({ members: [notified[0]!, member('kim')] }),
      monday,
      { kind: 'notify', members: [{ userId: 'kim' }] },
    ],
    [
      'before reminders',
      campaign({ members: notified }),
      monday + 7 * dayMs,
      { kind: 'remind', members: [{ userId: 'rosa' }, { userId: 'kim' }] },
    ],
    [
      'before an escalation',
      late,
      monday + 17 * dayMs,
      { kind: 'escalate', missing: [{ userId: 'rosa' }, { userId: 'kim' }] },
    ],
    ['before its end', campaign({ members: notified }), monday + 28 * dayMs, { kind: 'end' }],
  ])('asks the service %s', (_, running, dueAt, then) => {
    for (const askedAt of [dueAt - 1, dueAt - 14 * minuteMs, dueAt - dayMs])
      expect(nextStep(running, at(dueAt, { askedAt }))).toEqual({ kind: 'ask' });
    for (const now of [dueAt, dueAt + 15 * minuteMs])
      expect(nextStep(running, at(now, { askedAt: dueAt }))).toMatchObject(then);
    expect(nextStep(running, at(dueAt + 15 * minuteMs + 1, { askedAt: dueAt }))).toEqual({ kind: 'ask' });
    expect(nextStep(running, at(dueAt, { askedAt: dueAt + 1 }))).toEqual({ kind: 'ask' });
  });

  test.each<[who: string, members: CampaignMember[], finishedAt: number, justBefore: object]>([
    ['everyone has passed', passed, monday, { kind: 'wait' }],
    [
      'a day has passed since the last was excused, who may have been by mistake',
      [passed[0]!, member('kim', { excused: by })],
      monday + dayMs,
      { kind: 'wait', until: monday + dayMs },
    ],
  ])('finishes when %s, once the service says so, too', (_, members, finishedAt, justBefore) => {
    const done = campaign({ members });
    const askedAt = finishedAt - 15 * minuteMs;
    expect(nextStep(done, at(finishedAt - 1, { askedAt }))).toMatchObject(justBefore);
    expect(nextStep(done, at(finishedAt, { askedAt: askedAt - 1 }))).toEqual({ kind: 'ask' });
    expect(nextStep(done, at(finishedAt, { askedAt }))).toEqual({ kind: 'end' });
    expect(nextStep(done, at(finishedAt, { askedAt: finishedAt + 1 }))).toEqual({ kind: 'ask' });
    const standing = { withinDays: 14, renewDays: 30, holidays: [] };
    const everyRound = campaign({ members, standing, dueAt: null, endsAt: null });
    expect(nextStep(everyRound, at(finishedAt, { askedAt: finishedAt, comparedAt: finishedAt })).kind).toBe('wait');
  });

  test('reads the responses a week after the last reading, where no message is due', () => {
    const endless = campaign({ members: notified, ...openEnd });
    expect(nextStep(endless, at(monday + dayMs, { askedAt: monday + dayMs }))).toEqual({
      kind: 'wait',
      until: monday + 8 * dayMs,
    });
    expect(nextStep(endless, at(monday + 8 * dayMs, { askedAt: monday + dayMs }))).toEqual({ kind: 'ask' });
  });

  test('reads the responses again within the hour while the result of a member waits to be marked', () => {
    const members = [member('rosa', { notifiedAt: monday, result: result('unmarked') }), notified[1]!];
    const marking = campaign({ members });
    const readAt = monday + dayMs;
    expect(nextStep(marking, at(readAt, { askedAt: readAt }))).toEqual({ kind: 'wait', until: readAt + hourMs });
    expect(nextStep(marking, at(readAt + hourMs, { askedAt: readAt }))).toEqual({ kind: 'ask' });
    expect(nextStep(marking, at(readAt + hourMs, { askedAt: readAt, askAgainAt: readAt + hourMs + 1 }))).toEqual({
      kind: 'wait',
      until: readAt + hourMs + 1,
    });
    expect(nextStep(marking, at(readAt - 1, { askedAt: readAt }))).toEqual({ kind: 'ask' });
    const submitted = campaign({ members, completeWhen: 'submitted' });
    expect(nextStep(submitted, at(readAt, { askedAt: readAt }))).toEqual({ kind: 'wait', until: monday + 7 * dayMs });
  });

  test('ends where its quiz is deleted, and puts its end on the record once', () => {
    const gone = { ...campaign({ members: notified }), obstacle: { status: 'gone' as const, since: monday, by: null } };
    expect(nextStep(gone, at(monday + dayMs))).toEqual({ kind: 'end' });
    const ended = campaign({ members: notified, endedAt: monday });
    expect(nextStep(ended, at(monday + 28 * dayMs))).toEqual({ kind: 'close' });
    expect(nextStep(ended, at(monday + 28 * dayMs, { isClosed: true }))).toEqual({ kind: 'wait', until: undefined });
  });

  const board = { ...openEnd, board: { channelId: 'C1', showsNames: true } };
  const onBoard = campaign({ members: notified, ...board });
  const dueLater = campaign({ members: notified, ...board, dueAt: later });
  const leave = { by: 'UTOM', reason: 'On leave', at: monday, until: later };
  const onLeave = campaign({
    members: [notified[0]!, member('kim', { notifiedAt: monday, excused: leave })],
    ...board,
  });
  const stands = campaign({ members: notified, ...board, ...standingRule });
  const twoWeeksOn = Date.parse('2026-12-07T17:00:00Z');
  test.each([
    ['a day after it was', onBoard, later, { refreshedAt: monday }, 'refresh'],
    ['not sooner, where nothing turns', onBoard, later, { refreshedAt: later - hourMs }, later + dayMs - hourMs],
    ['a day from now, where the clock has gone back', onBoard, later, { refreshedAt: later + dayMs }, later + dayMs],
    ['when the round is due', dueLater, later, { refreshedAt: later - hourMs }, 'refresh'],
    ['and not before that', dueLater, later - 1, { refreshedAt: later - hourMs }, later],
    ['once, when the round is due', dueLater, later, { refreshedAt: later }, later + dayMs],
    ['when an excuse ends', onLeave, later, { refreshedAt: later - hourMs }, 'refresh'],
    ['when somebody has it due, where it stands', stands, twoWeeksOn, { refreshedAt: twoWeeksOn - hourMs }, 'refresh'],
    ['never without one', campaign({ members: notified, ...openEnd }), later, {}, later + 7 * dayMs],
  ])('has the board say what the time has changed: %s', (_, shown, now, known, expected) => {
    const step = nextStep(shown, at(now, { askedAt: now, ...known }));
    expect(step.kind === 'wait' ? step.until : step.kind).toBe(expected);
  });
});

describe('results', () => {
  const after = (...outcomes: CampaignResult['outcome'][]) => {
    const running = applyEvents(
      campaign(),
      outcomes.map((outcome, index) => ({
        kind: 'result',
        userId: 'rosa',
        responseId: `r-${index}`,
        result: result(outcome, monday + index),
      })),
    );
    return resultOf(running.members[0]!, running)?.outcome;
  };

  test('a passed attempt counts, whatever comes after it', () => {
    expect(after('failed', 'passed', 'failed')).toBe('passed');
    expect(after('failed', 'unmarked')).toBe('unmarked');
  });

  test('of several passed attempts the first counts, in whatever order the bot hears of them', () => {
    const running = applyEvents(
      campaign(),
      [2, 0, 1].map((minutes) => ({
        kind: 'result',
        userId: 'rosa',
        responseId: `r-${minutes}`,
        result: result('passed', monday + minutes * 60_000),
      })),
    );
    expect(resultOf(running.members[0]!, running)?.responseId).toBe('r-0');
  });

  test('events that come twice change nothing the second time', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(events()), { maxLength: 15 }), (some) => {
        const once = applyEvents(campaign(), some);
        for (const event of some) expect(applyEvents(once, [event, event])).toEqual(applyEvents(once, [event]));
      }),
    );
  });

  test('events that are applied together change the same as one after the other', () => {
    fc.assert(
      fc.property(fc.array(events(), { maxLength: 15 }), (some) => {
        expect(applyEvents(campaign(), some)).toEqual(
          some.reduce((running, event) => applyEvents(running, [event]), campaign()),
        );
      }),
    );
  });
});

function events(): fc.Arbitrary<CampaignEvent> {
  const userId = fc.constantFrom('rosa', 'kim', 'gone');
  const time = fc.integer({ min: 0, max: 10 });
  return fc.oneof(
    fc.record({
      kind: fc.constant('result' as const),
      userId,
      responseId: fc.constantFrom('r-1', 'r-2'),
      result: fc.constantFrom(result('passed'), result('failed', monday + 1), result('unmarked', null)),
    }),
    fc.record({ kind: fc.constant('handed' as const), userIds: fc.array(userId, { maxLength: 2 }), at: time }),
    fc.record({ kind: fc.constant('snooze' as const), userId, until: time }),
    fc.record({
      kind: fc.constant('excuse' as const),
      userIds: fc.array(userId, { maxLength: 2 }),
      by: fc.constant('UTOM'),
      reason: fc.constant('On leave'),
      at: time,
      until: fc.constant(null),
    }),
    fc.record({
      kind: fc.constant('join' as const),
      members: fc.constant([member('zoe')]),
      at: fc.constant(monday),
      areNamed: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('end' as const), at: time }),
  );
}

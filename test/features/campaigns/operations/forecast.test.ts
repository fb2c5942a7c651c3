import { describe, expect, test } from 'vitest';
import type { CampaignContact } from '../../../../src/domain/campaign.ts';
import type { CampaignPlan } from '../../../../src/domain/campaign-plan.ts';
import { plainSentence } from '../../../../src/domain/sentence.ts';
import { firstMessagesWords } from '../../../../src/features/campaigns/operations/first-messages.ts';
import { sentenceMrkdwn } from '../../../../src/slack/views/blocks/mrkdwn.ts';
import { forecastMessages } from '../../../../src/features/campaigns/operations/forecast.ts';
import { campaignPlan, openEnd, plannedMember } from '../../../support/builders/campaigns.ts';

const at = (text: string) => Date.parse(`2026-11-${text}:00Z`);
const mondayAt10 = at('23T10:00');
const due = (dueAt: number): CampaignPlan['schedule'] => ({ ...openEnd, dueAt });

/** What is forecast on Monday at 10:00, in UTC unless a member has another zone. */
function forecast(
  plan: Partial<CampaignPlan>,
  contacts: Readonly<Record<string, CampaignContact>> = {},
  nowMs = mondayAt10,
) {
  return forecastMessages(campaignPlan(plan), {
    nowMs,
    holidays: new Set(),
    contacts: new Map(Object.entries(contacts)),
  });
}

const rosa = plannedMember('rosa');

describe('first messages', () => {
  test('go out at once in working hours, and in the morning after them', () => {
    expect(forecast({ members: [rosa] })).toMatchObject({ firstMessagesAt: mondayAt10, delayed: 0, lateNames: [] });
    expect(forecast({ members: [rosa] }, {}, at('23T19:00')).firstMessagesAt).toBe(at('24T09:00'));
  });

  test('go out from the first to the last zone', () => {
    const members = [rosa, plannedMember('hana', { timeZone: 'Asia/Tokyo' })];
    expect(forecast({ members })).toMatchObject({
      firstMessagesAt: mondayAt10,
      // 9:00 in Tokyo, on Tuesday.
      firstMessagesUntil: at('24T00:00'),
    });
    expect(forecast({ members: [rosa, plannedMember('kim')] }).firstMessagesUntil).toBeUndefined();
  });

  describe('in words', () => {
    const hana = plannedMember('hana', { timeZone: 'Asia/Tokyo' });
    const ivo = plannedMember('ivo', { timeZone: 'Europe/Berlin' });
    const said = (members: CampaignPlan['members'], nowMs: number) =>
      plainSentence(firstMessagesWords(forecast({ members }, {}, nowMs), { nowMs, timeZone: 'UTC' }) ?? '');

    test.each([
      ['in working hours', [rosa], mondayAt10, 'now'],
      ['after them', [rosa], at('23T19:00'), 'Tue 24 Nov, 09:00'],
      ['after them, elsewhere', [hana], mondayAt10, 'Tue 24 Nov, 9:00 in each person’s time zone'],
      ['after them everywhere', [rosa, ivo, hana], at('22T14:00'), 'Mon 23 Nov, 9:00 in each person’s time zone'],
      [
        'in the working hours of some',
        [rosa, ivo, hana],
        mondayAt10,
        'from now to Tue 24 Nov, in each person’s working hours',
      ],
    ])('are %s at a time that reads well', (_, members, nowMs, words) => {
      expect(said(members, nowMs)).toBe(words);
    });

    test('name the day on which it begins for these people, whatever day it is for the reader', () => {
      const members = [plannedMember('kiri', { timeZone: 'Pacific/Auckland' })];
      const nowMs = at('24T10:00');
      const forecasted = forecast({ members }, {}, nowMs);
      expect(forecasted.firstMessagesLocal).toBe('2026-11-25T09:00');
      expect(sentenceMrkdwn(firstMessagesWords(forecasted, { nowMs, timeZone: 'UTC' }) ?? '').mrkdwn).toBe(
        `<!date^${at('25T12:00') / 1000}^{date_short_pretty}|Wed 25 Nov>, 9:00 in each person’s time zone`,
      );
    });
  });

  test.each([
    ['has had today’s notice', { lastAt: at('23T09:00') }],
    ['gets a notice that is handed over', { nextAt: at('23T09:59') }],
    ['waits for the quiz of another campaign', { nextAt: mondayAt10 - 1 }],
  ])('come the next day to a person who %s', (_, contact) => {
    expect(forecast({ members: [rosa] }, { rosa: contact })).toMatchObject({
      firstMessagesAt: at('24T09:00'),
      delayed: 1,
    });
  });

  test.each([
    ['a notice of yesterday', { lastAt: at('22T17:00') }, mondayAt10, mondayAt10],
    ['a notice that comes later on the day', { nextAt: at('23T15:00') }, mondayAt10, mondayAt10],
    ['a notice that waits for the same morning', { nextAt: at('24T09:00') }, at('23T20:00'), at('24T09:00')],
  ])('are not delayed by %s', (_, contact, nowMs, expected) => {
    expect(forecast({ members: [rosa] }, { rosa: contact }, nowMs)).toMatchObject({
      firstMessagesAt: expected,
      delayed: 0,
    });
  });

  test('come when the quiz is assigned, one person after the other', () => {
    const members = Array.from({ length: 500 }, (_, index) => plannedMember(`u${index}`));
    const assign = { groups: [], users: members.map(({ userId, name }) => ({ id: userId, name })) };
    const { firstMessagesAt, firstMessagesUntil = 0 } = forecast({ members, assign });
    expect(firstMessagesAt).toBe(mondayAt10);
    expect((firstMessagesUntil - mondayAt10) / 60_000).toBeCloseTo((500 * 1.5) / 60, 0);
  });

  test('of a large campaign that starts in the evening end the next morning', () => {
    const members = Array.from({ length: 1_000 }, (_, index) => plannedMember(`u${index}`));
    const { firstMessagesAt, firstMessagesUntil } = forecast({ members }, {}, at('23T17:50'));
    expect(firstMessagesAt).toBe(at('23T17:50'));
    expect(firstMessagesUntil).toBe(at('24T09:00'));
  });

  test('are none where nobody is reached', () => {
    const members = [plannedMember('rosa', { personId: null }), plannedMember('kim', { isTurnedOff: true })];
    expect(forecast({ members, schedule: due(at('23T12:00')) })).toEqual({
      firstMessagesAt: null,
      firstRemindersAt: null,
      delayed: 0,
      lateNames: [],
    });
  });
});

describe('people who can’t be messaged before the due time', () => {
  test('are those whose working day is over, and those who had today’s notice', () => {
    const members = [rosa, plannedMember('kim'), plannedMember('hana', { timeZone: 'Asia/Tokyo' })];
    const { lateNames } = forecast({ members, schedule: due(at('23T17:00')) }, { kim: { lastAt: at('23T09:30') } });
    expect(lateNames.toSorted()).toEqual(['hana', 'kim']);
    expect(forecast({ members, schedule: openEnd }).lateNames).toEqual([]);
  });

  test('are all, where it is due in the same evening', () => {
    expect(forecast({ members: [rosa], schedule: due(at('23T21:00')) }, {}, at('23T18:30')).lateNames).toEqual([
      'rosa',
    ]);
  });
});

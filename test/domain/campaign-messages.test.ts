import { describe, expect, test } from 'vitest';
import { messagesTo, notKnown, notNeeded, whyUnreached } from '../../src/domain/campaign-messages.ts';
import { campaignMember } from '../support/builders/campaigns.ts';

describe('the messages to a member', () => {
  test('are those that arrived, with the times at which they did', () => {
    const deliveries = [
      { handedAt: 10, at: 12 },
      { handedAt: 20, at: 21, failure: 'turned_off' },
      { handedAt: 30, at: 33 },
      { handedAt: 40, at: 41, failure: notNeeded },
    ];
    const member = campaignMember('rosa', { notifiedAt: 10, remindedAt: [20, 30, 40, 50], deliveries });
    expect(messagesTo(member)).toEqual({
      firstAt: 12,
      remindedAt: [33],
      movedAt: [],
      failures: [{ at: 21, failure: 'turned_off' }],
      waitingSince: 50,
    });
  });

  test('are one where several were handed over before it arrived', () => {
    const together = [10, 20].map((handedAt) => ({ handedAt, at: 25 }));
    const later = [30, 40].map((handedAt) => ({ handedAt, at: 45 }));
    const member = campaignMember('rosa', {
      notifiedAt: 10,
      remindedAt: [20, 30, 40],
      deliveries: [...together, ...later],
    });
    expect(messagesTo(member)).toMatchObject({ firstAt: 25, remindedAt: [45] });
  });

  test('are none before one arrives', () => {
    expect(messagesTo(campaignMember('rosa', { notifiedAt: 10 }))).toEqual({
      firstAt: null,
      remindedAt: [],
      movedAt: [],
      failures: [],
      waitingSince: 10,
    });
  });

  test('are no reminders where they say another due time, unless it is over by then', () => {
    const messages = [
      { handedAt: 10, dueAt: 50 },
      { handedAt: 20, dueAt: 50 },
      { handedAt: 30, dueAt: 90 },
      { handedAt: 40, dueAt: 90 },
      { handedAt: 45, dueAt: null },
      { handedAt: 60, dueAt: 55 },
    ].map((message) => ({ ...message, at: message.handedAt, failure: null }));
    expect(messagesTo({ messages })).toMatchObject({ firstAt: 10, remindedAt: [20, 40, 60], movedAt: [30, 45] });
  });

  test('of which nobody knows what became are those that were sent', () => {
    const messages = [10, 20].map((handedAt) => ({ handedAt, at: null, failure: notKnown, dueAt: null }));
    expect(messagesTo({ messages })).toEqual({
      firstAt: 10,
      remindedAt: [20],
      movedAt: [],
      failures: [],
      waitingSince: null,
    });
  });
});

test.each([
  ['without a person', { personId: null }, 'no_person'],
  [
    'whose last message did not arrive',
    { deliveries: [{ handedAt: 10, at: 12, failure: 'turned_off' }] },
    'turned_off',
  ],
  [
    'who got a later one',
    {
      deliveries: [
        { handedAt: 10, at: 12, failure: 'turned_off' },
        { handedAt: 20, at: 21 },
      ],
    },
    undefined,
  ],
  ['whose message was not needed', { deliveries: [{ handedAt: 10, at: 12, failure: notNeeded }] }, undefined],
  ['whose message waits', {}, undefined],
])('a member %s is unreached because of: %j → %s', (_, overrides, why) => {
  const member = campaignMember('rosa', { notifiedAt: 10, remindedAt: [20], ...overrides });
  expect(whyUnreached(member)).toBe(why);
});

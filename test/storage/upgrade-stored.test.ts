import { describe, expect, test } from 'vitest';
import {
  upgradeApprovalRequest,
  upgradeEntryContent,
  upgradeEventId,
  upgradePause,
  upgradeQueueName,
  upgradeQueueState,
  upgradeSubscription,
  upgradeWaitingEvent,
} from '../../src/storage/upgrade-stored.ts';
import { eventBody } from '../support/event.ts';
import {
  oldChannelState,
  oldCompareState,
  oldContent,
  oldDigest,
  oldPause,
  oldRequest,
  oldSubscription,
} from '../support/version-2.ts';

const parse = (text: string) => JSON.parse(text) as Record<string, unknown>;

describe('what version 2 has stored', () => {
  test.each<[string, (value: Record<string, unknown>) => unknown, string, string]>([
    ['an entry', upgradeEntryContent, oldContent, oldContent.replace('isLate', 'isBackfilled')],
    ['a digest', upgradeEntryContent, oldDigest, oldDigest],
    [
      'a channel’s state',
      upgradeQueueState,
      oldChannelState,
      oldChannelState
        .replace('underWay', 'inFlight')
        .replace('lastTs', 'lastMessageId')
        .replaceAll('"ts"', '"messageId"'),
    ],
    ['the state of the backfill', upgradeQueueState, oldCompareState, oldCompareState],
    [
      'a subscription',
      upgradeSubscription,
      oldSubscription,
      oldSubscription.replace('which', 'filter').replace('how', 'delivery'),
    ],
    ['a pause', upgradePause, oldPause, oldPause.replace('isTold', 'isOwnerNotified')],
    ['a request for approval', upgradeApprovalRequest, oldRequest, oldRequest.replaceAll('sentence', 'message')],
  ])('is upgraded: %s, once and for all', (_, upgrade, old, upgraded) => {
    expect(upgrade(parse(old))).toEqual(parse(upgraded));
    expect(upgrade(parse(upgraded))).toEqual(parse(upgraded));
  });

  test('names queues and events anew', () => {
    expect(['compare', 'rounds', 'backfill', 'channel/T1/compare'].map(upgradeQueueName)).toEqual([
      'backfill',
      'sweep',
      'backfill',
      'channel/T1/compare',
    ]);
    expect(['late:q:r', 'backfilled:q:r', 'confirmed:q:r', 'e-late:1'].map(upgradeEventId)).toEqual([
      'backfilled:q:r',
      'backfilled:q:r',
      'confirmed:q:r',
      'e-late:1',
    ]);
  });

  test('leaves no pause where there was none', () => {
    expect(upgradePause(null)).toBeNull();
  });
});

describe('an event that waited with its body', () => {
  const upgrade = (body: string, over: { id?: string; type?: string; isTrusted?: boolean } = {}) =>
    upgradeWaitingEvent({ id: 'e-1', type: 'response.submitted', isTrusted: true, body, ...over });

  test('is a submission, with the name and the result and nothing else of the respondent', () => {
    const upgraded = upgrade(eventBody({}, { available_points: '10.50', percentage_score: '85.7' }));
    expect(upgraded).toEqual({
      kind: 'submission',
      submission: {
        quizId: 'q-1',
        quizName: 'Fire safety',
        responseId: 'r-1',
        name: 'Rosa Almeida',
        points: 9,
        availablePoints: 10.5,
        percentage: 85.7,
        grade: 'A',
        outcome: 'passed',
        attempt: 2,
        durationSeconds: 245,
        submittedAt: Date.UTC(2018, 10, 2, 0, 5, 47),
        isBackfilled: false,
      },
    });
    expect(upgrade(eventBody(), { id: 'late:q-1:r-1' })).toMatchObject({ submission: { isBackfilled: true } });
  });

  test('may lack what the service need not send', () => {
    const missing = {
      first_name: null,
      last_name: '',
      grade: null,
      duration: null,
      attempt: undefined,
      quiz_name: null,
      status: null,
    };
    expect(upgrade(eventBody({}, missing))).toMatchObject({
      submission: { name: 'Guest', grade: '', durationSeconds: null, attempt: null, quizName: '' },
    });
    expect(upgrade(eventBody({}, { date_submitted: null }))).toMatchObject({ submission: { submittedAt: null } });
  });

  test('is a hint where its signature did not cover the body', () => {
    expect(upgrade(eventBody(), { isTrusted: false })).toEqual({ kind: 'hint', quizId: 'q-1', responseId: 'r-1' });
  });

  test.each([
    ['of another type', eventBody(), { type: 'user.created' }],
    ['not submitted', eventBody({}, { status: 'not_submitted' }), {}],
    ['without status and date', eventBody({}, { status: undefined, date_submitted: '' }), {}],
    ['no JSON', 'no JSON', {}],
    ['no event', '[]', {}],
    ['without a response', '{"data":null}', {}],
    ['without ids', eventBody({}, { response_id: 1 }), { isTrusted: false }],
  ])('is nothing to announce: %s', (_, body, over) => {
    expect(upgrade(body, over)).toBeUndefined();
  });
});

import { expect, test } from 'vitest';
import { upgradedMail, upgradedRecord, upgradedState } from '../../src/storage/from-17.ts';

const upgrade = () => ({ now: 5, notes: new Map<string, unknown>() });
const stateAfter = (queue: string, state: object) => {
  const { change, mail } = upgradedState(queue, JSON.stringify(state), [], upgrade());
  return { change: typeof change === 'object' ? (JSON.parse(change.text) as unknown) : change, mail };
};

test('waits of 1.7 go on in the mailboxes of their steps, also with an ending that was made', () => {
  const ofOlder = { personId: 'UADA', quizId: 'q', userId: 'u', needsPass: true, until: 9, result: null };
  const wait = { ...ofOlder, grantId: 'g', names: { user: 'Rosa', quiz: 'Fire' } };
  const kept = { executionId: 'Fx1', checkAt: 3, failures: 1, notBefore: 2 };
  const ending = { kind: 'error', message: 'Over.' };
  const event = {
    kind: 'wait',
    wait,
    execution: { id: 'Fx1', teamId: 'T1', appId: '', step: 'wait_for_result', inputs: {}, startedAt: 5 },
  };
  const entry = (more: object) => ({
    queue: 'step/T1/Fx1',
    subscriptionId: 'workflows',
    at: 5,
    content: { kind: 'workflow-event', event: { ...event, ...more } },
  });
  expect(stateAfter('waits/T1/34', { waits: [{ ...kept, ...wait }], lookedAt: 1 })).toEqual({
    change: 'dropped',
    mail: [entry({})],
  });
  expect(stateAfter('waits/T1/34', { waits: [{ ...kept, ...wait, ending }] }).mail).toEqual([entry({ ending })]);
  const unnamed = { ...ofOlder, grantId: '', names: { user: 'The person', quiz: 'The quiz' } };
  expect(stateAfter('waits/T1/34', { waits: [{ ...kept, ...ofOlder }] }).mail).toEqual([entry({ wait: unnamed })]);
  const mailed = (one: object) =>
    upgradedMail('waits/T1/34', JSON.stringify({ kind: 'workflow-event', event: one }), upgrade());
  expect(mailed({ kind: 'wait', wait: { ...kept, ...wait } })).toEqual({ change: 'dropped', mail: [entry({})] });
  expect(mailed({ kind: 'result', userId: 'u', quizId: 'q', result: {} })).toEqual({ change: 'dropped', mail: [] });
});

test('of a digest of several messages, the one in flight was all, and corrections are in no digest', () => {
  const state = { threads: {}, failures: 0, notBefore: 0 };
  const inFlight = { id: 'm', startedAt: 1, positions: [] };
  expect(stateAfter('channel/T1/C1', { ...state, inFlight }).change).toBe('kept');
  expect(
    stateAfter('channel/T1/C1', {
      ...state,
      digests: { 7: { named: 10 } },
      inFlight: { ...inFlight, digest: { position: 7 } },
    }).change,
  ).toEqual({ ...state, inFlight: { ...inFlight, positions: [7] } });
  const collected = (submission: object) =>
    upgradedMail('digest/T1/s', JSON.stringify({ kind: 'submission', submission }), upgrade()).change;
  expect([collected({ name: 'Rosa' }), collected({ name: 'Rosa', corrects: {} })]).toEqual(['kept', 'dropped']);
});

test('members of campaigns of 1.6 have their result as an attempt, and nobody’s attempts are read twice', () => {
  const result = { outcome: 'passed', percentage: 90, submittedAt: 4 };
  const attempt = { ...result, responseId: 'r-2', knownAt: 0 };
  const members = [
    { userId: 'u-1', result, responseIds: ['r-1', 'r-2'], excuseAsked: {} },
    { userId: 'u-2', result: null, responseIds: [] },
    { userId: 'u-3', result, responseIds: ['r-2'], attempts: [{ ...attempt, knownAt: 5 }] },
  ];
  const [one, other, third] = members;
  const { change } = stateAfter('campaign/T1/c', { campaign: { id: 'c', members } });
  const { excuseAsked: _, ...passed } = one!;
  const upgraded = {
    campaign: { id: 'c', members: [{ ...passed, attempts: [attempt] }, { ...other, attempts: [] }, third] },
  };
  expect(change).toEqual(upgraded);
  expect(stateAfter('campaign/T1/c', upgraded).change).toBe('kept');
});

test('requests of 1.7 for what was done in all campaigns of people go on', () => {
  const asked = { targets: [] };
  const after = (operation: string, input: object) => {
    const { change } = upgradedRecord('requests', 'r', JSON.stringify({ operation, input, asked }), upgrade());
    return typeof change === 'object' ? (JSON.parse(change.text) as unknown) : change;
  };
  expect(after('remind-people', { people: ['u-1', 'u-2'] })).toEqual({
    operation: 'remind-campaign',
    input: { people: ['user:u-1', 'user:u-2'] },
    asked,
  });
  expect(after('excuse-people', { people: ['u-1'], quizzes: ['q-1'], because: ['On leave'] })).toEqual({
    operation: 'excuse-campaign',
    input: { campaign: ['q-1'], people: ['u-1'], because: ['On leave'] },
    asked,
  });
  expect(after('remind-campaign', { campaign: ['c'], people: ['user:u-1'] })).toBe('kept');
});

import { expect, test } from 'vitest';
import type { AttemptResult, ResultWait } from '../../../src/domain/workflow.ts';
import { applyEvents, endingOf, isFulfilled, nextOf, withNextCheck } from '../../../src/features/workflows/waits.ts';

const hourMs = 3_600_000;
const attempt = (overrides: Partial<AttemptResult> = {}): AttemptResult => ({
  outcome: 'passed',
  points: 9,
  percentage: 90,
  grade: 'A',
  submittedAt: 5_000,
  ...overrides,
});
const waitFor = (overrides: Partial<ResultWait> = {}): ResultWait => ({
  executionId: 'Fx1',
  personId: 'UADA',
  quizId: 'q-1',
  userId: 'u-1',
  needsPass: false,
  until: 100,
  checkAt: 0,
  result: null,
  failures: 0,
  notBefore: 0,
  ...overrides,
});
const submitted = (result: AttemptResult, of: { userId?: string; quizId?: string } = {}) =>
  ({ kind: 'result', userId: 'u-1', quizId: 'q-1', result, ...of }) as const;

test('a result ends the waits for this user and quiz, and no others', () => {
  const waits = [
    waitFor(),
    waitFor({ executionId: 'Fx2', quizId: 'q-2' }),
    waitFor({ executionId: 'Fx3', userId: 'u-2' }),
  ];
  expect(applyEvents(waits, [submitted(attempt())]).map(isFulfilled)).toEqual([true, false, false]);
});

test('a wait until they pass goes on after a failed attempt, and ends with the passed attempt', () => {
  const failed = applyEvents(
    [waitFor({ needsPass: true })],
    [submitted(attempt({ outcome: 'failed', points: 2, percentage: 20, grade: 'F' }))],
  );
  expect(failed.map(isFulfilled)).toEqual([false]);
  const [passed] = applyEvents(failed, [
    submitted(attempt({ submittedAt: 9_000 })),
    submitted(attempt({ outcome: 'failed', submittedAt: 10_000 })),
  ]);
  expect(endingOf(passed!)).toEqual({
    kind: 'success',
    outputs: { result: 'passed', passed: true, score: 9, percentage: 90, grade: 'A', submitted_at: 9, in_time: true },
  });
});

test('when the time is over, the outputs say what there is', () => {
  expect(endingOf(waitFor())).toEqual({
    kind: 'success',
    outputs: { result: 'not taken', passed: false, in_time: false },
  });
  const unmarked = waitFor({
    needsPass: true,
    result: attempt({ outcome: 'unmarked', points: 0, percentage: 0, grade: '' }),
  });
  expect(endingOf(unmarked)).toEqual({
    kind: 'success',
    outputs: { result: 'not marked', passed: false, submitted_at: 5, in_time: false },
  });
});

test('an event that comes twice changes nothing, and an ending that is made never changes', () => {
  const [ended, ...others] = applyEvents(
    [],
    [
      { kind: 'wait', wait: waitFor() },
      { kind: 'wait', wait: waitFor() },
    ],
  );
  expect(others).toEqual([]);
  const made = { ...ended!, ending: { kind: 'error', message: 'Over.' } as const };
  expect(applyEvents([made], [submitted(attempt())])).toEqual([made]);
});

test('a wait asks the service at its beginning and at its end, and sends its ending first', () => {
  expect(nextOf(waitFor(), 0)).toEqual({ kind: 'check', at: 0 });
  expect(nextOf(waitFor({ checkAt: 100, notBefore: 150 }), 0)).toEqual({ kind: 'check', at: 150 });
  expect(nextOf(waitFor({ result: attempt() }), 0).kind).toBe('end');
  expect(nextOf(waitFor({ result: attempt(), ending: { kind: 'error', message: '' }, notBefore: 7 }), 0)).toEqual({
    kind: 'send',
    at: 7,
  });
});

test('while their result waits to be marked, a wait until they pass asks the service each hour, and at its end', () => {
  const unmarked = attempt({ outcome: 'unmarked', points: 0, percentage: 0, grade: '' });
  const until = 100 * hourMs;
  const marking = withNextCheck(waitFor({ needsPass: true, until, checkAt: until, result: unmarked }), 7);
  expect(nextOf(marking, 7)).toEqual({ kind: 'check-marks', at: 7 + hourMs });
  expect(withNextCheck(marking, 8)).toEqual(marking);
  expect(nextOf(withNextCheck({ ...marking, checkAt: until }, until - 5), 0)).toEqual({ kind: 'check', at: until });
  const anyResult = withNextCheck(waitFor({ until, checkAt: until, result: unmarked }), 7);
  expect(nextOf(anyResult, 0).kind).toBe('end');
  const failed = withNextCheck(
    waitFor({ needsPass: true, until, checkAt: until, result: attempt({ outcome: 'failed' }) }),
    7,
  );
  expect(nextOf(failed, 0)).toEqual({ kind: 'check', at: until });
  // The clock was set back by two hours.
  const later = { ...marking, checkAt: marking.checkAt + 3 * hourMs };
  expect(nextOf(later, hourMs)).toEqual({ kind: 'check-marks', at: hourMs });
});

test('a pause lasts no longer because the clock was set back', () => {
  const resting = waitFor({ result: attempt(), restsFrom: 1_000, notBefore: 2_000 });
  expect([nextOf(resting, 1_500).at, nextOf(resting, 999).at]).toEqual([2_000, 0]);
});

import { describe, expect, test } from 'vitest';
import { createPassRates } from '../../src/directory/pass-rates.ts';
import type { QuizApi } from '../../src/quiz-api/quiz-api.ts';
import { quizResponse } from '../support/builders/responses.ts';

function setUp() {
  const clock = { now: 0 };
  const submitted: Record<string, number> = { 'q-1': 2 };
  const asked: string[] = [];
  let gate: Promise<void> | undefined;
  const list = async (quizId: string) => {
    asked.push(quizId);
    const listed = Array.from({ length: submitted[quizId] ?? 0 }, () => quizResponse());
    await gate;
    return listed;
  };
  const { passRates, api } = createPassRates({
    api: { responses: { list } } as unknown as QuizApi,
    now: () => clock.now,
  });
  return { passRates, api, clock, submitted, asked, holdUp: (until: Promise<void> | undefined) => void (gate = until) };
}

describe('pass rates', () => {
  test('are those of the latest list of responses that anyone read, for ten minutes', async () => {
    const { passRates, api, clock, submitted, asked } = setUp();
    expect(passRates.known('q-1')).toBeUndefined();
    await api.responses.list('q-1');
    expect(passRates.known('q-1')).toMatchObject({ submitted: 2, passed: 2 });
    submitted['q-1'] = 3;
    await api.responses.list('q-1');
    expect(passRates.known('q-1')?.submitted).toBe(3);
    expect(asked).toHaveLength(2);
    clock.now = 10 * 60_000;
    expect(passRates.known('q-1')).toBeUndefined();
    expect(asked).toHaveLength(2);
  });

  test('are unknown after a new submission, also where an older list arrives later', async () => {
    const { passRates, api, submitted, holdUp } = setUp();
    const { promise, resolve } = Promise.withResolvers<void>();
    holdUp(promise);
    const older = api.responses.list('q-1');
    submitted['q-1'] = 3;
    passRates.forget('q-1');
    resolve();
    await older;
    expect(passRates.known('q-1')).toBeUndefined();
    holdUp(undefined);
    await api.responses.list('q-1');
    expect(passRates.known('q-1')?.submitted).toBe(3);
  });
});

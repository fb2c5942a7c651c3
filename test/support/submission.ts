import type { Submission } from '../../src/domain/queue-entry.ts';

/** A submission as it is announced. */
export function submission(overrides: Partial<Submission> = {}): Submission {
  return {
    quizId: 'q-1',
    quizName: 'Fire safety',
    responseId: 'r-1',
    name: 'Rosa Almeida',
    points: 9,
    availablePoints: 10,
    percentage: 90,
    grade: 'A',
    passed: true,
    attempt: 1,
    durationSeconds: 245,
    submittedAt: null,
    isBackfilled: false,
    ...overrides,
  };
}

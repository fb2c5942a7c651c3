import type { Digest, DigestOfQuiz } from '../../src/domain/queue-entry.ts';

export function digestOfQuiz(overrides: Partial<DigestOfQuiz> = {}): DigestOfQuiz {
  return {
    quizId: 'q-1',
    quizName: 'Fire safety',
    submitted: 4,
    passed: 3,
    mean: 77.5,
    weekBefore: { submitted: 12, mean: 74.3 },
    percentages: [90, 100, 80, 40],
    failed: ['Ravi Banerjee'],
    ...overrides,
  };
}

export function digest(overrides: Partial<Digest> = {}): Digest {
  return { from: Date.UTC(2026, 10, 20, 7, 30), to: Date.UTC(2026, 10, 21, 7, 30), quizzes: [digestOfQuiz()], ...overrides };
}

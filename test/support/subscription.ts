import type { Submission } from '../../src/storage/lane-entry.ts';
import type { Subscription } from '../../src/storage/subscription.ts';

export function subscription(overrides: Partial<Subscription> = {}): Subscription {
  return {
    id: 's-1',
    teamId: 'T1',
    channelId: 'C1',
    ownerId: 'U1',
    quiz: null,
    which: { kind: 'all' },
    how: { kind: 'each' },
    timeZone: 'UTC',
    showsNames: true,
    createdAt: 0,
    pause: null,
    ...overrides,
  };
}

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
    isLate: false,
    ...overrides,
  };
}

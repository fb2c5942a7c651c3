import type { Digest, DigestOfQuiz, NewQueueEntry, Submission } from '../../../src/domain/queues.ts';
import type { Subscription } from '../../../src/domain/subscription.ts';
import type { AlertsStatus, WebhooksStatus } from '../../../src/domain/alerts-status.ts';

/** A submission as alerts announce it. */
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
    outcome: 'passed',
    attempt: 1,
    durationSeconds: 245,
    submittedAt: null,
    isBackfilled: false,
    ...overrides,
  };
}

/** A subscription of one channel to every submission. */
export function subscription(overrides: Partial<Subscription> = {}): Subscription {
  return {
    id: 's-1',
    teamId: 'T1',
    channelId: 'C1',
    ownerId: 'U00000ADA',
    quiz: null,
    filter: { kind: 'all' },
    delivery: { kind: 'each' },
    timeZone: 'UTC',
    showsNames: true,
    createdAt: 1_000,
    pause: null,
    ...overrides,
  };
}

/** A queue entry with a submission. Entries with different `name`s have different respondents. */
export function queueEntry({
  name = 'Rosa Almeida',
  ...overrides
}: Partial<NewQueueEntry> & { name?: string } = {}): NewQueueEntry {
  return {
    queue: 'channel/T1/C1',
    subscriptionId: 's-1',
    at: 1_000,
    content: { kind: 'submission', submission: submission({ name }) },
    ...overrides,
  };
}

/** The respondent of each entry, or `digest`. */
export function namesOf(entries: readonly Pick<NewQueueEntry, 'content'>[]): string[] {
  return entries.map(({ content }) => (content.kind === 'submission' ? content.submission.name : 'digest'));
}

export function digestOfQuiz(overrides: Partial<DigestOfQuiz> = {}): DigestOfQuiz {
  return {
    quizId: 'q-1',
    quizName: 'Fire safety',
    submitted: 4,
    passed: 3,
    failed: 1,
    unmarked: 0,
    mean: 77.5,
    weekBefore: { graded: 12, mean: 74.3 },
    percentages: [90, 100, 80, 40],
    failedNames: ['Ravi Banerjee'],
    ...overrides,
  };
}

export function digest(overrides: Partial<Digest> = {}): Digest {
  return {
    from: Date.UTC(2026, 10, 20, 7, 30),
    to: Date.UTC(2026, 10, 21, 7, 30),
    quizzes: [digestOfQuiz()],
    ...overrides,
  };
}

/** The state of alerts with a value for every field. */
export function alertsStatus(
  webhooks: Partial<WebhooksStatus> = {},
  overrides: Partial<AlertsStatus> = {},
): AlertsStatus {
  return {
    webhooks: {
      since: Date.UTC(2026, 10, 1),
      lastAt: Date.UTC(2026, 10, 21, 8),
      taken: 1_204,
      backfilled: 3,
      refused: [
        { reason: 'the signature does not match', count: 10 },
        { reason: 'malformed', count: 2 },
      ],
      lastRefusedAt: Date.UTC(2026, 10, 20, 8),
      refusedSignatures: [],
      setAside: { count: 0, events: [] },
      ...webhooks,
    },
    events: 1,
    postponed: 0,
    waiting: 14,
    channels: 3,
    oldestAt: Date.UTC(2026, 10, 21, 7),
    subscriptions: 7,
    paused: 2,
    ...overrides,
  };
}

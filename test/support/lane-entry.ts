import type { NewLaneEntry, Submission } from '../../src/storage/lane-entry.ts';

/** Rosa passed. */
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
    attempt: 2,
    durationSeconds: 245,
    submittedAt: Date.UTC(2018, 10, 2, 0, 5, 47),
    isLate: false,
    ...overrides,
  };
}

/** Rosa's submission, for a channel. Entries with different `name`s differ in who submitted. */
export function laneEntry({ name = 'Rosa Almeida', ...overrides }: Partial<NewLaneEntry> & { name?: string } = {}): NewLaneEntry {
  return { lane: 'channel/T1/C1', subscriptionId: 's-1', at: 1_000, content: { kind: 'submission', submission: submission({ name }) }, ...overrides };
}

/** Who submitted what waits. */
export function namesOf(entries: readonly Pick<NewLaneEntry, 'content'>[]): string[] {
  return entries.map(({ content }) => (content.kind === 'submission' ? content.submission.name : 'digest'));
}

import { isDeepStrictEqual } from 'node:util';
import { countOutcomes, type OutcomeCounts } from '../domain/outcome.ts';
import type { QuizApi } from '../quiz-api/quiz-api.ts';

export interface PassRates {
  /** The cached counts, however old; never waits. */
  known(quizId: string): OutcomeCounts | undefined;
  /** Loads unknown and old counts with background priority. @returns whether a count changed */
  load(quizIds: readonly string[]): Promise<boolean>;
}

const agesAfterMs = 10 * 60_000;
/** The number of quizzes with cached counts. The one loaded longest ago is dropped first. */
const keptAtMost = 500;

export function createPassRates(deps: { api: QuizApi; now: () => number }): PassRates {
  const rates = new Map<string, { counts: OutcomeCounts; loadedAt: number }>();

  async function loadOne(quizId: string): Promise<boolean> {
    const before = rates.get(quizId);
    if (before && deps.now() - before.loadedAt < agesAfterMs) return false;
    const responses = await deps.api.responses.list(quizId, { priority: 'background' });
    const counts = countOutcomes(responses.map(({ outcome }) => outcome));
    rates.delete(quizId);
    rates.set(quizId, { counts, loadedAt: deps.now() });
    for (const oldest of rates.keys()) if (rates.size > keptAtMost) rates.delete(oldest);
    return !isDeepStrictEqual(before?.counts, counts);
  }

  return {
    known: (quizId) => rates.get(quizId)?.counts,
    async load(quizIds) {
      let hasChanged = false;
      for (const quizId of quizIds) hasChanged = (await loadOne(quizId)) || hasChanged;
      return hasChanged;
    },
  };
}

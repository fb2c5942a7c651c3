import { isDeepStrictEqual } from 'node:util';
import { countOutcomes, type OutcomeCounts } from '../domain/submission-outcome.ts';
import type { QuizApi } from '../quiz-api/quiz-api.ts';
import type { QuizResponse } from '../quiz-api/responses.ts';

export interface PassRates {
  /** The cached counts, at most as old as the last submission or list of responses that this instance saw; never waits. */
  known(quizId: string): OutcomeCounts | undefined;
  /** Loads unknown and old counts with background priority. @returns whether a count changed */
  load(quizIds: readonly string[]): Promise<boolean>;
  /** Call when a quiz has a new submission: its counts are unknown until they are loaded again. */
  forget(quizId: string): void;
}

const agesAfterMs = 10 * 60_000;
/** The number of quizzes with cached counts. The one loaded longest ago is dropped first. */
const keptAtMost = 500;

/** Counts the responses of quizzes by their outcome. `api` is the same service, whose lists of responses are counted for every reader. */
export function createPassRates(deps: { api: QuizApi; now: () => number }): { passRates: PassRates; api: QuizApi } {
  const rates = new Map<string, { counts: OutcomeCounts; loadedAt: number }>();
  /** How often the counts of a quiz were forgotten: a list that was asked for before is not newer. */
  const changes = new Map<string, number>();
  const responses: QuizApi['responses'] = {
    ...deps.api.responses,
    async list(quizId, options) {
      const before = changes.get(quizId);
      const listed = await deps.api.responses.list(quizId, options);
      if (changes.get(quizId) === before) put(quizId, listed);
      return listed;
    },
    async using(quizId, options, use) {
      const before = changes.get(quizId);
      return deps.api.responses.using(quizId, options, async (listed) => {
        if (changes.get(quizId) === before) put(quizId, listed);
        return use(listed);
      });
    },
  };

  function put(quizId: string, listed: readonly QuizResponse[]): void {
    rates.delete(quizId);
    rates.set(quizId, { counts: countOutcomes(listed.map(({ outcome }) => outcome)), loadedAt: deps.now() });
    for (const oldest of rates.keys()) if (rates.size > keptAtMost) rates.delete(oldest);
  }

  async function loadOne(quizId: string): Promise<boolean> {
    const before = rates.get(quizId);
    if (before && deps.now() - before.loadedAt < agesAfterMs) return false;
    await responses.list(quizId, { priority: 'background' });
    return !isDeepStrictEqual(before?.counts, rates.get(quizId)?.counts);
  }

  return {
    api: { ...deps.api, responses },
    passRates: {
      known: (quizId) => rates.get(quizId)?.counts,
      async load(quizIds) {
        let hasChanged = false;
        for (const quizId of quizIds) hasChanged = (await loadOne(quizId)) || hasChanged;
        return hasChanged;
      },
      forget(quizId) {
        rates.delete(quizId);
        changes.set(quizId, (changes.get(quizId) ?? 0) + 1);
      },
    },
  };
}

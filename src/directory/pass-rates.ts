import { countOutcomes, type OutcomeCounts } from '../domain/submission-outcome.ts';
import type { QuizApi } from '../quiz-api/quiz-api.ts';
import type { QuizResponse } from '../quiz-api/responses.ts';

export type PassRates = ReturnType<typeof createPassRates>['passRates'];

/** A submission whose webhook is lost shows by then. */
const agesAfterMs = 10 * 60_000;
/** The number of quizzes with cached counts. The one loaded longest ago is dropped first. */
const keptAtMost = 500;

/** Counts the responses of quizzes by their outcome. `api` is the same service, whose lists of responses are counted for every reader. */
export function createPassRates(deps: { api: QuizApi; now: () => number }) {
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

  return {
    api: { ...deps.api, responses } satisfies QuizApi,
    passRates: {
      /** What the latest list of responses says that this instance read; undefined where that is long ago. Asks for nothing. */
      known(quizId: string): OutcomeCounts | undefined {
        const rate = rates.get(quizId);
        return rate && deps.now() - rate.loadedAt < agesAfterMs ? rate.counts : undefined;
      },
      /** Call when a quiz has a new submission: its counts are unknown until its list is read again. */
      forget(quizId: string): void {
        rates.delete(quizId);
        changes.set(quizId, (changes.get(quizId) ?? 0) + 1);
      },
    },
  };
}

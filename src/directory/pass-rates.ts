import type { QuizApi } from '../quiz-api/quiz-api.ts';

/** How many people submitted a quiz, and how many of them passed. */
export interface PassRate {
  submitted: number;
  passed: number;
}

export interface PassRates {
  /** The cached rate, however old; never waits. */
  known(quizId: string): PassRate | undefined;
  /** Loads unknown and old rates with background priority. @returns whether a rate changed */
  load(quizIds: readonly string[]): Promise<boolean>;
}

const agesAfterMs = 10 * 60_000;
/** The number of cached rates. The one loaded longest ago is dropped first. */
const keptAtMost = 500;

export function createPassRates(deps: { api: QuizApi; now: () => number }): PassRates {
  const rates = new Map<string, PassRate & { loadedAt: number }>();

  async function loadOne(quizId: string): Promise<boolean> {
    const before = rates.get(quizId);
    if (before && deps.now() - before.loadedAt < agesAfterMs) return false;
    const responses = await deps.api.responses.list(quizId, { priority: 'background' });
    const submitted = responses.filter(({ status }) => status === 'submitted');
    const rate = { submitted: submitted.length, passed: submitted.filter(({ pass }) => pass).length };
    rates.delete(quizId);
    rates.set(quizId, { ...rate, loadedAt: deps.now() });
    for (const oldest of rates.keys()) if (rates.size > keptAtMost) rates.delete(oldest);
    return before?.submitted !== rate.submitted || before.passed !== rate.passed;
  }

  return {
    known: (quizId) => rates.get(quizId),
    async load(quizIds) {
      let hasChanged = false;
      for (const quizId of quizIds) hasChanged = (await loadOne(quizId)) || hasChanged;
      return hasChanged;
    },
  };
}

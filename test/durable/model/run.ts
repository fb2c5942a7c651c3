import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { createEngine } from '../../../src/durable/runtime.ts';
import { createMail, createSharedState } from '../../../src/durable/mail.ts';
import { addCounts, countsInWords, type RandomJudge } from '../../judges/judge.ts';
import type { Durable } from './bot.ts';
import { scenarios, type Scenario } from './scenario.ts';
import { simulate, type Counts } from './simulate.ts';

interface ModelReport {
  runs: number;
  counts: Partial<Counts>;
  seconds: number;
  /** The shortest scenario that breaks a promise. */
  failure?: { scenario: Scenario; broken: readonly string[] };
}

/** Runs random scenarios until one breaks a promise. */
export async function runModel(
  durable: Durable,
  options: { count: number; seed: number; shrinks?: boolean; onProgress?: (runs: number) => void },
): Promise<ModelReport> {
  const startedAt = performance.now();
  const counts: Partial<Counts> = {};
  let runs = 0;
  const { counterexample } = await fc.check(
    fc.asyncProperty(scenarios, async (scenario) => {
      const one = await simulate(scenario, durable);
      addCounts(counts, one.counts);
      runs += 1;
      options.onProgress?.(runs);
      // No run comes to the end of a turn, and timers wait for it.
      await nextTurn();
      return one.broken.length === 0;
    }),
    { numRuns: options.count, seed: options.seed, endOnFailure: options.shrinks !== true },
  );
  const seconds = (performance.now() - startedAt) / 1000;
  if (counterexample === null) return { runs, counts, seconds };
  const [scenario] = counterexample;
  const { broken } = await simulate(scenario, durable);
  return { runs, counts, seconds, failure: { scenario, broken } };
}

/** Random crashes of the machines that the bot runs. */
export const model: RandomJudge = {
  count: 100_000,
  async run({ count, seed }, { found, done }) {
    const durable = { createEngine, createMail, createSharedState };
    const { runs, counts, seconds, failure } = await runModel(durable, {
      count,
      seed,
      shrinks: true,
      onProgress: done,
    });
    if (failure) found(`broken: ${failure.broken.join('; ')}\n${JSON.stringify(failure.scenario)}`);
    return `${runs.toLocaleString('en')} runs of the model, seed ${seed}, ${seconds.toFixed(0)} s; ${countsInWords(counts)}; ${
      failure ? 'a promise is broken' : 'no promise broken'
    }`;
  },
};

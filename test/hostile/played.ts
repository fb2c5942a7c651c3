import { afterAll, beforeAll } from 'vitest';
import type { Cohort, World } from './cohort.ts';
import { runSequence } from './side.ts';
import { openStage, type Stage } from './stage.ts';
import type { Step } from './steps.ts';

/** A cohort of a stage in which a test plays. */
export type Played = ReturnType<typeof inCohort>;

function inCohort(stage: Stage, cohort: Cohort) {
  const run = async (steps: readonly Step[]) => runSequence(stage, cohort, steps);
  /** The rules that are broken where `plant` happens during the steps. */
  async function violationsOf(steps: readonly Step[], plant: () => void): Promise<string[]> {
    const ran = run(steps);
    plant();
    return (await ran).violations.map(({ rule }) => rule);
  }
  return { stage, cohort, of: cohort.number, changes: () => stage.journal.changes(cohort.number), run, violationsOf };
}

/** A stage that the tests of a file share. @returns takes a cohort of it for one test alone; all are of the same tenant */
export function shareStage(cohorts: number, world: World = 'one bot'): () => Played {
  let stage: Stage;
  let taken = 0;
  beforeAll(async () => {
    // Numbers with a 9 at the end are those of nobody.
    const numbers = Array.from({ length: cohorts }, (_, index) => 10 * index + 1);
    stage = await openStage(numbers, { hasOwners: false, world });
  });
  afterAll(() => stage.close());
  return () => inCohort(stage, stage.cohorts[taken++]!);
}

import type { Cohort } from './cohort.ts';
import type { Violation } from './judge.ts';
import { createSide } from './side.ts';
import type { Stage } from './stage.ts';
import { stepText, type Step } from './steps.ts';

interface SequenceResult {
  violations: Violation[];
  /** The number of each outcome, by kind of step. */
  outcomes: Record<string, number>;
  /** Whether the bot was killed meanwhile, by this sequence or another. */
  wasKilled: boolean;
}

/** Runs the steps of a sequence in its cohort, and in that of the other tenant, and judges what came of them. */
export async function runSequence(
  stage: Stage,
  cohort: Cohort,
  steps: readonly Step[],
  nextNumber: () => number,
): Promise<SequenceResult> {
  const killsBefore = stage.journal.kills.length;
  const outcomes: Record<string, number> = {};
  const count = (outcome: string) => (outcomes[outcome] = (outcomes[outcome] ?? 0) + 1);
  const own = createSide(stage, cohort, { nextNumber, count, other: () => other?.shown });
  const other = cohort.other && createSide(stage, cohort.other, { nextNumber, count, other: () => own.shown });

  for (const [index, step] of steps.entries()) {
    try {
      if (step.do !== 'elsewhere') await own.run(step, index);
      else if (step.step.do !== 'elsewhere') await other?.run(step.step, index);
    } catch (error) {
      throw new Error(`step ${index}, ${stepText(step)}: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    }
  }
  const sides = other ? [own, other] : [own];
  await Promise.all(sides.map((side) => side.settle()));
  const violations = await Promise.all(sides.map((side) => side.judge()));
  return { violations: violations.flat(), outcomes, wasKilled: stage.journal.kills.length > killsBefore };
}

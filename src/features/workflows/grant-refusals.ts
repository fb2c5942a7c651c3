import { say } from '../../domain/said.ts';
import { stepNamed } from './steps.ts';

const again = say`Edit this step, choose yourself under “Runs with the rights of”, and publish the workflow again.`;

/** Why a step runs with nobody’s rights. The people of the workflow read it. */
export const grantRefusals = {
  unknown: `${say`The bot can’t tell who published this workflow, or this step hasn’t run for 90 days.`} ${again}`,
  revoked: `${say`The rights that this step ran with were revoked.`} ${again}`,
  otherStep: (step: string) =>
    `${say`The rights that this step runs with were lent to the step “${stepTitle(step)}” alone.`} ${again}`,
  otherWorkflow: `${say`The rights that this step runs with were lent to another workflow.`} ${again}`,
} as const;

/** What people call a kind of step; one that the bot no longer has goes by its name. */
export function stepTitle(step: string): string {
  return stepNamed(step)?.title ?? step;
}

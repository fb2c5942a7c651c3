import { say } from '../../../domain/said.ts';
import { shortName } from '../../../domain/short-name.ts';
import { takeRightsBack } from '../../../features/workflows/operations/lent-rights.ts';
import { replaceStep } from '../../../operations/next-step.ts';
import type { Page } from '../../../operations/page.ts';

/** Tells a person that a step of a workflow can run with their rights. */
export function rightsLentPage({ grantId, step }: { grantId: string; step: string }): Page {
  return {
    heading: say`🔑 Slack says that you’re setting up the step *${shortName(step)}* of a workflow. Once you choose yourself in it and publish it, it runs with your rights for everyone who can start the workflow.`,
    steps: [{ ...replaceStep(say`Revoke`, takeRightsBack, { grant: [grantId] }), style: 'danger' }],
    notes: [
      say`If that wasn’t you, or you don’t want it any more, revoke it. It also ends when the step hasn’t run for 90 days.`,
    ],
  };
}

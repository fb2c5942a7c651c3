import type { Note } from '../../../domain/note.ts';
import { joinSaid, mention, say } from '../../../domain/said.ts';
import { shortName } from '../../../domain/short-name.ts';
import { replaceStep } from '../../../operations/next-step.ts';
import type { Page } from '../../../operations/page.ts';
import type { LentRights } from '../../../operations/services/people.ts';
import { moment } from '../../../time/date-words.ts';

/** Tells a person that a step of a workflow can run with their rights. @param step what people call it */
export function rightsLentNote(grantId: string, step: string): Note {
  return {
    heading: say`🔑 Slack says that you’re setting up the step *${shortName(step)}* of a workflow. Once you choose yourself in it and publish it, it runs with your rights for everyone who can start the workflow.`,
    steps: [{ ...replaceStep(say`Revoke`, { name: 'take-rights-back' }, { grant: [grantId] }), style: 'danger' }],
    notes: [
      say`If that wasn’t you, or you don’t want it any more, revoke it. It also ends when the step hasn’t run for 90 days.`,
    ],
  };
}

/** Whose rights steps of workflows run with, each with **Revoke**. */
export function lentRightsPage(lent: readonly LentRights[]): Page {
  if (lent.length === 0) return { heading: say`🔑 ${say`Nobody lends their rights to a step of a workflow.`}` };
  return {
    heading: say`*Rights that people lent to steps of workflows*`,
    parts: [
      {
        items: lent.map((grant) => ({
          line: lineOf(grant),
          steps: [
            { ...replaceStep(say`Revoke`, { name: 'revoke-lent-rights' }, { grant: [grant.id] }), style: 'danger' },
          ],
        })),
      },
    ],
    notes: lent.some(({ workflowId }) => workflowId === undefined)
      ? [say`Where no workflow is named, the bot doesn’t know which one runs the step.`]
      : [],
  };
}

function lineOf({ personId, step, workflowId, lentAt, usedAt, expiresAt }: LentRights): string {
  const when = (ms: number) => moment(ms);
  const where =
    workflowId === undefined
      ? say`*${shortName(step)}*`
      : say`*${shortName(step)}* in the workflow \`${shortName(workflowId)}\``;
  const used = usedAt === undefined ? say`not used yet` : say`last used ${when(usedAt)}`;
  const times = [say`lent ${when(lentAt)}`, used, say`expires ${when(expiresAt)} unless it runs`];
  return say`🔑 ${mention(personId)} · ${where}\n${joinSaid(times, ' · ')}`;
}

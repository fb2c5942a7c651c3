import type { Note } from '../../../domain/note.ts';
import { joinSaid, mention, say, shortName } from '../../../domain/said.ts';
import { replaceStep, type Page } from '../../../operations/page.ts';
import type { LentRights } from '../../../operations/services/people.ts';
import { moment } from '../../../time/date-words.ts';

/** Tells a person that steps of a workflow can run with their rights. @param step what people call the first that they set up */
export function rightsLentNote(grantId: string, step: string): Note {
  return {
    heading: say`🔑 Slack says that you’re setting up a workflow with *${shortName(step)}*. Once you choose yourself in its steps and publish it, they run with your rights for everyone who can start it.`,
    steps: [{ ...replaceStep(say`Revoke`, { name: 'take-rights-back' }, { grant: [grantId] }), style: 'danger' }],
    notes: [
      say`If that wasn’t you, or you don’t want it any more, revoke it. It also ends when the steps haven’t run for 90 days.`,
    ],
  };
}

/** Whose rights steps of workflows run with, each with **Revoke**. */
export function lentRightsPage(lent: readonly LentRights[]): Page {
  if (lent.length === 0) return { heading: say`🔑 ${say`Nobody lends their rights to a step of a workflow.`}` };
  const items = (grants: readonly LentRights[]) =>
    grants.map((grant) => ({
      line: lineOf(grant),
      steps: [
        {
          ...replaceStep(say`Revoke`, { name: 'revoke-lent-rights' }, { grant: [grant.id] }),
          style: 'danger',
        } as const,
      ],
    }));
  const { used = [], open = [] } = Object.groupBy(lent, ({ usedAt }) => (usedAt === undefined ? 'open' : 'used'));
  return {
    heading: say`*Rights that people lent to steps of workflows*`,
    parts: [
      { lines: [used.length === 0 && say`No step has run with anyone’s rights yet.`] },
      { items: items(used) },
      { lines: [open.length > 0 && say`*Looked at while a workflow was set up, not run yet*`] },
      { items: items(open) },
    ],
    notes: lent.some(({ workflowId }) => workflowId === undefined)
      ? [say`Where no workflow is named, the bot doesn’t know which one runs the step.`]
      : [],
  };
}

function lineOf({ personId, step, workflowId, lentAt, usedAt, expiresAt }: LentRights): string {
  const where =
    workflowId === undefined
      ? say`*${shortName(step)}*`
      : say`*${shortName(step)}* in the workflow \`${shortName(workflowId)}\``;
  const until = say`expires ${moment(expiresAt)} unless it runs`;
  if (usedAt === undefined)
    return say`👀 ${mention(personId)} · ${where}\n${joinSaid([say`looked at ${moment(lentAt)}`, until], ' · ')}`;
  const times = [say`lent ${moment(lentAt)}`, say`last used ${moment(usedAt)}`, until];
  return say`🔑 ${where} · published by ${mention(personId)}\n${joinSaid(times, ' · ')}`;
}

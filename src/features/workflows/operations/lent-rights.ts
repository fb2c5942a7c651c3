import { say, joinSaid, mention } from '../../../domain/said.ts';
import { named, namedList } from '../../../domain/sentence.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { lentTogether, type LentRights, type RightsLent } from '../../../operations/services/people.ts';
import { InvalidInputError } from '../../../operations/errors.ts';
import { unchanged, type DoneResult } from '../../../operations/operation-result.ts';
import { runStep, replaceStep } from '../../../operations/next-step.ts';
import { defineOperation } from '../../../operations/operation.ts';
import type { Note } from '../../../domain/note.ts';
import { shortName } from '../../../domain/short-name.ts';
import type { Page } from '../../../operations/page.ts';
import { moment } from '../../../time/date-words.ts';

const grantField = { kind: 'text', label: 'Rights', maxLength: 50 } as const;

export const listLentRights = defineOperation({
  name: 'list-lent-rights',
  needs: 'rightsLent',
  command: '/quiz-admin workflows',
  synonyms: ['steps'],
  summary: 'List whose rights steps of workflows run with, and revoke them',
  title: say`Rights of workflows`,
  access: 'read',
  right: 'administrator',
  submit: 'List',
  forPeopleOnly: true,
  fields: {},
  async run(context) {
    return { kind: 'page', ...lentRightsPage(await rightsLentIn(context).all()) };
  },
});

export const revokeLentRights = defineOperation({
  name: 'revoke-lent-rights',
  needs: 'rightsLent',
  command: '/quiz-admin revoke-rights <grant>',
  summary: 'Revoke the rights that a person lent to a step of a workflow',
  access: 'write',
  right: 'administrator',
  rules: [{ name: 'revoking rights lent to a step of a workflow' }],
  submit: 'Revoke',
  isTyped: false,
  forPeopleOnly: true,
  fields: { grant: grantField },
  action: () => say`revoke the rights that a person lent to a step of a workflow`,
  effect: () => say`The step couldn’t run until someone sets it up again.`,
  run: async (context, { grant }) => {
    const lent = await rightsLentIn(context).revoke(grant, () => true);
    return revoked(context, lent === undefined ? [] : [lent]);
  },
});

export const takeRightsBack = defineOperation({
  name: 'take-rights-back',
  needs: 'rightsLent',
  command: '/quiz-admin take-back <grant>',
  summary: 'Take back the rights that you lent to a step of a workflow',
  access: 'write',
  right: 'staff',
  rules: [{ name: 'revoking rights lent to a step of a workflow' }],
  submit: 'Revoke',
  isTyped: false,
  forPeopleOnly: true,
  fields: { grant: grantField },
  action: () => say`take back the rights that they lent to a step of a workflow`,
  effect: () => say`The step couldn’t run until someone sets it up again.`,
  async run(context, { grant }) {
    const rights = rightsLentIn(context);
    const own = (await rights.all()).filter(({ personId }) => personId === context.actor.personId);
    const together = own.filter(({ lentAt }) => lentTogether(grant, lentAt));
    const lent = await Promise.all(together.map(async ({ id }) => rights.revoke(id, () => true)));
    return revoked(
      context,
      lent.flatMap((one) => one ?? []),
    );
  },
});

function revoked({ actor }: OperationContext, [lent, ...others]: readonly LentRights[]): DoneResult {
  if (lent === undefined) return unchanged(say`No step runs with these rights any more. Nothing changed.`);
  return {
    kind: 'done',
    message:
      others.length > 0
        ? say`Revoked: the steps ${namedList([lent, ...others].map(({ step }) => step))} don’t run with your rights any more. To use them again, edit them in Workflow Builder, and choose who they run as.`
        : lent.personId === actor.personId
          ? say`Revoked: the step ${named(lent.step)} doesn’t run with your rights any more. To use it again, edit it in Workflow Builder, and choose who it runs as.`
          : say`Revoked: the step ${named(lent.step)} doesn’t run with these rights any more. To use it again, edit it in Workflow Builder, and choose who it runs as.`,
    next: [runStep(say`View the others`, listLentRights, {})],
  };
}

/** @throws {InvalidInputError} where steps are turned off */
function rightsLentIn({ rightsLent }: OperationContext): RightsLent {
  if (rightsLent === undefined)
    throw new InvalidInputError(
      'grant',
      say`Steps of workflows are turned off here. The person who runs the bot can turn them on with WORKFLOW_STEPS_ENABLED.`,
    );
  return rightsLent;
}

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
  const when = (ms: number) => moment(ms);
  const where =
    workflowId === undefined
      ? say`*${shortName(step)}*`
      : say`*${shortName(step)}* in the workflow \`${shortName(workflowId)}\``;
  const until = say`expires ${when(expiresAt)} unless it runs`;
  if (usedAt === undefined)
    return say`👀 ${mention(personId)} · ${where}\n${joinSaid([say`looked at ${when(lentAt)}`, until], ' · ')}`;
  const times = [say`lent ${when(lentAt)}`, say`last used ${when(usedAt)}`, until];
  return say`🔑 ${where} · published by ${mention(personId)}\n${joinSaid(times, ' · ')}`;
}

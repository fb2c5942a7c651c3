import { say, named, namedList } from '../../../domain/said.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { lentTogether, type LentRights, type RightsLent } from '../../../operations/services/people.ts';
import { InvalidInputError } from '../../../operations/text-input.ts';
import { unchanged, runStep, type DoneResult } from '../../../operations/page.ts';
import { defineOperation } from '../../../operations/operation.ts';
import { lentRightsPage } from '../pages/lent-rights.ts';

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

const ofRevoking = {
  needs: 'rightsLent',
  access: 'write',
  rules: [{ name: 'revoking rights lent to a step of a workflow' }],
  submit: 'Revoke',
  isTyped: false,
  forPeopleOnly: true,
  fields: { grant: { kind: 'text', label: 'Rights', maxLength: 50 } },
  effect: () => say`The step couldn’t run until someone sets it up again.`,
} as const;

export const revokeLentRights = defineOperation({
  ...ofRevoking,
  name: 'revoke-lent-rights',
  command: '/quiz-admin revoke-rights <grant>',
  summary: 'Revoke the rights that a person lent to a step of a workflow',
  right: 'administrator',
  action: () => say`revoke the rights that a person lent to a step of a workflow`,
  run: async (context, { grant }) => {
    const lent = await rightsLentIn(context).revoke(grant, () => true);
    return revoked(context, lent === undefined ? [] : [lent]);
  },
});

export const takeRightsBack = defineOperation({
  ...ofRevoking,
  name: 'take-rights-back',
  command: '/quiz-admin take-back <grant>',
  summary: 'Take back rights lent to a step of a workflow',
  right: 'staff',
  action: () => say`take back the rights that they lent to a step of a workflow`,
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

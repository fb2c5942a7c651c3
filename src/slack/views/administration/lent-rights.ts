import type { Announcement } from '../../../domain/announcement.ts';
import { say, joinSaid } from '../../../domain/said.ts';
import type { LentRights } from '../../../operations/services/lent-rights.ts';
import type { OperationResult } from '../../../operations/operation-result.ts';
import { revokeLentRights, takeRightsBack } from '../../../features/workflows/operations/lent-rights.ts';
import { operationButton } from '../blocks/buttons.ts';
import { buttonRow } from '../blocks/item-actions.ts';
import { textMessage, type Message } from '../blocks/message.ts';
import { moment } from '../blocks/moments.ts';
import { context, mention, section, shortName } from '../blocks/mrkdwn.ts';

/** A message has room for 50 blocks. */
const shownAtMost = 45;

/** Whose rights steps of workflows run with, each with **Revoke**. */
export function lentRightsMessage(
  { lent }: Extract<OperationResult, { kind: 'lent-rights' }>,
  timeZone: string,
): Message {
  if (lent.length === 0) return textMessage('🔑', say`Nobody lends their rights to a step of a workflow.`);
  const heading = say`*Rights that people lent to steps of workflows*`;
  const left = lent.length - shownAtMost;
  return {
    text: heading,
    blocks: [
      section(heading),
      ...lent.slice(0, shownAtMost).map((grant, index) => {
        const [revoke] = operationButton(`revoke-${index + 1}`, {
          text: say`Revoke`,
          doing: 'replace',
          operation: revokeLentRights,
          raw: { grant: [grant.id] },
          style: 'danger',
        });
        return { ...section(lineOf(grant, timeZone)), ...(revoke && { accessory: revoke }) };
      }),
      ...(left > 0 ? [context(say`…and ${left} more, which follow when you revoke some of these.`)] : []),
      ...(lent.some(({ workflowId }) => workflowId === undefined)
        ? [context(say`Where no workflow is named, Slack didn’t say which one runs the step.`)]
        : []),
    ],
  };
}

function lineOf({ personId, step, workflowId, lentAt, usedAt, expiresAt }: LentRights, timeZone: string): string {
  const when = (ms: number) => moment(new Date(ms), timeZone);
  const where =
    workflowId === undefined
      ? say`*${shortName(step)}*`
      : say`*${shortName(step)}* in the workflow \`${shortName(workflowId)}\``;
  const used = usedAt === undefined ? say`not used yet` : say`last used ${when(usedAt)}`;
  const times = [say`lent ${when(lentAt)}`, used, say`expires ${when(expiresAt)} unless it runs`];
  return say`🔑 ${mention(personId)} · ${where}\n${joinSaid(times, ' · ')}`;
}

/** Tells a person that a step of a workflow can run with their rights. */
export function rightsLentMessage({ grantId, step }: Extract<Announcement, { kind: 'rights-lent' }>): Message {
  const heading = say`🔑 Slack says that you’re setting up the step *${shortName(step)}* of a workflow. Once you choose yourself in it and publish it, it runs with your rights for everyone who can start the workflow.`;
  return {
    text: heading,
    blocks: [
      section(heading),
      context(
        say`If that wasn’t you, or you don’t want it any more, revoke it. It also ends when the step hasn’t run for 90 days.`,
      ),
      ...buttonRow(
        operationButton('revoke', {
          text: say`Revoke`,
          doing: 'replace',
          operation: takeRightsBack,
          raw: { grant: [grantId] },
          style: 'danger',
        }),
      ),
    ],
  };
}

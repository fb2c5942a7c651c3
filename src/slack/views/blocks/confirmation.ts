import { say } from '../../../domain/said.ts';
import type { Confirmation, Operation } from '../../../operations/operation.ts';
import { operationButton } from './buttons.ts';
import type { Message } from './message.ts';
import { context, section, plain } from './mrkdwn.ts';

/** The action id of every button that drops a question. */
export const cancelActionId = 'cancel';

/** A question before a change, with a button that makes it. */
export function confirmationMessage(operation: Operation, { question, label, input }: Confirmation): Message {
  const asked = question;
  const yes = operationButton('confirmed', { text: label, doing: 'replace', operation, raw: input, style: 'primary' });
  if (yes.length === 0)
    return {
      text: asked,
      blocks: [
        section(asked),
        context(
          say`That’s too many for one button in Slack. Put them in a group of the quiz account, and use the group.`,
        ),
      ],
    };
  return {
    text: asked,
    blocks: [
      section(asked),
      {
        type: 'actions',
        elements: [...yes, { type: 'button', action_id: cancelActionId, text: plain(say`Cancel`) }],
      },
    ],
  };
}

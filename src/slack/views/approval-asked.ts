import type { ActionsBlock } from '@slack/types';
import type { Operation, TextInput } from '../../operations/operation.ts';
import type { ApprovalRequest } from '../../domain/approval-request.ts';
import { effectLine, reasonLine, requestTitle } from './approval-words.ts';
import { operationButton } from './buttons.ts';
import type { Message } from './message.ts';
import { moment } from './moments.ts';
import { context, md, notification, plain, section } from './mrkdwn.ts';

/** Ids of the buttons on requests. Their value is the request’s id and nothing else. */
export const reviewActionId = 'review-request';
export const withdrawActionId = 'withdraw-request';

export const needsReason = 'Somebody else has to approve this: say why you want it.';

/** What the person reads after they asked: what they asked for, and that they can take it back. */
export function askedMessage(request: ApprovalRequest, timeZone: string): Message {
  const heading = md`🙋 You asked for approval to *${requestTitle(request)}*`;
  return {
    text: notification(md`You asked for approval to ${requestTitle(request)}`),
    blocks: [
      section(heading),
      section(effectLine(request.asked)),
      section(reasonLine(request)),
      context(md`You hear of the decision in a direct message, at the latest ${moment(new Date(request.expiresAt), timeZone)}.`),
      withdrawButton(request),
    ],
  };
}

/** Somebody typed what needs approval, and did not say why. */
export function unexplainedMessage(operation: Operation, raw: TextInput): Message {
  const elements = operationButton('reason', { text: 'Say why', doing: 'form', operation, raw, style: 'primary' });
  const byButton = elements.length > 0 ? md`Press the button, or type` : md`Type`;
  const message = md`🙋 ${needsReason} ${byButton} it again with \`--reason "…"\` at its end.`;
  return { text: notification(message), blocks: [section(message), ...(elements.length > 0 ? [{ type: 'actions', elements } as const] : [])] };
}

function withdrawButton({ id }: ApprovalRequest): ActionsBlock {
  return { type: 'actions', elements: [{ type: 'button', action_id: withdrawActionId, text: plain('Withdraw', 75), value: id }] };
}

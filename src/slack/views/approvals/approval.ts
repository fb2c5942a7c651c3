import type { ActionsBlock, Button, KnownBlock } from '@slack/types';
import type { ApprovalRequest } from '../../../domain/approval-request.ts';
import { asSaid, countOf, say } from '../../../domain/said.ts';
import { plainSentence } from '../../../domain/sentence.ts';
import {
  askedPage,
  decisionPage,
  endLine,
  isOpen,
  needsReason,
  ownRequest,
  reminderPage,
  requestedAction,
  requesterPage,
  requestLine,
  requestPage,
  type Deciders,
} from '../../../features/administration/pages/requests.ts';
import type { Operation } from '../../../operations/operation.ts';
import type { OperationResult } from '../../../operations/operation-result.ts';
import { viewOf } from '../../../operations/plans/preview.ts';
import type { TextInput } from '../../../operations/text-input.ts';
import { operationButton } from '../blocks/buttons.ts';
import { textMessage, type Message, context, plain, section } from '../blocks/message.ts';
import { drawPage } from '../blocks/page.ts';
import { passwordOfferBlocks } from '../users/password.ts';

/** Action IDs of the buttons on requests. A button's value is the request's ID and nothing else. */
export const approveActionId = 'approve-request';
export const denyActionId = 'deny-request';
export const withdrawActionId = 'withdraw-request';
/** Opens the request to be approved. */
export const reviewActionId = 'review-request';

/** The request as reviewers see it: with its two buttons while it is open, with its outcome afterwards. */
export function approvalMessage(request: ApprovalRequest, timeZone: string): Message {
  const page = drawPage(requestPage(request, timeZone));
  return isOpen(request) ? below(page, decisionButtons(request)) : page;
}

function below(message: Message, ...blocks: readonly KnownBlock[]): Message {
  return { ...message, blocks: [...message.blocks, ...blocks] };
}

/** Where the request is. */
export function endMessage(request: ApprovalRequest): Message {
  return drawPage({ heading: endLine(request) });
}

/** Reminds reviewers of a request that is halfway to its expiry. */
export function reminderMessage(request: ApprovalRequest, timeZone: string): Message {
  return drawPage(reminderPage(request, timeZone));
}

function decisionButtons(request: ApprovalRequest): ActionsBlock {
  return {
    type: 'actions',
    elements: [
      decisionButton(request, 'approved', { style: 'primary' }),
      decisionButton(request, 'denied', { style: 'danger' }),
      ...planButton(request),
    ],
  };
}

/** Opens the list of everyone that a request is about, where it is about a plan. */
export function planButton({ operation, input: { plan } }: Pick<ApprovalRequest, 'operation' | 'input'>): Button[] {
  const opened = viewOf(operation);
  return opened === undefined || plan === undefined
    ? []
    : operationButton('plan', { text: say`View all`, doing: 'modal', operation: opened, raw: { plan } });
}

/** The button that denies a request, where approving it has another place or is out of the question. */
export function denyButton(request: ApprovalRequest): Button {
  return decisionButton(request, 'denied', {});
}

function decisionButton(
  request: ApprovalRequest,
  verdict: 'approved' | 'denied',
  style: Pick<Button, 'style'>,
): Button {
  const action = plainSentence(requestedAction(request));
  return {
    type: 'button',
    action_id: verdict === 'approved' ? approveActionId : denyActionId,
    text: plain(asSaid(verdict === 'approved' ? say`Approve` : say`Deny`)),
    accessibility_label: plain(asSaid(verdict === 'approved' ? say`Approve: ${action}` : say`Deny: ${action}`)).text,
    value: request.id,
    ...style,
  };
}

/** The button that opens a request in one line. */
export function reviewButton(request: ApprovalRequest): Button {
  return {
    type: 'button',
    action_id: reviewActionId,
    text: plain(say`Review`),
    accessibility_label: plain(say`Review: ${plainSentence(requestedAction(request))}`).text,
    value: request.id,
  };
}

/** Presses the button again whose modal did not open. */
export function pressAgainButton(actionId: typeof approveActionId | typeof denyActionId, requestId: string): Button {
  return {
    type: 'button',
    action_id: actionId,
    text: plain(say`Try again`),
    style: 'primary',
    value: requestId,
  };
}

const requestsShown = 10;

/** The list of open requests, each with its buttons. */
export function requestsMessage(
  { requests }: Extract<OperationResult, { kind: 'requests' }>,
  timeZone: string,
): Message {
  if (requests.length === 0)
    return textMessage('✅', say`Nothing is waiting for your approval, and you have no open requests.`);
  const heading = say`*${countOf(requests.length, 'open request', 'open requests')}*`;
  const left = requests.length - requestsShown;
  return {
    text: heading,
    blocks: [
      section(heading),
      ...requests.slice(0, requestsShown).flatMap((request) => requestBlocks(request, timeZone)),
      ...(left > 0 ? [context(say`…and ${left} more.`)] : []),
    ],
  };
}

/** One entry of a list of requests, with its buttons. */
export function requestBlocks(request: ApprovalRequest, timeZone: string): KnownBlock[] {
  return [section(requestLine(request, timeZone)), decisionButtons(request)];
}

/** Confirms a new request to the requester, with a button to withdraw it. */
export function askedMessage(request: ApprovalRequest, timeZone: string): Message {
  return below(drawPage(askedPage(request, timeZone)), withdrawButton(request));
}

/** Asks for the reason of a change that needs approval. */
export function unexplainedMessage(operation: Operation, raw: TextInput): Message {
  const elements = operationButton('reason', {
    text: say`Give a reason`,
    doing: 'form',
    operation,
    raw,
    style: 'primary',
  });
  const how =
    elements.length > 0
      ? say`Press the button, or add \`--reason "…"\` at the end of the command.`
      : say`Add \`--reason "…"\` at the end of the command.`;
  const message = say`🙋 ${needsReason} ${how}`;
  return {
    text: message,
    blocks: [section(message), ...(elements.length > 0 ? [{ type: 'actions', elements } as const] : [])],
  };
}

function withdrawButton({ id }: Pick<ApprovalRequest, 'id'>): ActionsBlock {
  return {
    type: 'actions',
    elements: [{ type: 'button', action_id: withdrawActionId, text: plain(say`Withdraw`), value: id }],
  };
}

/** Tells a requester that they can’t decide on their own request. */
export function ownRequestMessage(request: ApprovalRequest, verdict: 'approved' | 'denied'): Message {
  return below(textMessage('🚫', ownRequest(verdict)), withdrawButton(request));
}

/** The one message that its requester has of a request, as it is now. */
export function requesterMessage(request: ApprovalRequest, deciders: Deciders, timeZone: string): Message {
  const page = drawPage(requesterPage(request, deciders, timeZone));
  return isOpen(request) ? below(page, withdrawButton(request)) : below(page, ...ownPasswordOffer(request));
}

/** Notifies the requester, who has the request's message already: Slack does not notify anyone of an update. */
export function decisionReply(request: ApprovalRequest): Message {
  return drawPage(decisionPage(request));
}

function ownPasswordOffer({ requesterId, outcome }: ApprovalRequest): KnownBlock[] {
  const offer = outcome?.passwordOffer;
  return offer?.personId === requesterId ? passwordOfferBlocks(offer) : [];
}
